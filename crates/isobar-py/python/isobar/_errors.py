"""Exceptions. Each message is one line."""

import difflib
from collections.abc import Sequence


class IsobarError(Exception):
    """What Isobar raises."""


class FieldError(IsobarError, ValueError):
    """A field has a value out of range, a wrong shape, or is missing; or a column, profile, cell or ray failed.

    Attributes are None where there is nothing to say.
    """

    variable: "str | None" = None
    """The field, as `temperature_k`."""
    item: "int | None" = None
    """The number of the column, profile, cell or ray, from 0."""
    place: "dict[str, int] | None" = None
    """Where within the item, as `{"layer": 3}`; in the order in which the scheme has its layers."""
    value: "float | None" = None
    """The value."""
    accepted: "str | None" = None
    """What is accepted, in words, as `in [100, 400]`."""
    unit: "str | None" = None
    """The unit of both."""
    status: "int | None" = None
    """The status of an item that was begun and failed."""


class KindError(FieldError, TypeError):
    """An array is none, has another dtype, may not be written, or lies on another device."""


class UnknownNameError(IsobarError, TypeError):
    """There is no field, option, scheme or species of this name."""


class SetupError(IsobarError, ValueError):
    """Options, devices or sizes that do not go together."""


class FileError(IsobarError, OSError):
    """A file is missing or wrong."""


class DeviceError(IsobarError, RuntimeError):
    """A device is not there, or failed."""


class OutOfMemoryError(IsobarError, MemoryError):
    """There is no memory."""


class StoppedError(IsobarError, RuntimeError):
    """The run was stopped."""


def unknown(what: str, name: object, known: Sequence[str]) -> UnknownNameError:
    """There is nothing of such a name; the nearest one may have been meant."""
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    return UnknownNameError(f"there is no {what} {name!r}: {hint}")
