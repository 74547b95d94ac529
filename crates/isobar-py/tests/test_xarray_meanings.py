"""What variables of a dataset say of themselves: labels, standard names, orders, durations and kinds."""

import warnings

import numpy as np
import pytest

import isobar

xarray = pytest.importorskip("xarray")
import isobar.xarray  # noqa: E402


@pytest.fixture(scope="module")
def radiation():
    return isobar.Radiation(device="thread")


@pytest.fixture
def columns(data):
    pytest.importorskip("netCDF4")
    return xarray.open_dataset(data / "radiation" / "columns.nc").load().drop_vars(["local_time", "o2", "n2"])


@pytest.fixture(scope="module")
def ysu():
    return isobar.YSU(time_step_s=60, device="thread")


@pytest.fixture
def boundary_layer(ysu, data):
    """Columns by the names of fields."""
    given = ysu.read(data / "pbl" / "columns.nc")
    known = {field.name: field for field in isobar.fields(ysu).inputs if field.name in given}
    return xarray.Dataset({
        name: (("column", *field.dimensions)[:np.ndim(given[name])], given[name], {"units": field.unit})
        for name, field in known.items()
    })


@pytest.fixture
def chemistry(data):
    return isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", end_s=3600, device="thread")


@pytest.fixture
def cells(chemistry, data):
    """Cells with the names of species and inputs as coordinates."""
    given = chemistry.read(data / "chemistry" / "cells.nc")
    fields = {"concentration": ("cell", "species"), "rate_input": ("cell", "input")}
    names = {"species": chemistry.species, "input": chemistry.rate_inputs}
    return xarray.Dataset({name: (dims, given[name]) for name, dims in fields.items()}, coords=names)


@pytest.mark.parametrize("dim", ["species", "input"])
def test_species_and_inputs_go_by_their_names(chemistry, cells, dim):
    """Whatever their order is, the names say which numbers are whose."""
    expected = isobar.xarray.run(chemistry, cells).concentration
    turned = cells.sortby(dim, ascending=list(cells[dim].values) != sorted(cells[dim].values))
    assert list(turned[dim].values) != list(cells[dim].values)
    found = isobar.xarray.run(chemistry, turned).concentration
    assert list(found.species.values) == chemistry.species and np.array_equal(found, expected)
    bytes_too = turned.assign_coords({dim: turned[dim].values.astype("S")})
    assert np.array_equal(isobar.xarray.run(chemistry, bytes_too).concentration, expected)
    # Without names they are in the model's order.
    assert np.array_equal(isobar.xarray.run(chemistry, cells.drop_vars(dim)).concentration, expected)


def test_names_that_are_missing_or_unknown(chemistry, cells):
    with pytest.raises(isobar.FieldError, match="concentration: the coordinate of 'species' lacks: O3; the model's"):
        isobar.xarray.run(chemistry, cells.sel(species=[name for name in chemistry.species if name != "O3"]))
    other = cells.assign_coords(species=["ozone" if name == "O3" else name for name in chemistry.species])
    with pytest.raises(isobar.FieldError, match="'species' has what the model does not: ozone"):
        isobar.xarray.run(chemistry, other)
    twice = cells.assign_coords(input=[chemistry.rate_inputs[0]] * 2)
    with pytest.raises(isobar.FieldError, match="rate_input: the coordinate of 'input' has twice"):
        isobar.xarray.run(chemistry, twice)


