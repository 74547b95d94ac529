"""Columns without values, as the sea of a file of land: they are left out, and masked in the results."""

import shutil

import isobar
import numpy as np
import pytest

netCDF4 = pytest.importorskip("netCDF4")

MASKED = [1, 4]


@pytest.fixture
def model():
    return isobar.Radiation()


@pytest.fixture
def fields(model, data):
    return model.read(data / "radiation" / "columns.nc")


def without_values(fields, masked=MASKED, name="temperature_k"):
    """Fields with NaN in some columns but for the ground, of which one is masked."""
    fields = {name: np.array(value) for name, value in fields.items()}
    for field in fields.values():
        if field.ndim > 1:
            field[masked] = np.nan
    fields[name] = np.ma.masked_invalid(fields[name])
    return fields


def are_the_others(out, expected, masked=MASKED):
    others = np.setdiff1d(np.arange(8), masked)
    for name, array in out.items():
        if name == "status":
            assert array[masked].tolist() == [4] * len(masked) and (array[others] == 0).all()
            continue
        assert np.ma.getmaskarray(array)[masked].all() and not np.ma.getmaskarray(array)[others].any(), name
        assert np.isnan(array.data[masked]).all(), name
        assert np.array_equal(array.data[others], expected[name][others]), name
    assert len(out) > 5


def test_masked_columns_are_left_out(model, fields):
    expected = model.run(**fields)
    are_the_others(model.run(**without_values(fields)), expected)
    # The first of all, and all but one.
    for masked in ([0], [0, 1, 2], [7], [0, 1, 2, 3, 4, 6, 7]):
        are_the_others(model.run(**without_values(fields, masked)), expected, masked)
    # A mask of single layers says nothing of a column.
    partly = dict(fields)
    partly["temperature_k"] = np.ma.MaskedArray(fields["temperature_k"], mask=False)
    partly["temperature_k"][3, 5] = np.ma.masked
    with pytest.raises(isobar.FieldError, match="temperature_k at column 3, layer 5 is NaN"):
        model.run(**partly)


def test_masked_columns_in_any_layout(model, fields):
    expected = model.run(**fields)
    masked = without_values(fields)
    last = {name: value.transpose(*range(1, value.ndim), 0) if value.ndim else value for name, value in masked.items()}
    out = model.run(**last, items_axis="last")
    are_the_others({name: np.moveaxis(array, -1, 0) for name, array in out.items()}, expected)
    grid = {name: value.reshape(2, 4, *value.shape[1:]) if value.ndim else value for name, value in masked.items()}
    out = model.run(**grid)
    assert out.longwave_up_w_per_m2.shape[:2] == (2, 4)
    are_the_others({name: array.reshape(8, *array.shape[2:]) for name, array in out.items()}, expected)
    # Arrays that are given are filled, those of a call before too.
    given = {"longwave_up_w_per_m2": np.zeros_like(expected.longwave_up_w_per_m2)}
    out = model.run(**masked, out=given)
    assert np.array_equal(given["longwave_up_w_per_m2"], out.longwave_up_w_per_m2.data, equal_nan=True)
    again = model.run(**masked, out=dict(out))
    are_the_others(again, expected)


def test_no_column_has_values(model, fields):
    out = model.run(**without_values(fields, list(range(8))))
    assert (out.status == 4).all() and np.ma.getmaskarray(out.longwave_up_w_per_m2).all()
    assert out.longwave_up_w_per_m2.shape == (8, fields["level_pressure_pa"].shape[1])
    one = {name: value[0] if value.ndim else value for name, value in without_values(fields, [0]).items()}
    out = model.run(**one)
    assert out.status == 4 and np.ma.getmaskarray(out.longwave_up_w_per_m2).all()


def test_one_masked_temperature_for_all_columns(model, fields):
    """Columns are those of all fields, not of the temperature alone."""
    layers = fields["temperature_k"].shape[1]
    for shape in [(layers,), (1, layers)]:
        out = model.run(**{**fields, "temperature_k": np.ma.masked_all(shape)})
        assert out.status.tolist() == [4] * 8
        assert out.longwave_up_w_per_m2.shape == (8, layers + 1) and out.longwave_up_w_per_m2.mask.all()
    grid = {name: value.reshape(2, 4, *value.shape[1:]) if value.ndim else value for name, value in fields.items()}
    temperature = np.ma.MaskedArray(grid["temperature_k"][:1], mask=False)
    temperature[0, 1] = np.ma.masked
    out = model.run(**{**grid, "temperature_k": temperature})
    assert out.status.tolist() == [[0, 4, 0, 0]] * 2 and out.longwave_up_w_per_m2.shape[:2] == (2, 4)
    of_all = np.broadcast_to(temperature.data, grid["temperature_k"].shape).copy()
    whole = model.run(**{**grid, "temperature_k": of_all})
    assert np.array_equal(out.longwave_up_w_per_m2.data[:, 2:], whole.longwave_up_w_per_m2[:, 2:])


def test_errors_are_those_of_other_columns(model, fields):
    masked = without_values(fields, [0, 1])
    # Its values stand for those of the first two.
    masked["level_pressure_pa"][2, 3] = -5.0
    with pytest.raises(isobar.FieldError, match="level_pressure_pa at column 2, level 3 is -5") as caught:
        model.run(**masked)
    assert caught.value.item == 2
    flagging = isobar.Radiation(bad_items="flag")
    out = flagging.run(**masked)
    assert [error.item for error in out.errors] == [2] and out.status[:4].tolist()[:2] == [4, 4] and out.status[2] != 0


