"""Phase functions as Legendre moments, for `isobar.Adding` and `isobar.Scattering`.

    moments = isobar.phase_functions.tabulated(angles, table, count=200)    # from 0 to 180 degrees
    haze = isobar.phase_functions.henyey_greenstein(0.7, count=200)
    air = isobar.phase_functions.rayleigh(depolarization=0.0279)
    depth, albedo, moments = isobar.phase_functions.mixture([0.2, 0.1], [0.9, 1.0], [haze, air])

`P(cos) = sum (2 l + 1) chi_l P_l(cos)` has the mean 1 over the sphere, so that `chi_0` is 1.
"""

import operator
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _inputs, _isobar
from ._errors import FieldError, KindError

_Moments = NDArray[numpy.float64]
# More would be a mistake, and take all memory.
MOST_MOMENTS = 10**6


def henyey_greenstein(asymmetry: float, count: int) -> _Moments:
    """`count` moments of Henyey and Greenstein's phase function, `g ** l`; the asymmetry lies between -1 and 1."""
    return double_henyey_greenstein(asymmetry, asymmetry, 1.0, count)


def double_henyey_greenstein(forward: float, backward: float, fraction: float, count: int) -> _Moments:
    """`count` moments of two of them: the share `fraction`, 0 to 1, has the asymmetry `forward`, the rest the other."""
    forward, backward = _number("forward", forward), _number("backward", backward)
    fraction = _number("fraction", fraction)
    for name, value in (("forward", forward), ("backward", backward)):
        _within(name, value, -1.0 < value < 1.0, "between -1 and 1")
    _within("fraction", fraction, 0.0 <= fraction <= 1.0, "0 to 1")
    return _isobar.henyey_greenstein_moments(forward, backward, fraction, _count(count))


def rayleigh(depolarization: float = 0.0) -> _Moments:
    """The three moments of Rayleigh's phase function, with the depolarization factor of unpolarized light, 0 to 1."""
    depolarization = _number("depolarization", depolarization)
    _within("depolarization", depolarization, 0.0 <= depolarization <= 1.0, "0 to 1")
    return _isobar.rayleigh_moments(depolarization)


def tabulated(angles: ArrayLike, table: ArrayLike, count: int) -> _Moments:
    """`count` moments of tables over scattering angles in degrees, ascending from 0 to 180; the last axis of `table`.

    Between its angles a phase function is linear in the cosine of the angle; of that the moments are exact to rounding.
    They are divided by the mean over the sphere. A mean that is not 1 within 1 % is a `SetupError`, as is another
    number of angles; angles and values out of range are a `FieldError`.
    """
    degrees = numpy.ascontiguousarray(_array("angles", "degree", angles))
    values = _array("table", "1", table)
    _shaped("angles", degrees, degrees.ndim == 1, "one axis")
    _shaped("table", values, values.ndim > 0 and values.shape[-1] > 0, "values for all angles in the last axis")
    count = _count(count)
    rows = numpy.ascontiguousarray(values.reshape(-1, values.shape[-1]))
    moments = _isobar.tabulated_moments(degrees, rows, count)
    return moments.reshape(*values.shape[:-1], count)


def mixture(
    optical_depth: ArrayLike, single_scattering_albedo: ArrayLike, moments: Sequence[ArrayLike]
) -> tuple[float, float, _Moments]:
    """Optical depth, single-scattering albedo and moments of a layer of several species, a value and a list of moments
    for each: the moments are weighted with what each scatters. Lists that are shorter end with zeros.

    Depths are 0 or more, albedos 0 to 1, moments -1 to 1, the first of each list 1; all else is a `FieldError`."""
    if not hasattr(moments, "__len__"):
        raise KindError(f"moments is {type(moments).__name__}, and a list of moments for each species is wanted")
    lists = [numpy.atleast_1d(_array("moments", "1", own)) for own in moments]
    for own in lists:
        _within("moments", own.shape, own.ndim == 1 and own.size > 0, "a list of moments for each species")
        _within("moments[0]", own[0], own[0] == 1.0, "1: phase functions are normalised")
        _each("moments", own, (own >= -1.0) & (own <= 1.0), "-1 to 1")
    rows = numpy.zeros((len(lists), max((len(own) for own in lists), default=1)))
    for row, own in zip(rows, lists, strict=True):
        row[: len(own)] = own
    depth = numpy.atleast_1d(_array("optical_depth", "1", optical_depth))
    albedo = numpy.atleast_1d(_array("single_scattering_albedo", "1", single_scattering_albedo))
    for name, values in (("optical_depth", depth), ("single_scattering_albedo", albedo)):
        _shaped(name, values, values.ndim == 1, "a value for each species")
        _within(name, len(values), len(values) == len(lists), f"{len(lists)} values, one for each list of moments")
    _each("optical_depth", depth, (depth >= 0.0) & numpy.isfinite(depth), "0 or more, and finite")
    _each("single_scattering_albedo", albedo, (albedo >= 0.0) & (albedo <= 1.0), "0 to 1")
    return _isobar.mixed_moments(depth, albedo, rows)


def _array(name: str, unit: str, value: Any) -> Any:
    """Numbers without mask and unit: what is masked is NaN, which nothing accepts."""
    plain = _inputs.plain(name, unit, value)
    try:
        return numpy.asarray(plain, numpy.float64)
    except (TypeError, ValueError):
        raise KindError(f"{name} is {type(value).__name__}, and numbers of one shape are wanted") from None


def _number(name: str, value: Any) -> float:
    array = _array(name, "1", value)
    _shaped(name, array, array.ndim == 0, "one number")
    return float(array)


def _count(count: Any) -> int:
    try:
        whole = operator.index(count)
    except TypeError:
        raise KindError(f"count is {count!r}, and a whole number is wanted") from None
    _within("count", whole, 1 <= whole <= MOST_MOMENTS, f"1 to {MOST_MOMENTS}")
    return whole


def _shaped(name: str, array: Any, fits: bool, wanted: str) -> None:
    if not fits:
        error = FieldError(f"{name} has the shape {array.shape}, and {wanted} is wanted")
        error.variable = name
        raise error


def _each(name: str, values: _Moments, fits: NDArray[numpy.bool_], accepted: str) -> None:
    if not fits.all():
        number = int(numpy.argmin(fits))
        _within(f"{name}[{number}]", values[number], False, accepted)


def _within(name: str, value: Any, fits: bool, accepted: str) -> None:
    if not fits:
        error = FieldError(f"{name} = {value}; accepted: {accepted}")
        error.variable = name.split("[")[0]
        raise error
