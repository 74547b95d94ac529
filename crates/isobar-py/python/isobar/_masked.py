"""Columns that have no values: they are left out, and masked in the results."""

from collections.abc import Callable
from typing import Any

import numpy

from . import _inputs
from ._errors import FieldError
from ._results import Results

# What says by its mask that a column has no values.
BY = "temperature_k"
# The status of such a column, as the command has it.
STATUS = 4


def columns_left_out(model: Any, given: dict[str, Any]) -> "Columns | None":
    """The columns of a call that have no values; None where there are none."""
    by = given.get(BY)
    if not isinstance(by, numpy.ma.MaskedArray) or not numpy.ma.is_masked(by):
        return None
    known = model._declared
    first = (given.get("items_axis") or model.items_axis) == "first"
    layers = len(known[BY].dimensions)
    axes = tuple(range(by.ndim - layers, by.ndim) if first else range(layers))
    masked = numpy.ma.getmaskarray(by).all(axis=axes)
    if masked.any():
        masked = numpy.broadcast_to(masked, _columns_of(known, first, given, masked.shape))
    return Columns(known, first, masked, given) if masked.any() else None


def _columns_of(known: Any, first: bool, given: dict[str, Any], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The axes of the columns that all fields have together: a field may be the same for all, or along an axis."""
    for field in known.inputs:
        sizes, cores = numpy.shape(given.get(field.name)), len(field.dimensions)
        if len(sizes) > cores:
            own = sizes[:len(sizes) - cores] if first else sizes[cores:]
            try:
                shape = numpy.broadcast_shapes(shape, own)
            except ValueError:
                # A wrong size is said where all fields are looked at.
                pass
    return shape


def mark(values: dict[str, Any], cores: dict[str, int]) -> None:
    """Masks the columns whose temperatures are NaN in all layers, as files that were read by others have them."""
    by = values.get(BY)
    if by is None or by.dtype.kind != "f" or by.ndim == cores[BY] or by.size == 0:
        return
    layers = tuple(range(by.ndim - cores[BY], by.ndim))
    one = by[(..., *(0 for _ in layers))]
    # One layer tells of most arrays that there are none.
    if numpy.isnan(one).any():
        masked = numpy.isnan(by).all(axis=layers, keepdims=True)
        if masked.any():
            values[BY] = numpy.ma.MaskedArray(by, mask=numpy.broadcast_to(masked, by.shape))


def renumbered(error: FieldError, item: str, number: int) -> FieldError:
    """The same error of another item: of a `column`, `cell` and so on."""
    said = type(error)(str(error).replace(f"{item} {error.item}", f"{item} {number}", 1))
    said.__dict__.update(error.__dict__)
    said.item = number
    return said


class Columns:
    """Columns of a call, some of which have no values."""

    def __init__(self, known: Any, first: bool, masked: Any, given: dict[str, Any]) -> None:
        self.known, self.first, self.masked, self.given = known, first, masked, given

    def run(self, compute: Callable[..., Results]) -> Results:
        """Computes the columns that have values: the first of them stands in the place of those that have none."""
        given = dict(self.given)
        if isinstance(given.get("out"), dict):
            given["out"] = {name: numpy.ma.getdata(array) for name, array in given["out"].items()}
        good = None if self.masked.all() else numpy.unravel_index(numpy.argmin(self.masked), self.masked.shape)
        for field in self.known.inputs:
            if field.name in given:
                given[field.name] = self._filled(field, given[field.name], good)
        if good is None:
            return self._without(compute, given)
        try:
            return self._masked(compute(**given))
        except FieldError as error:
            raise self._of_good(error, good) from None

    def _columns_first(self, array: Any, cores: int) -> Any:
        """A view with the axes of the columns in front."""
        columns = array.ndim - cores
        return array if self.first else numpy.moveaxis(array, range(cores, array.ndim), range(columns))

    def _filled(self, field: Any, value: Any, good: Any) -> Any:
        """A field with a good column's values in those that have none; none of the columns where none is good."""
        cores = len(field.dimensions)
        plain = _inputs.plain(field.name, field.unit, value)
        if not isinstance(plain, numpy.ndarray):
            return plain
        if good is None and self.masked.ndim == 0 and plain.ndim == cores > 0:
            # A column without an axis becomes none of many.
            return numpy.empty((0, *plain.shape) if self.first else (*plain.shape, 0), plain.dtype)
        if plain.ndim <= cores:
            return plain
        columns = self._columns_first(plain, cores)
        whole = (*self.masked.shape, *columns.shape[columns.ndim - cores:])
        try:
            # An axis of size 1 stands for any size.
            order = "K" if columns.shape == whole else "C"
            filled = numpy.array(numpy.broadcast_to(columns, whole), order=order)
        except ValueError:
            return plain
        if good is None:
            filled = filled[:0]
        else:
            filled[self.masked] = filled[good]
        return filled if self.first else numpy.moveaxis(filled, range(self.masked.ndim), range(cores, filled.ndim))

    def _masked(self, out: Results) -> Results:
        """Results with no numbers in columns without values, and a mask."""
        for field in self.known.outputs:
            if field.name not in out:
                continue
            array = out[field.name]
            columns = self._columns_first(array, len(field.dimensions))
            is_float = array.dtype.kind == "f"
            columns[self.masked] = numpy.nan if is_float else STATUS if field.name == "status" else 0
            answer = numpy.ma.MaskedArray(array, mask=False)
            if field.name != "status":
                self._columns_first(answer.mask, len(field.dimensions))[self.masked] = True
                out[field.name] = answer
        numbers = set(numpy.flatnonzero(self.masked).tolist())
        out.errors = [error for error in out.errors if error.item not in numbers]
        return out

    def _without(self, compute: Callable[..., Results], given: dict[str, Any]) -> Results:
        """Results where no column has values."""
        into = given.pop("out", None) or {}
        out = compute(**given)
        for field in self.known.outputs:
            if field.name in out:
                cores, sizes = len(field.dimensions), out[field.name].shape
                sizes = sizes[len(sizes) - cores:] if self.first else sizes[:cores]
                shape = (*self.masked.shape, *sizes) if self.first else (*sizes, *self.masked.shape)
                out[field.name] = into.get(field.name, numpy.empty(shape, out[field.name].dtype))
        return self._masked(out)

    def _of_good(self, error: FieldError, good: Any) -> FieldError:
        """What is wrong with a column that stands in the place of others is said of itself."""
        number = int(numpy.ravel_multi_index(good, self.masked.shape))
        if error.item is None or not self.masked.ravel()[error.item]:
            return error
        return renumbered(error, self.known.item, number)
