"""Jacobians of `Adding`."""

import numpy

from ._errors import SetupError, unknown


def jacobian(model, adjoint, output, given):
    """Derivatives of an output by all inputs that the adjoint has: a `pullback` for each value of a profile."""
    results = {field.name: field for field in adjoint.inputs if field.name not in model._cores}
    if output not in results:
        raise unknown("result with derivatives", output, list(results))
    wanted = {"levels": True} if output in ("upward_radiance", "downward_radiance") else {}
    wanted = {"fluxes": True} if output.endswith("_flux") else wanted
    found = model.run(**{**given, **wanted})
    if output not in found:
        there = ", ".join(name for name in results if name in found)
        raise SetupError(f"{output} is no result of these inputs and options: there are {there}")
    values, own = found[output], len(results[output].dimensions)
    last = (given.get("items_axis") or model.items_axis) == "last"
    axes = range(values.ndim - own)

    def profiles_first(array, cores):
        return numpy.moveaxis(array, range(cores, array.ndim), axes) if last else array

    def as_given(array):
        return numpy.moveaxis(array, axes, range(-len(axes), 0)) if last else array

    values = profiles_first(values, own)
    rows = []
    for place in numpy.ndindex(values.shape[len(axes):]):
        one = numpy.zeros_like(values)
        one[(..., *place)] = 1
        row = model.pullback({output: as_given(one)}, **given)
        rows.append({
            name: profiles_first(array, array.ndim - len(axes)) for name, array in row.items() if name != "status"
        })
    slopes = {}
    for name in rows[0] if rows else ():
        array = numpy.stack([row[name] for row in rows], axis=len(axes))
        slopes[name] = as_given(array.reshape(*values.shape, *array.shape[len(axes) + 1:]))
    return slopes