def test_files_with_masked_columns_are_read(model, fields, data, tmp_path):
    path = tmp_path / "masked.nc"
    shutil.copy(data / "radiation" / "columns.nc", path)
    with netCDF4.Dataset(path, "a") as file:
        temperature = file["temperature"]
        place = [slice(None)] * temperature.ndim
        place[temperature.dimensions.index("column")] = MASKED
        temperature[tuple(place)] = np.ma.masked
    read = model.read(path)
    assert np.ma.getmaskarray(read["temperature_k"])[MASKED].all()
    are_the_others(model.run(**read), model.run(**fields))
    turned = isobar.Radiation(items_axis="last", top_first=True)
    out = turned.run(**turned.read(path))
    flux = np.moveaxis(out.longwave_up_w_per_m2, -1, 0)[:, ::-1]
    are_the_others({**{str(i): flux for i in range(6)}, "status": out.status},
                   {str(i): model.run(**fields).longwave_up_w_per_m2 for i in range(6)})


def test_boundary_layers_too(data, tmp_path):
    path = tmp_path / "masked.nc"
    shutil.copy(data / "pbl" / "columns.nc", path)
    with netCDF4.Dataset(path, "a") as file:
        temperature = next(file[name] for name in ("t", "temperature") if name in file.variables)
        place = [slice(None)] * temperature.ndim
        place[temperature.dimensions.index("column")] = 2
        temperature[tuple(place)] = np.ma.masked
    model = isobar.YSU(time_step_s=60)
    out, whole = model.run(**model.read(path)), model.run(**model.read(data / "pbl" / "columns.nc"))
    others = [0, 1, 3]
    assert out.status.tolist() == [0, 0, 4, 0] and out.height_m.mask.tolist() == [False, False, True, False]
    assert np.array_equal(out.theta_tendency_k_per_s.data[others], whole.theta_tendency_k_per_s[others])


def test_datasets(model, data):
    xarray = pytest.importorskip("xarray")
    import isobar.xarray

    columns = xarray.open_dataset(data / "radiation" / "columns.nc").load()
    whole = isobar.xarray.run(model, columns)
    masked = columns.copy()
    there = xarray.DataArray(~np.isin(np.arange(8), MASKED), dims="column")
    masked["temperature"] = columns["temperature"].where(there)
    masked["temperature"].attrs = columns["temperature"].attrs
    others = np.setdiff1d(np.arange(8), MASKED)
    found = [isobar.xarray.run(model, masked)]
    if pytest.importorskip("dask"):
        # One of these chunks has no other columns.
        found.append(isobar.xarray.run(model, masked.chunk(column=1)).compute())
    for out in found:
        assert out.status.values.tolist() == [4 if i in MASKED else 0 for i in range(8)]
        for name in ("longwave_upward_flux", "shortwave_heating_rate"):
            ours, theirs = (dataset[name].transpose("column", ...).values for dataset in (out, whole))
            assert np.isnan(ours[MASKED]).all() and np.array_equal(ours[others], theirs[others])


def test_datasets_from_the_top_down(model, data):
    """The first column that has a pressure says how layers are ordered."""
    xarray = pytest.importorskip("xarray")
    import isobar.xarray

    columns = xarray.open_dataset(data / "radiation" / "columns.nc").load()
    whole = isobar.xarray.run(model, columns)
    turned = {"layer": slice(None, None, -1), "level": slice(None, None, -1)}
    masked = columns.copy(deep=True)
    for variable in masked.data_vars.values():
        if "column" in variable.dims:
            variable[{"column": [0, 1]}] = np.nan
    # But the ground's, which need no mask.
    for name in ("surface_temperature", "surface_emissivity", "mu0"):
        if name in masked:
            masked[name] = columns[name]
    found = isobar.xarray.run(model, masked.isel(turned)).isel(turned)
    assert found.status.values.tolist() == [4, 4] + [0] * 6
    for name in ("longwave_upward_flux", "shortwave_heating_rate"):
        ours, theirs = (dataset[name].transpose("column", ...).values for dataset in (found, whole))
        assert np.array_equal(ours[2:], theirs[2:])
    with pytest.raises(isobar.FieldError, match="names no result"):
        isobar.xarray.run(model, columns, results=[])


def test_a_cluster_of_two_processes(model, data):
    """All results are those of this process, masked columns too, wherever chunks are computed."""
    xarray = pytest.importorskip("xarray")
    distributed = pytest.importorskip("distributed")
    import isobar.xarray

    columns = xarray.open_dataset(data / "radiation" / "columns.nc").load()
    there = xarray.DataArray(~np.isin(np.arange(8), MASKED), dims="column")
    attributes = columns["temperature"].attrs
    columns["temperature"] = columns["temperature"].where(there).assign_attrs(attributes)
    wide = xarray.concat([columns] * 6, "column", data_vars="minimal", coords="minimal", compat="override")
    whole = isobar.xarray.run(model, wide)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        lazy = isobar.xarray.run(isobar.Radiation(device="thread"), wide.chunk(column=5))
        found = client.compute(lazy).result(timeout=60)
        workers = {worker for worker in client.run(lambda: None)}
    assert len(workers) == 2 and set(found) == set(whole) and len(found) > 6
    for name in whole:
        ours, theirs = (dataset[name].transpose("column", ...).values for dataset in (found, whole))
        assert np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f"), name
    assert (found.status == 4).sum() == 6 * len(MASKED)