def test_a_standard_name_that_says_something_else(ysu, boundary_layer):
    """A potential temperature and a specific humidity are not taken for what their names are known for."""
    potential = (boundary_layer.temperature_k / boundary_layer.exner).assign_attrs(
        units="K", standard_name="air_potential_temperature"
    )
    named_so = boundary_layer.drop_vars("temperature_k").assign(T=potential)
    with pytest.raises(isobar.FieldError, match="T has standard_name 'air_potential_temperature', and temperature_k"):
        isobar.xarray.run(ysu, named_so)
    # Beside the temperature it is in nobody's way.
    expected = isobar.xarray.run(ysu, boundary_layer).boundary_layer_height
    both = named_so.assign(ta=boundary_layer.temperature_k.assign_attrs(standard_name="air_temperature"))
    assert np.array_equal(isobar.xarray.run(ysu, both).boundary_layer_height, expected)
    vapour = boundary_layer.vapour_kg_per_kg
    humid = boundary_layer.drop_vars("vapour_kg_per_kg").assign(
        qv=(vapour / (1 + vapour)).assign_attrs(units="kg kg-1", standard_name="specific_humidity")
    )
    with pytest.raises(isobar.FieldError, match="qv has standard_name 'specific_humidity'"):
        isobar.xarray.run(ysu, humid)
    # Who says so gets it.
    taken = isobar.xarray.run(ysu, humid, names={"vapour_kg_per_kg": "qv"})
    as_vapour = humid.qv.drop_attrs().assign_attrs(units="1")
    given = isobar.xarray.run(ysu, boundary_layer.assign(vapour_kg_per_kg=as_vapour))
    assert np.array_equal(taken.boundary_layer_height, given.boundary_layer_height)


def test_a_ratio_of_masses_is_none_of_amounts(radiation, columns):
    ozone = (columns.o3 * 48 / 28.964).assign_attrs(units="1", standard_name="mass_fraction_of_ozone_in_air")
    with pytest.raises(isobar.FieldError, match="o3 has standard_name 'mass_fraction_of_ozone_in_air'"):
        isobar.xarray.run(radiation, columns.assign(o3=ozone))
    # What need not be there is left out, with a line.
    wind = columns.temperature.assign_attrs(units="m s-1", standard_name="wind_speed")
    with pytest.warns(UserWarning, match="not read: cf has standard_name 'wind_speed'"):
        found = isobar.xarray.run(radiation, columns.assign(cf=wind))
    assert np.array_equal(found.longwave_upward_flux, isobar.xarray.run(radiation, columns).longwave_upward_flux)


@pytest.mark.parametrize("name, dim, pressure", [
    ("o3", "play", "pressure"), ("level_temperature", "ilev", "level_pressure"),
])
def test_variables_in_two_orders(radiation, columns, name, dim, pressure):
    """A variable on a dimension of its own, whose coordinate says that it is upside down."""
    own = columns[name].dims[0] if columns[name].dims[0] != "column" else columns[name].dims[1]
    along = (dim, columns[pressure].isel(column=0).values, {"units": "Pa"})
    same = columns.assign({name: columns[name].rename({own: dim}).assign_coords({dim: along})})
    expected = isobar.xarray.run(radiation, columns).longwave_upward_flux
    assert np.array_equal(isobar.xarray.run(radiation, same).longwave_upward_flux, expected)
    with pytest.raises(isobar.FieldError, match=f"is the bottom, but the coordinate {dim} of .* is the top: turn"):
        isobar.xarray.run(radiation, same.isel({dim: slice(None, None, -1)}))
    with pytest.raises(isobar.FieldError, match="pressure_pa along layer says that index 0 is the top"):
        isobar.xarray.run(radiation, columns.isel(layer=slice(None, None, -1)))


@pytest.mark.parametrize("name, attributes", [
    ("height", {"units": "km"}), ("altitude", {"units": "m"}), ("z", {"units": "m"}),
    ("lev", {"units": "m", "axis": "Z"}),
])
def test_heights_need_no_positive(name, attributes):
    """Profiles from the ground up are those from the top down, turned."""
    model = isobar.ClearSky(cosine=[1.0], device="thread")
    planck = {"units": "W m-2 sr-1 um-1"}
    profiles = xarray.Dataset({
        "optical_depth": (("profile", name), [[0.1, 0.5, 2.0]]),
        "planck_radiance": (("profile", name), [[1.0, 2.0, 5.0]], planck),
        "surface_planck_radiance": ("profile", [7.0], planck), "emissivity": ("profile", [0.9]),
    })
    dimensions = {"layer": name}
    down = isobar.xarray.run(model, profiles, dimensions=dimensions, cosmic_background=0.0, top_first=True)
    up = profiles.isel({name: slice(None, None, -1)}).assign_coords({name: (name, [1.0, 5.0, 20.0], attributes)})
    found = isobar.xarray.run(model, up, dimensions=dimensions, cosmic_background=0.0)
    assert np.allclose(found.top_radiance, down.top_radiance, rtol=1e-14)
    depth = up.assign_coords({name: (name, [1.0, 5.0, 20.0], {**attributes, "long_name": "depth below the top"})})
    found = isobar.xarray.run(model, depth, dimensions=dimensions, cosmic_background=0.0)
    assert not np.allclose(found.top_radiance, down.top_radiance)


