"""What tests share."""

import os
import subprocess
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def command(tmp_path):
    """Runs the command `isobar` and gives its output file's variables."""
    program = os.environ.get("ISOBAR_PROGRAM")
    if not program:
        pytest.skip("ISOBAR_PROGRAM does not name the command")
    netCDF4 = pytest.importorskip("netCDF4")

    def run(*arguments):
        out = tmp_path / "out.nc"
        line = [program, *map(str, arguments), "-o", str(out), "--device", "cpu"]
        subprocess.run(line, check=True, capture_output=True, cwd=DATA, env={**os.environ, "ISOBAR_DATA": str(DATA)})
        with netCDF4.Dataset(out) as file:
            file.set_auto_mask(False)
            return {name: variable[...] for name, variable in file.variables.items()}

    return run
