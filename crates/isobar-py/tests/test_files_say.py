"""What `read` says of a file is what the command says of it."""

import os
import subprocess
import warnings

import numpy as np
import pytest

import isobar

xarray = pytest.importorskip("xarray")
pytest.importorskip("netCDF4")


@pytest.fixture
def told(data, tmp_path):
    """The command's notes and warnings of a file, without what goes before."""
    program = os.environ.get("ISOBAR_PROGRAM")
    if not program:
        pytest.skip("ISOBAR_PROGRAM does not name the command")

    def run(path, *arguments):
        line = [program, *map(str, arguments), "-o", str(tmp_path / "out.nc"), "--device", "cpu"]
        environment = {**os.environ, "ISOBAR_DATA": str(data)}
        done = subprocess.run(line, check=True, capture_output=True, text=True, env=environment)
        lines = [line.split(f"{path}: ", 1)[1] for line in done.stderr.splitlines() if f": {path}: " in line]
        return lines, done.stderr

    return run


def said(model, path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fields = model.read(path)
    return fields, [str(warning.message) for warning in caught]


def test_radiation_and_profiles(told, data, tmp_path):
    columns = xarray.open_dataset(data / "radiation" / "columns.nc").load()
    shape = columns.temperature.dims, np.full(columns.temperature.shape, 0.5), {"units": "1"}
    path = tmp_path / "clouds.nc"
    columns.drop_vars("surface_albedo_diffuse").assign(cloudy_part=shape).to_netcdf(path)
    _, lines = said(isobar.Radiation(device="thread"), path)
    expected, _ = told(path, "radiation", path)
    assert sorted(lines) == sorted(expected) and any("surface_albedo_diffuse = " in line for line in lines)
    assert any(line.startswith("not read: cloudy_part") for line in lines)
    path = data / "adding" / "profiles.nc"
    _, lines = said(isobar.ClearSky(device="thread"), path)
    assert lines == told(path, "adding", path)[0]


def test_boundary_layers(told, data):
    path = data / "pbl" / "columns.nc"
    _, lines = said(isobar.YSU(time_step_s=60, device="thread"), path)
    expected, _ = told(path, "pbl", path, "--dt", "60")
    # What computes a surface layer has another name in Python.
    start = "without a surface layer this is made up"
    up_to = {line.split("; with the")[0].split("; SurfaceLayer")[0] for line in lines + expected if start in line}
    assert len(up_to) == 1
    assert sorted(line for line in lines if start not in line) == sorted(line for line in expected if start not in line)
    assert any(line.startswith("derived: ") for line in lines) and any(line.startswith("not read: ") for line in lines)


def test_a_species_of_another_name(told, data, tmp_path):
    """Ozone that is called otherwise is not read, and starts from the mechanism's value."""
    mechanism = data / "mechanisms" / "chapman_nox.kpp"
    path = tmp_path / "cells.nc"
    xarray.open_dataset(data / "chemistry" / "cells.nc").load().rename(O3="ozone").to_netcdf(path)
    _, lines = said(isobar.Chemistry(mechanism, end_s=3600, device="thread"), path)
    expected, whole = told(path, "chem", "--mechanism", mechanism, "--cells", path, "--hours", "1", "--dt", "3600")
    assert [line for line in lines if line.startswith("nothing needs ")] == expected
    assert expected[0].endswith(", ozone")
    (derived,) = [line.removeprefix("derived: ") for line in lines if line.startswith("derived: ")]
    assert all(sentence in whole for sentence in derived.split("; ")) and "7 of 10 species start" in derived


def test_scattering_that_is_left_out(data, tmp_path):
    profiles = xarray.open_dataset(data / "adding" / "profiles.nc").load()
    part = profiles.optical_depth * 0
    path = tmp_path / "scattering.nc"
    profiles.assign(
        single_scattering_albedo=(part + 0.5).assign_attrs(units="1"), asymmetry=(part + 0.7).assign_attrs(units="1"),
    ).to_netcdf(path)
    model = isobar.ClearSky(device="thread")
    plain, before = said(model, data / "adding" / "profiles.nc")
    fields, lines = said(model, path)
    assert np.array_equal(fields["optical_depth"], plain["optical_depth"])
    new = [line for line in lines if line not in before]
    assert any(line.startswith("its layers scatter, which is left out") for line in new)
