"""Radiation and adding as functions of PyTorch, with derivatives in reverse mode.

    import isobar, isobar.torch, torch
    fluxes = isobar.torch.function(isobar.Radiation(), wanted=["longwave_up_w_per_m2"])
    temperature = torch.from_numpy(columns["temperature_k"]).requires_grad_()
    fluxes(**{**columns, "temperature_k": temperature})["longwave_up_w_per_m2"][:, -1].sum().backward()
    temperature.grad

They go into `torch.func`, too; the axis of its `vmap` becomes one more of the columns: one run of the model, with the
bits of a loop. Tensors lie on the host, and are read in place; NumPy arrays beside them are not to change before
gradients are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy
import torch

from ._differentiable import NO_SECOND, Call, Function
from ._errors import KindError, SetupError

__all__ = ["function"]

_DTYPES = {
    torch.float32: numpy.float32, torch.float64: numpy.float64, torch.int32: numpy.uint32, torch.uint32: numpy.uint32,
}


def function(
    model: Any, wanted: Iterable[str] | None = None, **options: Any
) -> Callable[..., dict[str, torch.Tensor]]:
    """A function of fields by name, tensors, NumPy arrays or numbers, that gives results by name.

    model: an `isobar.Radiation` or `isobar.Adding`
    wanted: names of results; all that have derivatives if it is left out
    options: those of the model's `run`

    Shapes are those of `run`. The model computes in the precision of the arrays, which have to be of one. A tensor of
    another dtype or device is a `KindError`. One that requires a gradient and has none, as `cloud_fraction`, is a
    `SetupError`, and so are any one with options without an adjoint, and second derivatives.
    """
    common = Function(model, wanted, options)

    def of_fields(**fields: Any) -> dict[str, torch.Tensor]:
        given = common.plain(fields)
        tensors = {name: value for name, value in given.items() if isinstance(value, torch.Tensor)}
        held = {name: value for name, value in given.items() if name not in tensors}
        own: dict[str, Any] = {name: _dtype(name, value) for name, value in tensors.items()}
        dtypes = common.dtypes({**own, **{name: common.own_dtype(value) for name, value in held.items()}})
        held = {name: numpy.asarray(value, dtypes[name]) for name, value in held.items()}
        kinds = tuple((name, tuple(value.shape), dtypes[name]) for name, value in sorted({**held, **tensors}.items()))
        by = tuple(name for name, value in tensors.items() if value.requires_grad and torch.is_grad_enabled())
        call = common.call(kinds, by)
        return dict(zip(call.results, _Run.apply(call, held, tuple(tensors), *tensors.values())))

    # A compiler would look into what NumPy does.
    return torch.compiler.disable(of_fields)


def _dtype(name: str, tensor: torch.Tensor) -> Any:
    """That of a tensor's array."""
    if tensor.device.type != "cpu":
        raise KindError(f"{name} lies on {tensor.device}, and these functions take tensors of the host: {name}.cpu()")
    if tensor.dtype not in _DTYPES:
        wanted = "torch.float32 or torch.float64 is wanted, torch.int32 for words"
        raise KindError(f"{name} is {tensor.dtype}, and {wanted}")
    return _DTYPES[tensor.dtype]


def _arrays(names: Iterable[str], tensors: Iterable[torch.Tensor]) -> dict[str, Any]:
    """The memory of tensors as arrays."""
    return {
        name: tensor.detach().resolve_neg().numpy().view(_dtype(name, tensor)) for name, tensor in zip(names, tensors)
    }


def _batched(places: Iterable[int | None], tensors: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    """Tensors with the axis of a `vmap` in front, of size 1 where they have none."""
    return [tensor[None] if place is None else tensor.movedim(place, 0) for place, tensor in zip(places, tensors)]


class _Run(torch.autograd.Function):
    """The results of a call."""

    @staticmethod
    def forward(
        call: Call, held: Mapping[str, Any], names: tuple[str, ...], *tensors: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        out = call.run({**held, **_arrays(names, tensors)})
        return tuple(torch.from_numpy(out[name]) for name in call.results)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.call, ctx.held, ctx.names, *tensors = inputs
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:
        there = {name: value for name, value in zip(ctx.call.results, cotangents) if value is not None}
        found = _Pullback.apply(ctx.call, ctx.held, ctx.names, tuple(there), *ctx.saved_tensors, *there.values())
        slopes = dict(zip(ctx.call.by, found))
        return None, None, None, *(slopes.get(name) for name in ctx.names)

    @staticmethod
    def vmap(info: Any, places: tuple[Any, ...], call: Call, held: Any, names: Any, *tensors: torch.Tensor) -> Any:
        out = _Run.apply(call, held, names, *_batched(places[3:], tensors))
        return out, (0,) * len(out)


class _Pullback(torch.autograd.Function):
    """Its derivatives, which have none: `once_differentiable` would take those by inputs for 0."""

    @staticmethod
    def forward(
        call: Call, held: Mapping[str, Any], names: tuple[str, ...], results: tuple[str, ...], *tensors: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        arrays, cotangents = tensors[: len(names)], tensors[len(names) :]
        slopes = call.pullback({**held, **_arrays(names, arrays)}, _arrays(results, cotangents))
        return tuple(torch.from_numpy(slopes[name]) for name in call.by)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> None:
        raise SetupError(NO_SECOND)

    @staticmethod
    def vmap(
        info: Any, places: tuple[Any, ...], call: Call, held: Any, names: Any, results: Any, *tensors: torch.Tensor
    ) -> Any:
        out = _Pullback.apply(call, held, names, results, *_batched(places[4:], tensors))
        return out, (0,) * len(out)
