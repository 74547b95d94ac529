"""Radiation and adding as functions of JAX, with derivatives in reverse mode.

    import isobar, isobar.jax, jax
    fluxes = isobar.jax.function(isobar.Radiation(), wanted=["longwave_up_w_per_m2"])

    def outgoing(temperature, columns):
        return fluxes(**{**columns, "temperature_k": temperature})["longwave_up_w_per_m2"][:, -1].sum()

    kernel = jax.jit(jax.grad(outgoing))(columns["temperature_k"], columns)

They go into `jit`, `grad`, `vjp` and `vmap`, whose axis becomes one more of the columns: one run of the model, with the
bits of a loop. The model computes on the host, where JAX takes arrays from and to a GPU or TPU.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jax
import jax.numpy
import numpy
from jax.custom_derivatives import SymbolicZero

from ._differentiable import NO_SECOND, Call, Function, Kinds
from ._errors import KindError, SetupError

__all__ = ["function"]


def function(model: Any, wanted: Iterable[str] | None = None, **options: Any) -> Callable[..., dict[str, jax.Array]]:
    """A function of fields by name, arrays or numbers, that gives results by name.

    model: an `isobar.Radiation` or `isobar.Adding`
    wanted: names of results; all that have derivatives if it is left out
    options: those of the model's `run`

    Shapes are those of `run`. The model computes in the precision of the arrays, which have to be of one; float64 needs
    `jax.config.update("jax_enable_x64", True)`, and is an error without, not rounded. Derivatives by what has none, as
    `cloud_fraction`, and second derivatives in reverse mode are a `SetupError`, and so are all of options without an
    adjoint. Forward mode (`jvp`, `jacfwd`, and `hessian`, which has it) is JAX's own `TypeError`. Under `jit` what is
    wrong with values is JAX's `JaxRuntimeError`, with the message of the `FieldError` in it.
    """
    common = Function(model, wanted, options)

    @jax.custom_vjp
    def compute(arrays: dict[str, jax.Array]) -> dict[str, jax.Array]:
        call = common.call(_kinds(arrays))
        return _computed(call.run, call.results, call.dtype, arrays)

    def forward(given: dict[str, Any]) -> Any:
        arrays = {name: value.value for name, value in given.items()}
        by = tuple(name for name, value in given.items() if value.perturbed)
        common.call(_kinds(arrays), by)
        # The structure of what is kept says by what derivatives are.
        varied = {name: arrays.pop(name) for name in by}
        return compute({**arrays, **varied}), (varied, arrays)

    def backward(kept: Any, cotangents: dict[str, Any]) -> tuple[dict[str, Any]]:
        varied, held = kept
        arrays = {**held, **varied}
        call = common.call(_kinds(arrays), tuple(varied))
        there = {name: value for name, value in cotangents.items() if not isinstance(value, SymbolicZero)}
        slopes = _pullback(call, arrays, there) if there else {}
        return ({name: slopes.get(name) for name in arrays},)

    compute.defvjp(forward, backward, symbolic_zeros=True)

    def of_fields(**fields: Any) -> dict[str, jax.Array]:
        return compute(_arrays(common, fields))

    return of_fields


def _kinds(arrays: Mapping[str, Any]) -> Kinds:
    return tuple((name, tuple(array.shape), numpy.dtype(array.dtype)) for name, array in sorted(arrays.items()))


def _arrays(common: Function, fields: Mapping[str, Any]) -> dict[str, jax.Array]:
    """Arrays of JAX; numbers, and what JAX has made of numbers, take the precision of the others."""
    given = common.plain(fields)
    own = {name: common.own_dtype(value) for name, value in given.items()}
    dtypes = common.dtypes(own, jax.numpy.result_type(float))
    for name, dtype in dtypes.items():
        if jax.dtypes.canonicalize_dtype(dtype) != dtype:
            hint = 'jax.config.update("jax_enable_x64", True), or take float32 for all'
            raise KindError(f"{name} is {dtype}, and JAX has {jax.dtypes.canonicalize_dtype(dtype)} alone: {hint}")
    return {name: jax.numpy.asarray(value, dtypes[name]) for name, value in given.items()}


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _pullback(call: Call, arrays: dict[str, jax.Array], cotangents: dict[str, jax.Array]) -> dict[str, jax.Array]:
    return _computed(call.pullback, {name: call.shapes[name] for name in call.by}, call.dtype, arrays, cotangents)


@_pullback.defjvp
def _no_second(call: Call, primals: Any, tangents: Any) -> Any:
    raise SetupError(NO_SECOND)


def _computed(
    compute: Callable[..., dict[str, Any]], shapes: Mapping[str, tuple[int, ...]], dtype: Any, *arrays: Any
) -> dict[str, jax.Array]:
    """What NumPy computes: now where arrays have values, for errors are plain then; otherwise when they have."""
    if not any(isinstance(array, jax.core.Tracer) for array in jax.tree.leaves(arrays)):
        return {name: jax.numpy.asarray(array) for name, array in compute(*arrays).items()}
    results = {name: jax.ShapeDtypeStruct(shape, dtype) for name, shape in shapes.items()}
    return dict(jax.pure_callback(compute, results, *arrays, vmap_method="expand_dims"))
