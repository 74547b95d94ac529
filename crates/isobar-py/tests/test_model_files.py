"""Files of models, read as they are: ERA5's levels in one, its surface in another."""

import numpy as np
import pytest

import isobar

netCDF4 = pytest.importorskip("netCDF4")

ISOBARS = np.array([1000.0, 850, 700, 500, 300, 200, 100, 50, 10, 1])
TIMES, LATITUDES, LONGITUDES = 1, 2, 3


def start(path):
    file = netCDF4.Dataset(path, "w")
    places = {"valid_time": [12.0], "latitude": [10.0, -40.0], "longitude": [0.0, 90.0, 200.0]}
    units = ["hours since 2021-03-20", "degrees_north", "degrees_east"]
    for (name, values), unit in zip(places.items(), units):
        file.createDimension(name, len(values))
        variable = file.createVariable(name, "f8", (name,))
        variable.units = unit
        variable[:] = values
    return file


def put(file, name, dimensions, units, values):
    variable = file.createVariable(name, "f8", dimensions)
    variable.units = units
    variable[:] = values


@pytest.fixture
def era5(tmp_path):
    levels, surface = tmp_path / "levels.nc", tmp_path / "surface.nc"
    with start(levels) as file:
        file.createDimension("pressure_level", len(ISOBARS))
        put(file, "pressure_level", ("pressure_level",), "hPa", ISOBARS)
        on_levels = ("valid_time", "pressure_level", "latitude", "longitude")
        rows = np.ones((TIMES, len(ISOBARS), LATITUDES, LONGITUDES))
        column = ISOBARS[None, :, None, None] * rows
        put(file, "t", on_levels, "K", 215 + 0.07 * column)
        put(file, "q", on_levels, "kg kg**-1", 1e-5 * column)
        put(file, "o3", on_levels, "mol mol**-1", 1e-6 * rows)
    with start(surface) as file:
        place = ("valid_time", "latitude", "longitude")
        ones = np.ones((TIMES, LATITUDES, LONGITUDES))
        put(file, "sp", place, "Pa", 101000 * ones)
        put(file, "skt", place, "K", 288 * ones)
        put(file, "fal", place, "(0 - 1)", 0.2 * ones)
    return levels, surface


def test_two_files_of_era5_are_columns(era5):
    model = isobar.Radiation(items_axis="last")
    columns = model.read(*era5)
    layers, count = len(ISOBARS), LATITUDES * LONGITUDES
    assert columns["pressure_pa"].shape == (layers, count)
    assert (columns["level_pressure_pa"][0] == 101000).all() and (columns["pressure_pa"][0] == 100 * ISOBARS[0]).all()
    # At noon of the equinox 10 degrees from the zenith at the first place, and below the horizon of the last.
    assert columns["cosine_zenith"][0] == pytest.approx(np.cos(np.radians(10.2)), abs=0.003)
    assert columns["cosine_zenith"][5] < 0
    out = model.run(**columns)
    assert np.isfinite(out.longwave_up_w_per_m2).all() and (out.status == 0).all()
    with pytest.raises(isobar.IsobarError, match="surface_temperature"):
        model.read(era5[0])


def test_other_schemes_read_one_file(era5):
    with pytest.raises(isobar.IsobarError, match="one file at a time"):
        isobar.ClearSky().read(*era5, clouds=False)
