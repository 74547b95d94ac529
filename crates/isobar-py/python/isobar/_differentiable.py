"""What `isobar.jax` and `isobar.torch` share: a model's results, and derivatives by its inputs, of NumPy arrays."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy

from . import _inputs, _options
from ._errors import FieldError, KindError, SetupError, unknown
from ._fields import fields
from ._radiances import in_one_unit

# Shapes and dtypes of a call's arrays, by name.
Kinds = tuple[tuple[str, tuple[int, ...], numpy.dtype[Any]], ...]

# What is said of derivatives of derivatives.
NO_SECOND = "there are no second derivatives: the adjoint has no derivatives of its own"


class Function:
    """A model, which of its results are wanted, and options: what all calls have in common."""

    def __init__(self, model: Any, wanted: Iterable[str] | None, options: Mapping[str, Any]) -> None:
        if not hasattr(type(model), "_adjoint"):
            raise SetupError(f"{type(model).__name__} has no adjoint: isobar.Radiation and isobar.Adding have one")
        self.model, self.options = model, _options.options(options)
        self.items_first = (self.options.pop("items_axis", None) or model.items_axis) == "first"
        known, adjoint = fields(model), fields(model._adjoint)
        self.item = known.item
        self.inputs = {field.name: field for field in known.inputs}
        self.by = {field.name for field in adjoint.outputs if field.name in self.inputs}
        self.results = [field.name for field in adjoint.inputs if field.name not in self.inputs]
        self.wanted = None if wanted is None else tuple([wanted] if isinstance(wanted, str) else wanted)
        if self.wanted == ():
            raise SetupError("wanted names no result")
        for name in self.wanted or ():
            if name not in self.results:
                raise unknown("result with derivatives", name, self.results)
        # Calls with arrays of the same shapes are one.
        self.call = functools.lru_cache(maxsize=256)(functools.partial(Call, self))

    def plain(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Fields by name, without units and masks; those that are None are left out."""
        for name in given:
            if name not in self.inputs:
                raise unknown("field", name, list(self.inputs))
        there = {name: value for name, value in given.items() if value is not None}
        there.update(in_one_unit(there))
        plain = {name: _inputs.plain(name, self.inputs[name].unit, value) for name, value in there.items()}
        for name, value in plain.items():
            if not (hasattr(value, "dtype") or isinstance(value, numbers.Real)):
                raise KindError(f"{name} is {type(value).__name__}, and an array or a number is wanted")
        return plain

    @staticmethod
    def own_dtype(value: Any) -> Any:
        """That of an array; None for a number, NumPy's too, as `run` has it."""
        is_number = isinstance(value, numpy.generic) or getattr(value, "weak_type", False)
        return None if is_number else getattr(value, "dtype", None)

    def dtypes(self, own: Mapping[str, Any], default: Any = numpy.float64) -> dict[str, numpy.dtype[Any]]:
        """Those of arrays; numbers, which have none of their own, take that of the model or of the first array."""
        precision = self.model._given.get("precision")
        if precision is not None:
            default = numpy.float32 if precision in ("f32", "float32", "single") else numpy.float64
        else:
            reals = (dtype for dtype in own.values() if dtype is not None and numpy.dtype(dtype).kind == "f")
            default = next(reals, default)
        kinds = {"float": default, "uint32": numpy.uint32}
        return {
            name: numpy.dtype(kinds[self.inputs[name].dtype] if dtype is None else dtype)
            for name, dtype in own.items()
        }


