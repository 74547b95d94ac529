"""Tangents and adjoints of chemistry: the shapes of arrays, and lists for the compiled module."""

import numpy

from . import _inputs
from ._errors import FieldError, KindError, SetupError, unknown
from ._masked import renumbered
from ._results import Results


# The units of what cells start from; all else is in any unit.
UNITS = {"first_step_s": "s"}
# The status of a cell whose values are not accepted, as `run` has it.
NOT_ACCEPTED = 2


class Shapes:
    """How arrays of a call lie, by its concentrations: (cell, species), (species, cell), or (species) of one cell."""

    def __init__(self, concentration, species, items_axis):
        if items_axis not in ("first", "last"):
            raise SetupError(f"items_axis is {items_axis!r}, and 'first' or 'last' is wanted")
        given = numbers("concentration", concentration)
        if given.ndim not in (1, 2):
            raise wrong("concentration", given, "one or two axes")
        self.one, self.last, self.species = given.ndim == 1, items_axis == "last", species
        self.cells = 1 if self.one else given.shape[1 if self.last else 0]

    def list(self, name, value, rows):
        """Values (row, cell) in a list. A number is that of all; what has no axis of cells is the same for all."""
        given = numbers(name, value)
        if given.ndim == 1:
            given = given[:, None]
        elif given.ndim == 2 and not self.last:
            given = given.T
        if given.ndim > 2 or given.ndim == 2 and self.one and given.shape[1] != 1:
            raise wrong(name, given, "at most two axes")
        try:
            return numpy.broadcast_to(given, (rows, self.cells)).ravel()
        except ValueError:
            raise wrong(name, numbers(name, value), f"{rows} values a cell of {self.cells}") from None

    def lists(self, name, value, rows):
        """The same of several, one after the other in the first axis, if there is one more axis than cells have."""
        given = numbers(name, value)
        several = given.ndim == (2 if self.one else 3)
        parts = [self.list(name, part, rows) for part in (given if several else [given])]
        return (numpy.concatenate(parts) if parts else numpy.zeros(0)), several

    def array(self, values, rows, several=False):
        """A list of results as an array of the shape of a call."""
        array = values.reshape(-1, rows, self.cells)
        if self.one:
            array = array[:, :, 0]
        elif not self.last:
            array = numpy.moveaxis(array, 1, 2)
        return array if several else array[0]


def numbers(name, value):
    """An array in the unit of its field, if there is one of this name; what is masked is NaN."""
    unit = UNITS.get(name, "any unit")
    try:
        return numpy.asarray(_inputs.plain(name, unit, value), numpy.float64)
    except FieldError:
        raise
    except (TypeError, ValueError):
        raise KindError(f"{name} is {type(value).__name__}, and numbers are wanted") from None


def wrong(name, array, wanted):
    """The error of an array of another shape."""
    error = FieldError(f"{name} has the shape {array.shape}, and {wanted} are wanted")
    error.variable = name
    return error


def weights_of(weights, shapes, names):
    """Weights of final concentrations: an array, the name of a species, or a list of names."""
    if isinstance(weights, str):
        return one_hot([weights], shapes, names), False
    if isinstance(weights, numpy.ndarray) and weights.dtype.kind == "U" and weights.ndim == 1:
        weights = weights.tolist()
    if isinstance(weights, (list, tuple)) and any(isinstance(name, str) for name in weights):
        other = [name for name in weights if not isinstance(name, str)]
        if other:
            raise KindError(f"weights has names of species and {other[0]!r}: give names, or weights of all species")
        return one_hot(weights, shapes, names), True
    return shapes.lists("weights", weights, len(names))


def one_hot(chosen, shapes, names):
    """1 for one species each."""
    lists = numpy.zeros((len(chosen), len(names), shapes.cells))
    known = [name.lower() for name in names]
    for number, name in enumerate(chosen):
        if name.lower() not in known:
            raise unknown("species", name, names)
        lists[number, known.index(name.lower())] = 1.0
    return lists.ravel()


def cells_of(shapes, reactions, inputs, concentration, rate_constant, rate_input, first_step_s):
    """Lists of what cells start from."""
    lists = {
        "concentration": shapes.list("concentration", concentration, shapes.species),
        "first_step_s": numpy.zeros(shapes.cells),
    }
    if rate_constant is not None:
        lists["rate_constant"] = shapes.list("rate_constant", rate_constant, reactions)
    if rate_input is not None and inputs:
        lists["rate_input"] = shapes.list("rate_input", rate_input, inputs)
    if first_step_s is not None:
        first = numbers("first_step_s", first_step_s)
        if first.ndim > 1 or first.ndim == 1 and first.shape != (shapes.cells,):
            raise wrong("first_step_s", first, f"{shapes.cells} values")
        lists["first_step_s"] = numpy.broadcast_to(first, shapes.cells).copy()
    return lists


def of_good_cells(compute, lists, shapes, rows):
    """Computes lists by name, with a good cell in the place of those whose values are not accepted.

    rows: the length of each result for a cell. Gives results, without numbers in such cells, and their errors.
    """
    errors, lists, good = {}, dict(lists), None
    while True:
        try:
            found = compute(lists)
            break
        except FieldError as error:
            if error.item is None:
                raise
            # The one that stood in the place of others is none itself.
            number = good if error.item in errors else error.item
            errors[number] = renumbered(error, "cell", number)
        good = next((cell for cell in range(shapes.cells) if cell not in errors), None)
        if good is None:
            found = {name: numpy.zeros(count * shapes.cells) for name, count in rows.items()}
            found["status"] = numpy.zeros(shapes.cells, numpy.uint32)
            break
        for name, values in lists.items():
            cells = numpy.array(values).reshape(-1, shapes.cells)
            cells[:, list(errors)] = cells[:, [good]]
            lists[name] = cells.ravel()
    for name, values in found.items():
        values.reshape(-1, shapes.cells)[:, list(errors)] = NOT_ACCEPTED if name == "status" else numpy.nan
    return found, [errors[number] for number in sorted(errors)]


def results_of(shapes, reactions, several, found):
    """Arrays of the lists that the compiled module gives."""
    found, errors = found
    rows = {"rate_constant": (reactions, False), "by_rate_constant": (reactions, several)}
    rows |= {"concentration": (shapes.species, False)}
    results = Results()
    for name, values in found.items():
        if name == "status":
            results[name] = values[0] if shapes.one else values
        else:
            results[name] = shapes.array(values, *rows.get(name, (shapes.species, several)))
    results.errors = errors
    return results
