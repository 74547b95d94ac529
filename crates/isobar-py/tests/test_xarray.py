"""Datasets: names, units, dimensions, chunks."""

import os
import signal

import isobar
import numpy as np
import pytest

xarray = pytest.importorskip("xarray")
import isobar.xarray  # noqa: E402


@pytest.fixture
def model():
    return isobar.Radiation()


@pytest.fixture
def columns(data):
    netCDF4 = pytest.importorskip("netCDF4")
    assert netCDF4
    return xarray.open_dataset(data / "radiation" / "columns.nc").load()


@pytest.fixture
def expected(model, data):
    return model.run(**model.read(data / "radiation" / "columns.nc"))


def equal(out, expected):
    for field in isobar.fields("radiation").outputs:
        if field.name in expected:
            ours = out[field.file_name]
            rest = [dim for dim in ours.dims if dim not in ("layer", "level")]
            theirs = expected[field.name]
            assert np.array_equal(ours.transpose(*rest, ...).values.reshape(theirs.shape), theirs)


def test_the_bits_of_the_command(model, columns, expected):
    out = isobar.xarray.run(model, columns)
    equal(out, expected)
    assert out.longwave_upward_flux.dims == ("column", "level")
    assert out.longwave_upward_flux.attrs["units"] == "W m-2"
    assert out.longwave_upward_flux.attrs["standard_name"] == "upwelling_longwave_flux_in_air"
    assert out.attrs["source"].startswith("isobar ") and "isobar.xarray.run(Radiation)" in out.attrs["history"]


def test_names_and_units(model, columns, expected):
    # Other names, found by standard name or alias; and other units.
    other = columns.rename({"temperature": "ta", "level_pressure": "phalf", "h2o": "water_vapour"})
    other["ta"].attrs["standard_name"] = "air_temperature"
    other["phalf"] = (other["phalf"] / 100).assign_attrs(units="hPa", standard_name="air_pressure")
    del other["pressure"].attrs["standard_name"]
    out = isobar.xarray.run(model, other)
    assert np.allclose(out.longwave_upward_flux, expected.longwave_up_w_per_m2, rtol=1e-12)
    celsius = columns.copy()
    celsius["temperature"] = (columns["temperature"] - 273.15).assign_attrs(units="degC")
    flux = isobar.xarray.run(model, celsius).longwave_upward_flux
    assert np.allclose(flux, expected.longwave_up_w_per_m2, rtol=1e-12)
    wrong = columns.copy()
    wrong["temperature"] = columns["temperature"].assign_attrs(units="m")
    with pytest.raises(isobar.FieldError, match="temperature: its unit is 'm', which is none of 'K'"):
        isobar.xarray.run(model, wrong)
    del wrong["temperature"].attrs["units"]
    with pytest.raises(isobar.FieldError, match="temperature has no units"):
        isobar.xarray.run(model, wrong)


def test_dimensions_and_orientation(model, columns, expected):
    renamed = columns.rename({"layer": "plev", "level": "edge"})
    with pytest.raises(isobar.FieldError, match="a level is wanted"):
        isobar.xarray.run(model, renamed)
    out = isobar.xarray.run(model, renamed, dimensions={"layer": "plev", "level": "edge"})
    assert out.longwave_upward_flux.dims == ("column", "edge")
    equal(out.rename({"plev": "layer", "edge": "level"}), expected)
    # From the top down: the pressure says so.
    turned = columns.isel(layer=slice(None, None, -1), level=slice(None, None, -1))
    out = isobar.xarray.run(model, turned)
    equal(out.isel(layer=slice(None, None, -1), level=slice(None, None, -1)), expected)
    # Columns on a grid, in any order of dimensions.
    grid = columns.assign_coords(column=np.arange(8)).coarsen(column=4).construct(column=("y", "x"))
    out = isobar.xarray.run(model, grid.transpose("x", "layer", "level", "y", ...))
    assert set(out.longwave_upward_flux.dims) == {"y", "x", "level"}
    equal(out.transpose("y", "x", ...), expected)


def test_chunks_stay(model, columns, expected):
    pytest.importorskip("dask")
    chunked = columns.chunk(column=3)
    out = isobar.xarray.run(model, chunked)
    assert out.longwave_upward_flux.chunks[0] == (3, 3, 2)
    equal(out.compute(), expected)


def test_other_results_and_fields(model, columns):
    out = isobar.xarray.run(model, columns, co2=840e-6, results=["longwave_up_w_per_m2"], derivative=True)
    assert list(out) == ["longwave_upward_flux"]
    plain = isobar.xarray.run(model, columns)
    assert (out.longwave_upward_flux < plain.longwave_upward_flux).isel(level=-1).all()
    with pytest.raises(isobar.FieldError, match="there is no result 'flux'"):
        isobar.xarray.run(model, columns, results=["flux"])


def test_a_gas_that_is_not_found_is_an_error(model, columns):
    """As for the command: a gas under a name that is not known would be computed as none."""
    renamed = columns.rename(co2="my_co2")
    with pytest.raises(isobar.FieldError, match=r"gases are missing: co2; .* names= as \{'co2': 'my_co2'\}"):
        isobar.xarray.run(model, renamed)
    named = isobar.xarray.run(model, renamed, names={"co2": "my_co2"})
    plain = isobar.xarray.run(model, columns)
    assert np.array_equal(named.longwave_upward_flux, plain.longwave_upward_flux)
    zero = isobar.xarray.run(model, renamed, assume_zero=True)
    assert zero.attrs["assumed_zero"] == "co2"
    assert np.array_equal(zero.longwave_upward_flux, isobar.xarray.run(model, renamed, co2=0.0).longwave_upward_flux)


def test_unknown_keys_are_errors(model, columns):
    with pytest.raises(isobar.UnknownNameError, match="no field 'temprature_k': did you mean 'temperature_k'"):
        isobar.xarray.run(model, columns, names={"temprature_k": "temperature"})
    with pytest.raises(isobar.UnknownNameError, match="no dimension 'layers': did you mean 'layer'"):
        isobar.xarray.run(model, columns, dimensions={"layers": "layer"})


def test_single_precision_stays(model, columns):
    single = columns.astype("f4", keep_attrs=True)
    plain = isobar.xarray.run(model, single)
    attributes = {**single["pressure"].attrs, "units": "hPa"}
    found = isobar.xarray.run(model, single.assign(pressure=(single["pressure"] / 100).assign_attrs(attributes)))
    assert {found[name].dtype for name in found} == {plain[name].dtype for name in plain}
    assert np.allclose(found.longwave_upward_flux, plain.longwave_upward_flux, rtol=1e-5)


def test_no_columns(model, columns):
    out = isobar.xarray.run(model, columns.isel(column=slice(0)))
    assert out.longwave_upward_flux.shape == (0, columns.sizes["level"])


def test_a_cluster_of_processes_one_of_which_dies(model, columns, expected):
    """Arrays that come from other processes need not be aligned; work of a worker that dies is done again."""
    distributed = pytest.importorskip("distributed")
    wide = xarray.concat([columns] * 20, "column", data_vars="minimal", coords="minimal", compat="override")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        pids = client.run(os.getpid).values()
        lazy = isobar.xarray.run(isobar.Radiation(device="thread"), wide.chunk(column=16))
        future = client.compute(lazy.longwave_upward_flux)
        # The other one goes on, and a new one takes its place.
        os.kill(next(iter(pids)), signal.SIGKILL)
        found = future.result(timeout=60).values
    assert np.array_equal(found, np.tile(expected.longwave_up_w_per_m2, (20, 1)))
