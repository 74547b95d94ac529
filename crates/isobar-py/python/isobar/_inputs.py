"""Arrays and numbers of other libraries as plain ones: without masks, and in the units of fields."""

import datetime
from typing import Any

import numpy

from . import _isobar
from ._errors import FieldError, KindError


def plain(name: str, unit: str, value: Any) -> Any:
    """An array or a number, ready for a field in `unit`: masked elements are NaN, another unit is converted.

    What has neither mask nor unit comes back as it is, and is not copied. Known are masked arrays of NumPy, quantities
    of pint, astropy and unyt, what xarray and pandas have, and durations, which have a unit by themselves.
    """
    if _is_time(value):
        return _duration(name, unit, value)
    if hasattr(value, "dims") and hasattr(value, "attrs"):
        return _labelled(name, unit, value.data, value.attrs)
    if hasattr(value, "to_numpy"):
        if hasattr(value.dtype if hasattr(value, "dtype") else None, "units"):
            raise _kind(name, f"is {_kind_of(value)} with a unit: convert it to {unit}, and take its numbers")
        return _labelled(name, unit, value.to_numpy(), getattr(value, "attrs", {}))
    units = getattr(value, "units", getattr(value, "unit", None))
    if units is not None:
        return _quantity(name, unit, value)
    if isinstance(value, numpy.ma.MaskedArray):
        return _unmasked(name, value)
    return value


def _is_time(value: Any) -> bool:
    """Is it a duration or a date, or are these in it?"""
    if isinstance(value, (list, tuple)):
        return any(map(_is_time, value))
    if isinstance(value, (datetime.timedelta, datetime.date)):
        return True
    return isinstance(value, (numpy.ndarray, numpy.generic)) and value.dtype.kind in "mM"


def _duration(name: str, unit: str, value: Any) -> Any:
    """Durations in the unit of a field of times: their own counts are of any, as nanoseconds."""
    masked = numpy.ma.getmaskarray(value) if isinstance(value, numpy.ma.MaskedArray) else None
    times = numpy.asarray(numpy.ma.getdata(value))
    try:
        times = times if times.dtype.kind in "mM" else times.astype("timedelta64[us]")
    except (TypeError, ValueError):
        # Python's own dates are no durations.
        pass
    if times.dtype.kind != "m":
        hint = "(times - start) / numpy.timedelta64(1, 's')"
        raise _kind(name, f"is a date, and a number is wanted: seconds since a start are {hint}")
    resolution = numpy.datetime_data(times.dtype)[0]
    if resolution in ("generic", "Y", "M") or unit == "any unit":
        raise _kind(name, f"is {times.dtype}, which is no number of {'anything' if unit == 'any unit' else unit}")
    seconds = times / numpy.timedelta64(1, "s")
    if masked is not None:
        seconds = numpy.where(masked, numpy.nan, seconds)
    return convert(name, unit, seconds if times.ndim else float(seconds), "s")


def is_of(unit: str, other: str) -> bool:
    """Does a unit convert to another?"""
    try:
        _isobar.is_same_unit(unit, other)
    except ValueError:
        return False
    return True


def convert(name: str, unit: str, values: Any, units: str) -> Any:
    """Numbers in `units` as those in `unit`, float32 again where they were."""
    if unit == "any unit":
        return values
    try:
        if _isobar.is_same_unit(units, unit):
            return values
        kind = getattr(values, "dtype", None)
        numbers = numpy.asarray(values, numpy.float64)
        converted = _isobar.convert(numbers.ravel(), units, unit).reshape(numbers.shape)
    except ValueError as error:
        raise _named(FieldError(f"{name}: {error}"), name) from None
    if kind is None:
        return float(converted)
    return converted.astype(numpy.float32) if kind == numpy.float32 else converted


def _labelled(name: str, unit: str, values: Any, attributes: Any) -> Any:
    """What xarray and pandas have: values, and perhaps a unit among the attributes."""
    if not (isinstance(values, numpy.ndarray) or hasattr(values, "__dlpack__") or hasattr(values, "units")):
        values = numpy.asarray(values)
    if hasattr(values, "units") or hasattr(values, "unit"):
        return plain(name, unit, values)
    if _is_time(values):
        # A duration has its unit by itself, whatever the attributes say.
        return _duration(name, unit, values)
    values = plain(name, unit, values)
    return values if attributes.get("units") is None else convert(name, unit, values, str(attributes["units"]))


def _quantity(name: str, unit: str, value: Any) -> Any:
    """A quantity in the unit of its field."""
    if unit == "any unit":
        raise _kind(name, f"has the unit {_units(value)}, and takes numbers in any unit: give these alone")
    try:
        if _isobar.is_same_unit(_units(value), unit):
            return plain(name, unit, _numbers(value))
        return convert(name, unit, plain(name, unit, _numbers(value)), _units(value))
    except ValueError:
        pass
    if _is_other_ratio(value, unit):
        raise _named(FieldError(f"{name}: its unit is '{_units(value)}', which is none of '{unit}'"), name)
    # Its library may know more names of units.
    for base in ("to_base_units", "in_base", "si"):
        based = getattr(value, base, None)
        if based is not None:
            based = based() if callable(based) else based
            return convert(name, unit, plain(name, unit, _numbers(based)), _units(based))
    raise _kind(name, f"is {_kind_of(value)} in {_units(value)}: convert it to {unit}, and take its numbers")


def _is_other_ratio(value: Any, unit: str) -> bool:
    """Is it one of masses for a field of amounts, or the other way? In base units both are plain numbers."""
    others = {"mol mol-1": ("kg kg-1", "[mass]"), "kg kg-1": ("mol mol-1", "[substance]")}
    if unit not in others:
        return False
    other, dimension = others[unit]
    try:
        _isobar.is_same_unit(_units(value), other)
        return True
    except ValueError:
        # Units that pint alone knows.
        items = value.unit_items() if hasattr(value, "unit_items") else ()
        return any(dimension in dict(type(value.units)(name).dimensionality) for name, _ in items)


def _units(value: Any) -> str:
    """The unit of a quantity as text."""
    if hasattr(value, "magnitude"):
        return f"{value.units:~C}"
    units: Any = getattr(value, "units", getattr(value, "unit", None))
    if hasattr(units, "to_string"):
        try:
            return str(units.to_string("fits"))
        except ValueError:
            pass
    return str(units)


def _numbers(value: Any) -> Any:
    """The numbers of a quantity."""
    if hasattr(value, "magnitude"):
        return value.magnitude
    numbers = getattr(value, "value", value)
    return numbers.view(numpy.ndarray) if isinstance(numbers, numpy.ndarray) else numbers


def _unmasked(name: str, value: Any) -> Any:
    """A masked array with NaN for what is masked."""
    if not numpy.ma.is_masked(value):
        return value.data
    if value.dtype.kind != "f":
        raise _kind(name, f"has masked elements, and {value.dtype} has no number for what is not there")
    return value.filled(numpy.nan)


def _kind_of(value: object) -> str:
    return f"{type(value).__module__.split('.')[0]}.{type(value).__name__}"


def _kind(name: str, problem: str) -> FieldError:
    return _named(KindError(f"{name} {problem}"), name)


def _named(error: FieldError, name: str) -> FieldError:
    error.variable = name
    return error
