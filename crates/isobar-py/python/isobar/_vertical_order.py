"""Which end of the layers of a dataset is the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy
import xarray

from . import _inputs
from ._errors import FieldError
from ._fields import SchemeFields
from ._variables import VERTICAL

# CF standard names of what grows upward, and downward.
UPWARD = ("height", "altitude", "geopotential_height", "height_above_mean_sea_level")
DOWNWARD = ("air_pressure", "atmosphere_sigma_coordinate", "atmosphere_hybrid_sigma_pressure_coordinate")
# Words in the names of coordinates of lengths that grow upward, with `axis` "Z" or without.
HEIGHTS = ("height", "altitude", "elevation")


def is_top_first(
    known: SchemeFields, arrays: Mapping[str, xarray.DataArray], cores: Mapping[str, Any], orientation: Any
) -> bool:
    """Do layers go from the top down? The pressure says so, which grows downward; else the dataset's `orientation`, as
    Isobar writes it, or the vertical coordinates. Those of all variables have to say the same."""
    by_pressure = list(_pressures(arrays, cores))
    by_coordinate = list(_coordinates(known, arrays, cores))
    # What turns a dataset leaves its attributes as they were.
    by_attribute = [] if by_pressure or orientation not in ("top_first", "bottom_first") else [
        (f"the attribute orientation = {orientation!r}", bool(orientation == "top_first"))
    ]
    evidence = [*by_pressure, *by_attribute, *by_coordinate]
    for source, says in evidence:
        if says != evidence[0][1]:
            ends = [f"{one} says that index 0 is the {'top' if top else 'bottom'}" for one, top in
                    (evidence[0], (source, says))]
            raise FieldError(f"{', but '.join(ends)}: turn one of them, or say with top_first= how all are")
    return evidence[0][1] if evidence else known.top_first


def _pressures(arrays: Mapping[str, xarray.DataArray], cores: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """What the pressures of a column that has values say."""
    for name in ("level_pressure_pa", "interface_pressure_pa", "pressure_pa"):
        if name not in arrays:
            continue
        array, core = arrays[name], cores[name]
        if len(core) != 1 or array.sizes[core[0]] < 2 or array.size == 0:
            continue
        ends = array.transpose(..., core[0]).isel({core[0]: [0, -1]})
        first = numpy.asarray(ends[(0,) * (array.ndim - 1)])
        # Columns may have no values.
        whole = first[None] if numpy.isfinite(first).all() else _whole(numpy.asarray(ends).reshape(-1, 2))
        if len(whole) and whole[0, 0] != whole[0, 1]:
            yield f"{name} along {core[0]}", bool(whole[0, 0] < whole[0, 1])


def _whole(rows: Any) -> Any:
    """Those that have all of their values."""
    return rows[numpy.isfinite(rows).all(axis=1)]


def _coordinates(
    known: SchemeFields, arrays: Mapping[str, xarray.DataArray], cores: Mapping[str, Any]
) -> Iterator[tuple[str, bool]]:
    """What the coordinates of vertical dimensions say."""
    for name, array in arrays.items():
        for dimension, dim in zip(known[name].dimensions, cores[name]):
            downward = _grows_downward(array.coords[dim]) if dimension in VERTICAL and dim in array.coords else None
            ends = numpy.asarray(array.coords[dim][[0, -1]]) if downward is not None else numpy.zeros(2)
            if ends[0] != ends[1]:
                yield f"the coordinate {dim} of {name}", bool(downward) == bool(ends[0] < ends[1])


def _grows_downward(coordinate: xarray.DataArray) -> bool | None:
    """Do the numbers of a vertical coordinate grow downward? None where it does not say so."""
    if coordinate.size < 2 or coordinate.dtype.kind not in "fiu":
        return None
    way = str(coordinate.attrs.get("positive", "")).lower()
    if way in ("up", "down"):
        return way == "down"
    name, units = str(coordinate.attrs.get("standard_name", "")), coordinate.attrs.get("units")
    if name in UPWARD:
        # Numbers of levels, as ICON has them by the name of height, count in any direction.
        return None if units is None or _inputs.is_of(str(units), "1") else False
    if name in DOWNWARD or _inputs.is_of(str(units), "Pa"):
        return True
    # A length along the vertical is a height, unless it is called a depth.
    called = f"{coordinate.name} {name} {coordinate.attrs.get('long_name', '')}".lower()
    is_height = coordinate.name == "z" or coordinate.attrs.get("axis") == "Z" or any(map(called.__contains__, HEIGHTS))
    return False if is_height and "depth" not in called and _inputs.is_of(str(units), "m") else None
