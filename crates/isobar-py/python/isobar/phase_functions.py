"""Phase functions as Legendre moments, for `isobar.Adding` and `isobar.Scattering`.

    moments = isobar.phase_functions.tabulated(angles, table, count=200)    # from 0 to 180 degrees
    haze = isobar.phase_functions.henyey_greenstein(0.7, count=200)
    air = isobar.phase_functions.rayleigh(depolarization=0.0279)
    depth, albedo, moments = isobar.phase_functions.mixture([0.2, 0.1], [0.9, 1.0], [haze, air])

`P(cos) = sum (2 l + 1) chi_l P_l(cos)` has the mean 1 over the sphere, so that `chi_0` is 1.
"""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _isobar
from ._errors import FieldError

_Moments = NDArray[numpy.float64]


def henyey_greenstein(asymmetry: float, count: int) -> _Moments:
    """`count` moments of Henyey and Greenstein's phase function, `g ** l`; the asymmetry lies between -1 and 1."""
    return double_henyey_greenstein(asymmetry, asymmetry, 1.0, count)


def double_henyey_greenstein(forward: float, backward: float, fraction: float, count: int) -> _Moments:
    """`count` moments of two of them: the share `fraction`, 0 to 1, has the asymmetry `forward`, the rest the other."""
    for name, value in (("forward", forward), ("backward", backward)):
        _within(name, value, -1.0 < value < 1.0, "between -1 and 1")
    _within("fraction", fraction, 0.0 <= fraction <= 1.0, "0 to 1")
    _within("count", count, count >= 1, "1 or more")
    return _isobar.henyey_greenstein_moments(float(forward), float(backward), float(fraction), count)


def rayleigh(depolarization: float = 0.0) -> _Moments:
    """The three moments of Rayleigh's phase function, with the depolarization factor of unpolarized light, 0 to 1."""
    _within("depolarization", depolarization, 0.0 <= depolarization <= 1.0, "0 to 1")
    return _isobar.rayleigh_moments(float(depolarization))


def tabulated(angles: ArrayLike, table: ArrayLike, count: int) -> _Moments:
    """`count` moments of tables over scattering angles in degrees, ascending from 0 to 180; the last axis of `table`.

    Between its angles a phase function is linear in the cosine of the angle; of that the moments are exact to rounding.
    They are divided by the mean over the sphere. A mean that is not 1 within 1 % is a `SetupError`, as is another
    number of angles; angles and values out of range are a `FieldError`.
    """
    degrees = numpy.ascontiguousarray(angles, numpy.float64)
    values = numpy.asarray(table, numpy.float64)
    rows = numpy.ascontiguousarray(values.reshape(-1, values.shape[-1]))
    moments = _isobar.tabulated_moments(degrees, rows, count)
    return moments.reshape(*values.shape[:-1], count)


def mixture(
    optical_depth: ArrayLike, single_scattering_albedo: ArrayLike, moments: Sequence[ArrayLike]
) -> tuple[float, float, _Moments]:
    """Optical depth, single-scattering albedo and moments of a layer of several species, a value and a list of moments
    for each: the moments are weighted with what each scatters. Lists that are shorter end with zeros."""
    lists = [numpy.asarray(own, numpy.float64) for own in moments]
    rows = numpy.zeros((len(lists), max((len(own) for own in lists), default=1)))
    for row, own in zip(rows, lists, strict=True):
        row[: len(own)] = own
    depth = numpy.atleast_1d(numpy.asarray(optical_depth, numpy.float64))
    albedo = numpy.atleast_1d(numpy.asarray(single_scattering_albedo, numpy.float64))
    for name, values in (("optical_depth", depth), ("single_scattering_albedo", albedo)):
        _within(name, len(values), len(values) == len(lists), f"{len(lists)} values, one for each list of moments")
    return _isobar.mixed_moments(depth, albedo, rows)


def _within(name: str, value: Any, fits: bool, accepted: str) -> None:
    if not fits:
        error = FieldError(f"{name} = {value}; accepted: {accepted}")
        error.variable = name
        raise error
