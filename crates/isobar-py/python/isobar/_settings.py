"""How models are made and called: settings, files and layouts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy

from ._errors import KindError, SetupError

# How a model is made, besides its files; all other keywords are options of calls.
SETTINGS = ("device", "precision", "threads", "bad_items", "items_axis", "top_first")


def check_settings(given: Mapping[str, Any]) -> None:
    """Refuses settings of a kind that the compiled module cannot take at all."""
    for name, kind, wanted in (
        ("device", str, "a device's name"), ("precision", str, "'f32' or 'f64'"), ("bad_items", str, "a text"),
        ("items_axis", str, "'first' or 'last'"), ("top_first", bool, "True or False"),
    ):
        value = given.get(name)
        if not (isinstance(value, kind) or value is None and name in ("precision", "items_axis", "top_first")):
            if name in given:
                raise KindError(f"{name} is {value!r}, and {wanted} is wanted")
    threads = given.get("threads", 0)
    if not isinstance(threads, (int, numpy.integer)) or isinstance(threads, bool) or not 0 <= threads < 2**31:
        raise SetupError(f"threads is {threads!r}, and a whole number is wanted, 0 for as many as there are cores")


def check_call(given: dict[str, Any]) -> None:
    """Refuses what is no way to lay out a call; results may go to any mapping of arrays."""
    if given.get("items_axis") is not None or given.get("top_first") is not None:
        check_settings({name: given.get(name) for name in ("items_axis", "top_first")})
    out = given.get("out")
    if out is not None and not isinstance(out, dict):
        if not isinstance(out, Mapping):
            raise KindError(f"out is {type(out).__name__}, and a dictionary of arrays by result is wanted")
        given["out"] = dict(out)


def file_of(name: str, path: Any) -> str:
    """The path of a file as it was given."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise KindError(f"{name} is {type(path).__name__}, and a path is wanted") from None


def path_of(name: str, path: Any) -> str:
    """The absolute path of a file or folder, so that a model finds it from everywhere."""
    return os.path.abspath(file_of(name, path))


def settings_of(settings: Mapping[str, Any] | None) -> dict[str, Any]:
    """Settings of a control file, their paths absolute."""
    def value_of(key: str, value: Any) -> Any:
        is_path = key in ("TBLBASE", "FOV") or key.startswith("SHARED_IO_")
        is_text = isinstance(value, (str, bytes, os.PathLike))
        return path_of(key, value) if is_text and value != "-" and (is_path or not isinstance(value, str)) else value

    return {key: value_of(key, value) for key, value in (settings or {}).items()}


def paths_of(name: str, paths: Any) -> list[str]:
    if isinstance(paths, (str, bytes, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Iterable):
        raise KindError(f"{name} is {type(paths).__name__}, and a path or several are wanted")
    # The k-distribution that is made up for tests has no file.
    return [path if path == "analytic" else path_of(name, path) for path in paths]
