"""Datasets whose variables do not all have all dimensions, and what is said of a chunk's columns."""

import warnings

import numpy as np
import pytest

import isobar

xarray = pytest.importorskip("xarray")
import isobar.xarray  # noqa: E402


@pytest.fixture
def model():
    return isobar.Radiation(device="thread")


@pytest.fixture
def columns(data):
    pytest.importorskip("netCDF4")
    return xarray.open_dataset(data / "radiation" / "columns.nc").load().drop_vars(["local_time", "o2", "n2"])


@pytest.fixture
def grid(columns):
    """The eight columns as two latitudes of four longitudes."""
    places = columns.assign_coords(column=np.arange(8)).coarsen(column=4).construct(column=("lat", "lon"))
    return places.drop_vars("column")


def whole(dataset, name, like):
    """The dataset with a variable in all of its dimensions, in memory."""
    full = dataset[name].broadcast_like(dataset[like]).transpose(*dataset[like].dims).copy(deep=True)
    return dataset.assign({name: full.assign_attrs(dataset[name].attrs)})


@pytest.mark.parametrize("held", [{"lon": 0}, {"lat": 0}, {"lat": 0, "lon": 0}])
@pytest.mark.parametrize("name, like", [("o3", "temperature"), ("surface_temperature", "cosine_zenith")])
def test_variables_may_lack_dimensions_of_columns(model, grid, name, like, held):
    """As if each had all of them."""
    lacking = grid.assign({name: grid[name].isel(held)})
    found = isobar.xarray.run(model, lacking)
    expected = isobar.xarray.run(model, whole(lacking, name, like))
    assert found.longwave_upward_flux.equals(expected.longwave_upward_flux.transpose(*found.longwave_upward_flux.dims))


def test_one_more_dimension_of_one_variable(model, columns):
    """Two surface temperatures of the same air: each is a run of its own."""
    warmer = columns.surface_temperature + 5
    both = xarray.concat([columns.surface_temperature, warmer], "time").assign_attrs(units="K")
    found = isobar.xarray.run(model, columns.assign(surface_temperature=both)).longwave_upward_flux
    second = isobar.xarray.run(model, columns.assign(surface_temperature=warmer.assign_attrs(units="K")))
    assert np.array_equal(found.isel(time=1).transpose(*second.longwave_upward_flux.dims), second.longwave_upward_flux)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("part", [np.s_[:, :1], np.s_[:1], np.s_[0], np.s_[:1, :1], np.s_[0, 0]])
def test_arrays_may_be_the_same_along_an_axis(model, data, part, last):
    """With several axes of columns, as NumPy spreads arrays."""
    given = model.read(data / "radiation" / "columns.nc")
    grid = {name: value.reshape(2, 4, *value.shape[1:]) if np.ndim(value) else value for name, value in given.items()}
    for name, cores in (("o3", 1), ("surface_temperature_k", 0)):
        some = grid[name][part]
        full = np.broadcast_to(some, grid[name].shape)
        expected = model.run(**{**grid, name: full.copy()})

        def turned(value, cores):
            value = np.asarray(value)
            return np.moveaxis(value, range(value.ndim - cores, value.ndim), range(cores)) if last else value

        cores_of = {field.name: len(field.dimensions) for field in isobar.fields(model).inputs}
        for array in (some, full):
            mine = {field: turned(value, cores_of[field]) if np.ndim(value) else value
                    for field, value in {**grid, name: array}.items()}
            found = model.run(**mine, items_axis="last" if last else "first").longwave_up_w_per_m2
            assert np.array_equal(turned(expected.longwave_up_w_per_m2, 1), found)


def test_bands_of_an_unknown_name_are_no_columns(model, columns):
    """They were taken for sixteen more columns each."""
    emissivity = xarray.DataArray(np.linspace(0.2, 1, 16), dims="nbnd", attrs={"units": "1"})
    with pytest.raises(isobar.FieldError, match=r"'nbnd' .* say what it is with dimensions={'longwave_band': 'nbnd'}"):
        isobar.xarray.run(model, columns.assign(emissivity=emissivity))


def test_a_gas_may_be_the_same_in_all_layers(model, columns):
    """As the command takes it: co2(time), and co2(column)."""
    amounts = [400e-6, 500e-6]
    in_time = xarray.DataArray(amounts, dims="time", attrs={"units": "mol mol-1"})
    found = isobar.xarray.run(model, columns.assign(co2=in_time)).longwave_upward_flux
    for number, amount in enumerate(amounts):
        alone = isobar.xarray.run(model, columns, co2=amount).longwave_upward_flux
        assert np.array_equal(found.isel(time=number).transpose(*alone.dims), alone)
    by_column = xarray.DataArray(np.full(8, 400e-6), dims="column", attrs={"units": "mol mol-1"})
    alone = isobar.xarray.run(model, columns, co2=400e-6).longwave_upward_flux
    assert np.array_equal(isobar.xarray.run(model, columns.assign(co2=by_column)).longwave_upward_flux, alone)
    # A dimension as long as the layers may be these.
    profile = xarray.DataArray(np.full(40, 400e-6), dims="height", attrs={"units": "mol mol-1"})
    with pytest.raises(isobar.FieldError, match="dimensions={'layer': 'height'}"):
        isobar.xarray.run(model, columns.assign(co2=profile))


@pytest.mark.parametrize("chunks", [{"column": 2}, {"column": 3}])
def test_an_error_of_a_chunk_names_the_column_of_the_dataset(model, columns, chunks):
    pytest.importorskip("dask")
    columns["temperature"][3, 6] = -5.0
    with pytest.raises(isobar.FieldError, match="temperature_k at column 6, layer 3 is -5") as caught:
        isobar.xarray.run(model, columns.chunk(chunks)).compute()
    assert caught.value.item == 6


def test_an_error_of_a_chunk_of_a_grid(model, grid):
    """The number of a column is the same with chunks and without."""
    pytest.importorskip("dask")
    grid["temperature"].loc[{"layer": 3, "lat": 1, "lon": 2}] = -5.0
    items = []
    for dataset in (grid, grid.chunk(lat=1, lon=2), grid.chunk(lon=1)):
        with pytest.raises(isobar.FieldError, match="temperature_k at column 6, layer 3 is -5") as caught:
            isobar.xarray.run(model, dataset).compute()
        items.append(caught.value.item)
    assert items == [6, 6, 6]


def test_a_latitude_that_nothing_asks_for(model, columns):
    """A coordinate is no field that is given: neither an error without units, nor a warning with them."""
    expected = isobar.xarray.run(model, columns).longwave_upward_flux
    for attributes in ({}, {"units": "degrees_north"}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = isobar.xarray.run(model, columns.assign_coords(lat=("column", np.arange(8.0), attributes)))
        assert np.array_equal(found.longwave_upward_flux, expected)


def test_units_that_are_a_number(model, columns):
    """Some write the unit of a ratio as the number 1."""
    ratio = columns.assign(emissivity=columns.emissivity.assign_attrs(units=1))
    expected = isobar.xarray.run(model, columns).longwave_upward_flux
    assert np.array_equal(isobar.xarray.run(model, ratio).longwave_upward_flux, expected)
