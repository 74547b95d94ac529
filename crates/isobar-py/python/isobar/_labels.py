"""Names along the dimensions of datasets, in the order in which a model has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
import xarray

from ._errors import FieldError


def of(model: Any) -> dict[str, list[str]]:
    """The names that a model has along dimensions of its fields."""
    facts = model.facts
    named = {
        "species": facts.get("species", []),
        "input": [known["name"] for known in facts.get("rate_inputs", [])],
        "reaction": [known["equation"] for known in facts.get("reactions", [])],
    }
    # Two reactions may have the same equation.
    return {dimension: names for dimension, names in named.items() if names and len(set(names)) == len(names)}


def in_order(
    array: xarray.DataArray, field: str, dimension: str, dim: Any, known: Mapping[str, list[str]]
) -> xarray.DataArray:
    """An array with what its labels along a dimension name in the model's order; one without labels as it is."""
    names = known.get(dimension)
    labels = _labels(array, dimension, dim, names) if names else None
    if not names or labels is None:
        return array
    twice = [label for label in labels if labels.count(label) > 1]
    none = [label for label in labels if label not in names]
    missing = [name for name in names if name not in labels]
    for problem, which in (("has twice", twice), ("has what the model does not", none), ("lacks", missing)):
        if which:
            listed = ", ".join(dict.fromkeys(which[:10])) + (" ..." if len(which) > 10 else "")
            raise FieldError(
                f"{field}: the coordinate of {dim!r} {problem}: {listed}; the model's {dimension} are "
                f"{', '.join(names[:20])}{' ...' if len(names) > 20 else ''}, and without labels they go in this order"
            )
    return array if labels == names else array.isel({dim: [labels.index(name) for name in names]})


def _labels(array: xarray.DataArray, dimension: str, dim: Any, names: list[str]) -> list[str] | None:
    """The names along a dimension: of its coordinate, or of another one that has some of the model's. Reactions may
    have names of their own, which say nothing."""
    others = [coordinate for name, coordinate in array.coords.items() if name != dim]
    for coordinate in [*([array.coords[dim]] if dim in array.coords else []), *others]:
        if coordinate.dims != (dim,) or coordinate.dtype.kind not in "OSTU":
            continue
        values = numpy.asarray(coordinate.values).ravel().tolist()
        labels = [one.decode() if isinstance(one, bytes) else str(one) for one in values]
        if any(label in names for label in labels) or coordinate.name == dim and dimension != "reaction":
            return labels
    return None
