"""The command line that comes with the package: `python -m isobar`."""

import os
import subprocess
import sys

import isobar
import numpy as np
import pytest


@pytest.fixture
def command(tmp_path):
    """Runs it in an empty folder, where no data of other programs are found."""
    hidden = ("ISOBAR_DATA", "XDG_DATA_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}

    def run(*words):
        line = [sys.executable, "-m", "isobar", *words]
        return subprocess.run(line, capture_output=True, cwd=tmp_path, env={**environment, "HOME": str(tmp_path)})

    return run


def test_version_and_usage(command):
    assert command("--version").stdout.decode() == f"isobar {isobar.__version__}\n"
    wrong = command("radition")
    assert wrong.returncode == 2 and b"radiation" in wrong.stderr
    missing = command("radiation", "no.nc", "-o", "out.nc")
    assert missing.returncode == 1 and b"no.nc" in missing.stderr


def test_fluxes_of_the_package(command, data, tmp_path):
    """With the k-distributions of the package, as `Radiation` takes them; names may be any bytes."""
    netCDF4 = pytest.importorskip("netCDF4")
    columns = data / "radiation" / "columns.nc"
    done = command("radiation", str(columns), "-o", b"out\xff.nc", "--device", "cpu", "--quiet")
    assert done.returncode == 0, done.stderr
    os.rename(os.fsencode(tmp_path) + b"/out\xff.nc", tmp_path / "out.nc")
    model = isobar.Radiation()
    expected = model.run(**model.read(columns))
    with netCDF4.Dataset(tmp_path / "out.nc") as file:
        file.set_auto_mask(False)
        assert file.history.startswith("isobar radiation ")
        found = file["longwave_upward_flux"]
        turned = found[...] if found.dimensions[0] == "column" else found[...].T
        assert np.array_equal(turned, expected.longwave_up_w_per_m2)
