"""Tangents and adjoints of chemistry."""

import numpy
import pytest

import isobar


@pytest.fixture
def model(data):
    return isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", method="rodas3", end_s=600)


@pytest.fixture
def cells(model, data):
    return model.read(data / "chemistry" / "cells.nc")


def test_adjoint_is_transposed_tangent(model, cells):
    done = model.run(**cells)
    c = cells["concentration"]
    k = model.adjoint("O3", **cells).rate_constant
    random = numpy.random.default_rng(1)
    of_c, of_k = (x * random.uniform(-1, 1, (2, *x.shape)) for x in (c, k))
    weights = random.uniform(-1, 1, (3, *c.shape)) / (done.concentration + 1)
    along = model.tangent(of_c, of_k, **cells)
    back = model.adjoint(weights, **cells)
    assert along.change.shape == of_c.shape
    assert back.by_concentration.shape == weights.shape and back.by_rate_constant.shape == (3, *k.shape)
    for found in (along, back):
        assert numpy.array_equal(found.concentration, done.concentration)
        assert numpy.array_equal(found.rate_constant, k) and not found.status.any()
    for direction in range(2):
        for number in range(3):
            terms = weights[number] * along.change[direction]
            by_adjoint = [
                back.by_concentration[number] * of_c[direction],
                back.by_rate_constant[number] * of_k[direction],
            ]
            sums = terms.sum(1), sum(part.sum(1) for part in by_adjoint)
            largest = numpy.max([abs(part).max(1) for part in (terms, *by_adjoint)], 0)
            assert (abs(sums[0] - sums[1]) <= 1e-12 * largest).all()


def test_names_axes_and_single_cells(model, cells):
    whole = model.adjoint(["O3", "no2"], **cells)
    weights = numpy.zeros((len(model.species),))
    weights[model.species.index("NO2")] = 1
    # The same for all cells, and no further axis.
    one = model.adjoint(weights, **cells)
    assert numpy.array_equal(one.by_rate_constant, whole.by_rate_constant[1])
    assert numpy.array_equal(model.adjoint("NO2", **cells).by_concentration, whole.by_concentration[1])
    turned = {name: numpy.moveaxis(x, 0, -1) if numpy.ndim(x) == 2 else x for name, x in cells.items()}
    last = model.adjoint(["O3", "NO2"], items_axis="last", **turned)
    assert numpy.array_equal(numpy.moveaxis(last.by_concentration, -1, 1), whole.by_concentration)
    alone = {name: x[1] if numpy.ndim(x) else x for name, x in cells.items()}
    single = model.adjoint(["O3", "NO2"], **alone)
    assert numpy.array_equal(single.by_concentration, whole.by_concentration[:, 1])
    assert single.status == 0
    change = numpy.zeros(len(model.species))
    assert not model.tangent(change, **alone).change.any()


def test_options_of_model_and_call(data, cells):
    model = isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", device="thread", method="ros4")
    found = model.adjoint("O3", end_s=60, **cells)
    assert numpy.array_equal(found.concentration, model.run(end_s=60, **cells).concentration)


def test_mistakes(model, cells):
    with pytest.raises(isobar.UnknownNameError, match="no species 'O4'"):
        model.adjoint("O4", **cells)
    with pytest.raises(isobar.SetupError, match="neither concentrations nor rate constants change"):
        model.tangent(**cells)
    with pytest.raises(isobar.SetupError, match="rate constants that change within the interval"):
        model.adjoint("O3", rates="stage", **cells)
    with pytest.raises(isobar.FieldError, match="weights has the shape"):
        model.adjoint(numpy.ones(3), **cells)
    with pytest.raises(isobar.FieldError, match="rate_input"):
        model.adjoint("O3", concentration=cells["concentration"])


def test_masks_and_units_are_those_of_a_run(model, cells):
    """What is masked is no number, and a unit is converted or refused, as by `run`."""
    c = cells["concentration"]
    some = numpy.ma.MaskedArray(c, mask=False)
    some[1, 2] = numpy.ma.masked
    masked = {**cells, "concentration": some}
    for call in (lambda: model.adjoint("O3", **masked), lambda: model.tangent(numpy.ones_like(c), **masked)):
        with pytest.raises(isobar.FieldError, match="concentration at cell 1, species 2 is NaN"):
            call()
    pint = pytest.importorskip("pint")
    unit = pint.UnitRegistry()
    minute = model.adjoint("O3", **{**cells, "first_step_s": unit.Quantity(1.0, "minute")})
    seconds = model.adjoint("O3", **{**cells, "first_step_s": 60.0})
    assert numpy.array_equal(minute.by_concentration, seconds.by_concentration)
    with pytest.raises(isobar.KindError, match="concentration has the unit"):
        model.adjoint("O3", **{**cells, "concentration": unit.Quantity(c, "1/m^3")})


@pytest.mark.parametrize("bad", [{2}, {0, 1, 5}, set(range(8))])
def test_cells_that_are_not_accepted_are_flagged(data, cells, bad):
    """As in `run`: the others have what they have without them."""
    model = isobar.Chemistry(
        data / "mechanisms" / "chapman_nox.kpp", method="rodas3", end_s=600, bad_items="flag", device="thread"
    )
    wrong = {**cells, "concentration": cells["concentration"].copy()}
    for cell in bad:
        wrong["concentration"][cell, 3] = numpy.nan
    good = [cell for cell in range(8) if cell not in bad]
    changes = cells["concentration"] / 7
    done = model.run(**wrong)
    for call, names in (
        (lambda given: model.adjoint(["O3", "NO"], **given), ("by_concentration", "by_rate_constant")),
        (lambda given: model.tangent(numpy.stack([changes, changes]), **given), ("change",)),
    ):
        found, expected = call(wrong), call(cells)
        assert numpy.array_equal(found.status, done.status)
        assert [error.item for error in found.errors] == sorted(bad)
        assert all(f"concentration at cell {error.item}, species 3 is NaN" in str(error) for error in found.errors)
        for name in ("concentration", "rate_constant", *names):
            assert found[name].shape == expected[name].shape
            assert numpy.array_equal(found[name][..., good, :], expected[name][..., good, :])
            assert numpy.isnan(found[name][..., sorted(bad), :]).all()


@pytest.mark.parametrize("weights, words", [
    (["O3", 2], "weights has names of species and 2"), ("OZONE", "there is no species 'OZONE'"),
    (object(), "weights is object, and numbers are wanted"),
])
def test_weights_that_are_none(model, cells, weights, words):
    with pytest.raises(isobar.IsobarError, match=words):
        model.adjoint(weights, **cells)
    of_array = model.adjoint(numpy.array(["O3"]), **cells)
    assert numpy.array_equal(of_array.by_concentration, model.adjoint(["O3"], **cells).by_concentration)
