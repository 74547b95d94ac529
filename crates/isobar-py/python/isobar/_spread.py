"""Arrays that are the same along some of several axes of columns, and not along all."""

from collections.abc import Mapping
from typing import Any

import numpy


def spread(cores: Mapping[str, int], first: bool, given: dict[str, Any]) -> None:
    """Makes such arrays whole: their columns would not lie at equal distances.

    cores: the number of a field's dimensions besides the columns, by name
    first: do the axes of the columns come first?
    given: the fields of a call by name, which are replaced
    """
    arrays = {
        name: value for name, value in given.items()
        if name in cores and isinstance(value, numpy.ndarray) and value.ndim > cores[name]
    }
    if all(value.ndim <= cores[name] + 1 for name, value in arrays.items()):
        return
    columns = {name: _columns(value.shape, cores[name], first) for name, value in arrays.items()}
    try:
        whole = numpy.broadcast_shapes(*columns.values())
    except ValueError:
        # A wrong size is said where all fields are looked at.
        return
    for name, value in arrays.items():
        own = columns[name]
        missing = len(whole) - len(own)
        strides = _columns(value.strides, cores[name], first)
        same = [True] * missing + [size == 1 or stride == 0 for size, stride in zip(own, strides)]
        same = [one for one, size in zip(same, whole) if size != 1]
        if any(same) and not all(same):
            given[name] = _whole(value, cores[name], first, whole)


def _columns(sizes: tuple[int, ...], cores: int, first: bool) -> tuple[int, ...]:
    """Sizes or strides of the axes of the columns."""
    return sizes[:len(sizes) - cores] if first else sizes[cores:]


def _whole(value: Any, cores: int, first: bool, whole: tuple[int, ...]) -> Any:
    """A copy with all columns, in the order of memory that the axes say."""
    own = value.shape[value.ndim - cores:] if first else value.shape[:cores]

    def spread(array: Any) -> Any:
        if first:
            return numpy.ascontiguousarray(numpy.broadcast_to(array, (*whole, *own)))
        padded = array.reshape((*own, *(1,) * (len(whole) - (array.ndim - cores)), *array.shape[cores:]))
        return numpy.ascontiguousarray(numpy.broadcast_to(padded, (*own, *whole)))

    if isinstance(value, numpy.ma.MaskedArray):
        return numpy.ma.MaskedArray(spread(value.data), mask=spread(numpy.ma.getmaskarray(value)))
    return spread(value)
