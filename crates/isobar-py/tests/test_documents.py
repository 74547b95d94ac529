"""The first program of each document runs as it stands, in the folder of the clone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("document", ["README.md", "docs/python.md", "crates/isobar-py/README.md"])
def test_first_program(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    program = re.search(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL).group(1)
    names = {}
    exec(compile(program, document, "exec"), names)
    results = names.get("out", names.get("fluxes"))
    assert (results.status == 0).all()
