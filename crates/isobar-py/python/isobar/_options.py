"""Options as plain numbers, texts, lists and dictionaries: no units, no masks, and nothing that changes afterwards."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Mapping
from typing import Any

from . import _inputs
from ._errors import FieldError, IsobarError, KindError, SetupError

# Words at the end of a name, as in `gravity_m_per_s2`, that are its unit.
UNITS = {
    "s": "s", "s2": "s2", "m": "m", "km": "km", "hpa": "hPa", "pa": "Pa", "k": "K", "kg": "kg", "j": "J",
    "deg": "degree",
}


def unit_of(name: str) -> str:
    """The unit of an option by the end of its name; what names none has no dimension."""
    words = name.split("_")
    unit: list[str] = []
    while len(words) > 1 and (words[-1] in UNITS or words[-1] == "per"):
        unit.insert(0, words.pop())
    if "per" not in unit:
        return " ".join(UNITS[word] for word in unit) or "1"
    below = unit.index("per")
    inverse = (f"{word}-{power}" if power else f"{word}-1" for word, power in map(_power, unit[below + 1:]))
    return " ".join([*(UNITS[word] for word in unit[:below]), *inverse])


def _power(word: str) -> tuple[str, str]:
    return UNITS[word].rstrip("2"), "2" if word.endswith("2") else ""


def plain(name: str, value: Any, unit: str | None = None) -> Any:
    """An option in the unit of its name, of lists, dictionaries and Python's numbers."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise _wrong(SetupError, name, f"is {value}, and whole numbers have 64 bits")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _wrong(SetupError, name, f"is {value}, which is not a finite number")
        return float(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {_key(name, key): _part(name, key, part) for key, part in value.items()}
    unit = unit or unit_of(name)
    if isinstance(value, (list, tuple)):
        return [plain(f"{name}[{index}]", part, unit) for index, part in enumerate(value)]
    bare = _inputs.plain(name, unit, value)
    if hasattr(bare, "tolist"):
        bare = bare.tolist()
    if isinstance(bare, (bool, int, float, str, list)):
        return plain(name, bare, unit)
    raise _wrong(KindError, name, f"is {type(value).__name__}, which is no option")


def options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options by name."""
    return {name: plain(name, value) for name, value in given.items()}


def _key(name: str, key: Any) -> str:
    if not isinstance(key, str):
        raise _wrong(KindError, name, f"has the key {key!r}, and names are wanted")
    return key


def _part(name: str, key: str, value: Any) -> Any:
    """A part of a dictionary: gases by their names, all else with its unit in its own."""
    return plain(key, value, "mol mol-1" if name in ("mixing_ratio", "gases") else None)


def _wrong(cls: type[FieldError] | type[SetupError], name: str, problem: str) -> IsobarError:
    error = cls(f"{name} {problem}")
    if isinstance(error, FieldError):
        error.variable = name
    return error


def held(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a model is made of, apart from the caller's: arrays and dictionaries that change are no longer its own."""
    def one(name: str, value: Any) -> Any:
        try:
            return plain(name, value)
        except IsobarError:
            # Settings may be anything that is a text.
            return copy.deepcopy(value)

    return {name: one(name, value) for name, value in given.items()}
