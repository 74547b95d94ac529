"""Derivatives of fluxes by all inputs: `Radiation.pullback` and `RadiationAdjoint`."""

import shutil

import numpy
import pytest

import isobar

RESULTS = ["longwave_up_w_per_m2", "longwave_heating_k_per_day", "shortwave_up_w_per_m2", "shortwave_direct_w_per_m2"]
INPUTS = ["h2o", "o3", "level_pressure_pa", "cosine_zenith", "surface_albedo_direct"]


@pytest.fixture
def columns(data):
    columns = isobar.Radiation().read(data / "radiation" / "columns.nc")
    # Clouds of sub-columns are drawn by pressures and temperatures, by which there would be no differences.
    return {name: value for name, value in columns.items() if not name.startswith(("cloud", "liquid", "ice"))}


def weights(out):
    random = numpy.random.default_rng(3)
    return {name: random.uniform(-1, 1, out[name].shape) for name in RESULTS}


def sums(products):
    """Those of each column."""
    return products.sum(axis=tuple(range(1, products.ndim)))


def test_pullback_is_a_difference(columns):
    model = isobar.Radiation()
    cotangents = weights(model.run(**columns))
    slopes = model.pullback(cotangents, **columns)

    def number(name, value):
        found = model.run(**{**columns, name: value})
        return sum(sums(cotangents[name] * found[name]) for name in RESULTS)

    for name in INPUTS:
        value, step = numpy.asarray(columns[name]), 1e-5
        more, less = (number(name, value * (1 + sign * step)) for sign in (1, -1))
        terms = slopes[name] * numpy.broadcast_to(value, slopes[name].shape)
        # The square of the step, and the rounding of fluxes over it.
        accepted = 1e-6 * sums(abs(terms)) + 1e-5
        assert (abs(sums(terms) - (more - less) / (2 * step)) < accepted).all(), name
        assert sums(abs(terms)).max() > 1e-3, name


def test_names_and_axes(columns):
    model = isobar.Radiation()
    cotangents = weights(model.run(**columns))
    slopes = model.pullback(cotangents, **columns)
    again = isobar.RadiationAdjoint().run(**cotangents, **columns)

    def turned(values):
        return {name: numpy.moveaxis(value, 0, -1) if numpy.ndim(value) else value for name, value in values.items()}

    last = isobar.Radiation(items_axis="last").pullback(turned(cotangents), **turned(columns))
    for name in INPUTS:
        assert (slopes[name] == again[name]).all(), name
        assert (slopes[name] == numpy.moveaxis(last[name], -1, 0)).all(), name


def test_files_are_read_once(columns, data, tmp_path):
    file = shutil.copy(data / "radiation" / "ecckd-longwave-32.nc", tmp_path)
    model = isobar.Radiation(file)
    one = {"longwave_up_w_per_m2": numpy.ones((8, 41))}
    first = model.pullback(one, **columns)
    (tmp_path / "ecckd-longwave-32.nc").unlink()
    assert (model.pullback(one, **columns).h2o == first.h2o).all()


def test_what_it_does_not_have(columns):
    adjoint = isobar.RadiationAdjoint()
    with pytest.raises(isobar.SetupError, match="the adjoint has no long wave that scatters"):
        adjoint.run(longwave_up_w_per_m2=1.0, **columns, longwave_scattering="two_stream")
    with pytest.raises(isobar.UnknownNameError):
        adjoint.run(longwave_upp=1.0, **columns)