class Call:
    """A call with arrays of known shapes, and derivatives by some of them.

    Arrays may have further axes in front, all of them the same number, of size 1 where they do not differ along it:
    these are columns like others, of one run.
    """

    def __init__(self, function: Function, kinds: Kinds, by: tuple[str, ...] = ()) -> None:
        self.function, self.by = function, by
        self.shapes = {name: shape for name, shape, _ in kinds}
        self.columns: tuple[int, ...] = ()
        for name, shape in self.shapes.items():
            columns = self._parts(name, shape)[0]
            try:
                self.columns = numpy.broadcast_shapes(self.columns, columns)
            except ValueError:
                raise FieldError(f"{name} has {function.item}s {columns}, and others have {self.columns}") from None
        for name in by:
            if name not in function.by:
                raise SetupError(f"there is no derivative by {name}: hold it (jax.lax.stop_gradient, Tensor.detach)")
        # A batch without columns says which results there are, their sizes, and what is wrong with options.
        empty = {name: numpy.empty((0, *self._parts(name, shape)[1]), dtype) for name, shape, dtype in kinds}
        options = {**function.options, "items_axis": "first"}
        try:
            sample = function.model.run(**empty, **options)
            if by:
                function.model.pullback({}, **empty, **options)
        except FieldError as error:
            if " = (0" in str(error):
                error.args = (f"{error}; 0 stands for any number of {function.item}s",)
            raise
        there = [name for name in function.results if name in sample]
        for name in function.wanted or ():
            if name not in there:
                raise SetupError(f"{name} is no result of these inputs and options: there are {', '.join(there)}")
        self._sizes = {name: sample[name].shape[1:] for name in function.wanted or there}
        self.dtype = sample[next(iter(self._sizes))].dtype
        self.results = {name: self._joined(self.columns, sizes) for name, sizes in self._sizes.items()}

    def run(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """The results that are wanted."""
        batches, given = self._folded(arrays, self.shapes)
        out = self.function.model.run(**given, **self.function.options, items_axis="first")
        return {
            name: self._columns_as_given(out[name].reshape((*batches, *self.columns, *sizes)), len(sizes))
            for name, sizes in self._sizes.items()
        }

    def pullback(self, arrays: Mapping[str, Any], cotangents: Mapping[str, Any]) -> dict[str, Any]:
        """Derivatives by some of the arrays, in their shapes, from those by results."""
        kinds = {**self.shapes, **{name: self.results[name] for name in cotangents}}
        batches, given = self._folded({**arrays, **cotangents}, kinds)
        weights = {name: given.pop(name) for name in cotangents}
        out = self.function.model.pullback(weights, **given, **self.function.options, items_axis="first")
        return {name: self._like_input(name, out.get(name), batches) for name in self.by}

    def _parts(self, name: str, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The columns of an array, and its other sizes; a number has any."""
        known = self.function.inputs.get(name)
        cores = len(known.dimensions) if known else len(self._sizes[name])
        if not shape:
            return (), (1,) * cores
        if len(shape) < cores:
            raise FieldError(f"{name} has {len(shape)} axes, and has to have {cores} besides those of columns, or none")
        columns = len(shape) - cores
        return (shape[:columns], shape[columns:]) if self.function.items_first else (shape[cores:], shape[:cores])

    def _joined(self, columns: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
        return columns + sizes if self.function.items_first else sizes + columns

    def _columns_as_given(self, array: Any, cores: int) -> Any:
        """An array (batch, column, layer) with its columns where the caller has them."""
        if self.function.items_first:
            return array
        columns = len(self.columns)
        first = array.ndim - cores - columns
        return numpy.moveaxis(array, range(first, first + columns), range(-columns, 0))

    def _folded(
        self, arrays: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]
    ) -> tuple[tuple[int, ...], dict[str, Any]]:
        """The sizes of further axes, and arrays with one axis of columns in front."""
        values = {name: numpy.asarray(array) for name, array in arrays.items()}
        further = {name: array.ndim - len(shapes[name]) for name, array in values.items()}
        batches = numpy.broadcast_shapes(*(array.shape[: further[name]] for name, array in values.items()))
        folded = {}
        for name, array in values.items():
            columns, sizes = self._parts(name, shapes[name])
            own = array.shape[: further[name]]
            if not self.function.items_first and shapes[name]:
                array = numpy.moveaxis(array, range(len(own), len(own) + len(sizes)), range(-len(sizes), 0))
            front = (*own, *self._padded(columns))
            array = array.reshape((*front, *sizes))
            if math.prod(front) == 1:
                folded[name] = array.reshape((1, *sizes))
            else:
                all_of_them = (*batches, *self.columns)
                array = numpy.broadcast_to(array, (*all_of_them, *sizes))
                folded[name] = array.reshape((math.prod(all_of_them), *sizes))
        return batches, folded

    def _padded(self, columns: tuple[int, ...]) -> tuple[int, ...]:
        return (1,) * (len(self.columns) - len(columns)) + columns

    def _like_input(self, name: str, slopes: Any, batches: tuple[int, ...]) -> Any:
        """Derivatives in the shape of an input: those by a value that stands for several are a sum."""
        shape = self.shapes[name]
        if slopes is None:
            # What is not read does not matter.
            return numpy.zeros((*batches, *shape), self.dtype)
        columns, sizes = self._parts(name, shape)
        slopes = slopes.reshape((*batches, *self.columns, *slopes.shape[1:]))
        kept = (*batches, *self._padded(columns), *sizes)
        summed = [axis for axis, size in enumerate(kept) if size != slopes.shape[axis]]
        if summed:
            # One after the other in memory, so that batches have the bits that each of them has alone.
            slopes = numpy.moveaxis(slopes, summed, range(-len(summed), 0))
            there = slopes.shape[: -len(summed)]
            terms = math.prod(slopes.shape[-len(summed) :])
            slopes = numpy.ascontiguousarray(slopes).reshape((*there, terms)).sum(axis=-1, keepdims=True)
        slopes = slopes.reshape((*batches, *columns, *sizes))
        if not self.function.items_first and shape:
            first = len(batches)
            slopes = numpy.moveaxis(slopes, range(first, first + len(columns)), range(-len(columns), 0))
        return slopes.reshape((*batches, *shape))
