"""Types of what is public, as `mypy --strict` sees them."""

from pathlib import Path

import pytest


def test_types():
    api = pytest.importorskip("mypy.api")
    pytest.importorskip("jax")
    pytest.importorskip("xarray")
    said, wrong, code = api.run(["--strict", str(Path(__file__).with_name("typed.py"))])
    assert code == 0, said + wrong
