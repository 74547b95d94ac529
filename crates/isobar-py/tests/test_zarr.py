"""Zarr stores that the command writes are xarray's, and xarray's are the command's."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

xarray = pytest.importorskip("xarray")
zarr = pytest.importorskip("zarr")

DATA = pathlib.Path(__file__).parents[3] / "data/radiation"
PROGRAM = os.environ.get("ISOBAR_PROGRAM")

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="ISOBAR_PROGRAM does not name the command"),
    # Of zarr-python, on what it writes itself.
    pytest.mark.filterwarnings("ignore:Consolidated metadata is currently not part"),
]


def radiation(source, out, *more):
    kdist = [word for of in ("longwave", "shortwave") for word in ("--kdist", DATA / f"ecckd-{of}-32.nc")]
    command = [PROGRAM, "radiation", source, "-o", out, *kdist, "--device", "cpu", "--threads", "1", "--quiet"]
    subprocess.run([*command, *more], check=True)


@pytest.mark.parametrize("version", [2, 3])
def test_a_store_of_xarray_has_the_fluxes_of_its_file(tmp_path, version):
    columns = xarray.open_dataset(DATA / "columns.nc", decode_times=False)
    # A column without temperatures is masked.
    columns["temperature"] = columns["temperature"].where(columns["column"] != 2)
    columns.to_netcdf(tmp_path / "columns.nc")
    columns.to_zarr(tmp_path / "columns.zarr", zarr_format=version)
    radiation(tmp_path / "columns.nc", tmp_path / "expected.nc")
    radiation(tmp_path / "columns.zarr", tmp_path / "out.zarr", "--at-once", "3")
    expected = xarray.open_dataset(tmp_path / "expected.nc")
    # Without a warning, too: metadata are consolidated.
    found = xarray.open_zarr(tmp_path / "out.zarr")
    assert set(found.variables) == set(expected.variables)
    for name in expected.variables:
        xarray.testing.assert_identical(found[name], expected[name])
    assert bool(np.isnan(found["longwave_upward_flux"].isel(column=2)).all())
    for name in set(expected.attrs) - {"history", "inputs"}:
        assert found.attrs[name] == expected.attrs[name]


@pytest.mark.parametrize("version", [2, 3])
def test_times_of_numpy_are_times(tmp_path, version):
    columns = xarray.open_dataset(DATA / "columns.nc", decode_times=False)
    hours = {"units": "hours since 1960-06-21 10:00", "standard_name": "time"}
    columns = columns.expand_dims(time=2).assign_coords(time=("time", [0, 365 * 24 * 50], hours))
    columns.to_netcdf(tmp_path / "columns.nc")
    store = tmp_path / "columns.zarr"
    columns.drop_vars("time").to_zarr(store, zarr_format=version, consolidated=False)
    names = {"dimension_names": ["time"]} if version == 3 else {}
    attributes = {"standard_name": "time"} | ({} if names else {"_ARRAY_DIMENSIONS": ["time"]})
    time = zarr.open_group(store, mode="a").create_array(
        "time", shape=(2,), dtype="M8[ns]", chunks=(2,), attributes=attributes, **names
    )
    time[...] = xarray.decode_cf(columns).time.values
    for name in ("columns.nc", "columns.zarr"):
        radiation(tmp_path / name, tmp_path / f"{name}.out.nc")
    expected, found = [xarray.open_dataset(tmp_path / f"columns.{of}.out.nc") for of in ("nc", "zarr")]
    assert (expected.time.values == found.time.values).all()
    # Trace gases are those of the years.
    assert "1960 to 2010" in expected.attrs["derived"] and found.attrs["derived"] == expected.attrs["derived"]
    xarray.testing.assert_equal(found["longwave_upward_flux"], expected["longwave_upward_flux"])