@pytest.mark.parametrize("resolution", ["s", "ms", "ns"])
@pytest.mark.parametrize("units", [None, "s", "min"])
def test_durations_are_seconds_whatever_their_units_say(chemistry, cells, data, resolution, units):
    step = xarray.DataArray(np.full(8, 10.0), dims="cell", attrs={"units": "s"})
    expected = isobar.xarray.run(chemistry, cells, first_step_s=step).counters
    duration = xarray.DataArray(np.full(8, 10, "timedelta64[s]").astype(f"timedelta64[{resolution}]"), dims="cell")
    if units:
        duration.attrs["units"] = units
    for found in (
        isobar.xarray.run(chemistry, cells, first_step_s=duration),
        isobar.xarray.run(chemistry, cells.assign(first_step_s=duration)),
        chemistry.run(**{**chemistry.read(data / "chemistry" / "cells.nc"), "first_step_s": duration}),
    ):
        assert np.array_equal(found["counters"], expected)


def test_arrays_of_other_things_than_numbers(radiation, columns):
    for other in (columns.o3 + 1j, columns.o3.astype(object), columns.o3.astype(str)):
        with pytest.raises(isobar.KindError, match="o3 has dtype .* and numbers are wanted for o3"):
            isobar.xarray.run(radiation, columns.assign(o3=other.assign_attrs(columns.o3.attrs)))


@pytest.mark.parametrize("units", ["W m-2 sr-1 um-1", "W m-2 sr-1 Hz-1", "W m-2 sr-1", "mW m-2 sr-1 cm", "W m-1 sr-1"])
def test_standard_names_are_those_of_the_unit(units):
    """CF's radiances per unit wavenumber are in W m-1 sr-1."""
    pint = pytest.importorskip("pint")
    known = pint.UnitRegistry()
    is_so = known.Unit(units.replace(" ", "*").replace("-1", "**-1").replace("-2", "**-2")).is_compatible_with("W/m/sr")
    profiles = xarray.Dataset({
        "optical_depth": (("profile", "layer"), [[0.1, 0.2]]),
        "planck_radiance": (("profile", "layer"), [[1.0, 2.0]], {"units": units}),
        "surface_planck_radiance": ("profile", [3.0], {"units": units}), "emissivity": ("profile", [0.9]),
    })
    found = isobar.xarray.run(isobar.ClearSky(cosine=[1.0], device="thread"), profiles, cosmic_background=0.0)
    assert found.top_radiance.attrs["units"] == units
    assert ("standard_name" in found.top_radiance.attrs) == is_so


def test_a_temperature_at_two_metres_is_none_of_levels(columns, data):
    """A short-wave model needs no temperature of levels, and takes none without levels for it."""
    model = isobar.Radiation([isobar._schemes.data_folder() / "ecckd-shortwave-32.nc"], device="thread")
    plain = columns.drop_vars("level_temperature")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = isobar.xarray.run(model, plain).shortwave_upward_flux
        near = plain.surface_temperature.assign_attrs(standard_name="air_temperature")
        found = isobar.xarray.run(model, plain.assign(tas=near))
    assert np.array_equal(found.shortwave_upward_flux, expected)
    assert "temperature_k" in isobar.xarray.find(model, plain.assign(tas=near))
    assert "level_temperature_k" not in isobar.xarray.find(model, plain.assign(tas=near))
