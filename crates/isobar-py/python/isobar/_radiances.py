"""The unit that the radiances of a call have together: fields in any unit say theirs among their attributes, or not."""

from collections.abc import Mapping
from typing import Any

from . import _inputs
from ._errors import FieldError

# The fields of which all have one unit; the last is an irradiance, in that unit times sr.
IRRADIANCE = "sun_irradiance"
FIELDS = ("planck_radiance", "planck_radiance_level", "surface_planck_radiance", "cosmic_background", IRRADIANCE)
# The kinds of radiance that files have, too.
KINDS = ("mW m-2 sr-1 cm", "W m-2 sr-1", "W m-2 sr-1 um-1", "W m-2 sr-1 Hz-1", "sr-1")


def unit_of(given: Mapping[str, Any]) -> str | None:
    """The unit of all radiances of a call: that of the first field that has one; None where none has."""
    for name in FIELDS:
        own = _own(name, given.get(name))
        if own is None:
            continue
        if any(_inputs.is_of(own, kind) for kind in KINDS):
            return own
        times = " times sr" if name == IRRADIANCE else ""
        raise _error(name, f"its unit is '{given[name].attrs['units']}', which is none of {', '.join(KINDS)}{times}")
    return None


def in_one_unit(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a call that say which unit they have, as plain numbers in that of all."""
    unit = unit_of(given)
    return {} if unit is None else {name: in_unit(name, unit, given[name]) for name in FIELDS if name in given}


def in_unit(name: str, unit: str | None, value: Any) -> Any:
    """A field of radiances as plain numbers in the unit of all; others as they are."""
    if unit is None or _own(name, value) is None:
        return value
    return _inputs.convert(name, of(name, unit), _inputs.plain(name, "any unit", value), str(value.attrs["units"]))


def of(name: str, unit: str) -> str:
    """The unit of a field or result where that of radiances is this."""
    if name != IRRADIANCE and not name.endswith("_flux"):
        return unit
    words = unit.split()
    return " ".join(word for word in words if word != "sr-1") or "1" if "sr-1" in words else f"{unit} sr"


def is_by_wavenumber(unit: str | None) -> bool:
    """Is it a unit of radiances by wavenumber, as CF's standard names of the results have it?"""
    return unit is not None and _inputs.is_of(unit, KINDS[0])


def _own(name: str, value: Any) -> str | None:
    """The unit that a field of radiances says it has, as that of a radiance."""
    units = (getattr(value, "attrs", None) or {}).get("units")
    if units is None or name not in FIELDS:
        return None
    return f"{units} sr-1" if name == IRRADIANCE else str(units)


def _error(name: str, problem: str) -> FieldError:
    error = FieldError(f"{name}: {problem}; give its numbers alone")
    error.variable = name
    return error
