"""Moments of phase functions, against closed forms, and what is refused."""

import isobar
import numpy as np
import pytest
from isobar import phase_functions


def test_closed_forms():
    assert np.allclose(phase_functions.henyey_greenstein(0.7, 20), 0.7 ** np.arange(20), rtol=1e-15, atol=0)
    double = phase_functions.double_henyey_greenstein(0.8, -0.4, 0.9, 5)
    assert np.allclose(double, 0.9 * 0.8 ** np.arange(5) + 0.1 * (-0.4) ** np.arange(5), rtol=1e-14, atol=0)
    assert phase_functions.rayleigh().tolist() == [1.0, 0.0, 0.1]
    assert phase_functions.rayleigh(0.03)[2] == pytest.approx(0.97 / 10.15, rel=1e-15)


def test_tables():
    angles = np.linspace(0.0, 180.0, 1801)
    cosines = np.cos(np.radians(angles))
    asymmetries = np.array([[0.5], [-0.3]])
    table = (1 - asymmetries**2) / (1 + asymmetries**2 - 2 * asymmetries * cosines) ** 1.5
    found = phase_functions.tabulated(angles, table, 30)
    assert found.shape == (2, 30) and (found[:, 0] == 1.0).all()
    assert np.abs(found - asymmetries ** np.arange(30)).max() < 1e-5
    # What is linear in the cosine is exact.
    line = phase_functions.tabulated([0.0, 30.0, 180.0], 1 + 0.6 * np.cos(np.radians([0.0, 30.0, 180.0])), 4)
    assert np.abs(line - [1.0, 0.2, 0.0, 0.0]).max() < 1e-15


def test_mixtures_are_what_their_light_is():
    """Two species mixed give what the layer of their moments gives."""
    haze, air = phase_functions.henyey_greenstein(0.7, 40), phase_functions.rayleigh(0.03)
    depth, albedo, moments = phase_functions.mixture([0.2, 0.1], [0.9, 1.0], [haze, air])
    assert depth == pytest.approx(0.3) and albedo == pytest.approx(0.28 / 0.3)
    padded = np.concatenate([air, np.zeros(37)])
    assert np.allclose(moments, (0.18 * haze + 0.1 * padded) / 0.28, rtol=1e-14)
    radiances = isobar.Adding(nodes=8).run(
        viewing_cosine=np.array([[0.8]]),
        relative_azimuth=np.array([[0.0, 180.0]]),
        optical_depth=np.array([[depth]]),
        single_scattering_albedo=np.array([[albedo]]),
        phase_moments=moments.reshape(1, 1, -1),
        surface_planck_radiance=np.zeros(1),
        surface_parameters=np.array([[0.1]]),
        cosmic_background=np.zeros(1),
        sun_cosine=np.array([[0.5]]),
        sun_irradiance=np.array([[np.pi]]),
    )
    assert (radiances.top_radiance > 0.0).all()


def test_what_is_refused():
    for call, words in [
        (lambda: phase_functions.henyey_greenstein(1.0, 4), "between -1 and 1"),
        (lambda: phase_functions.double_henyey_greenstein(0.5, 0.5, 2.0, 4), "fraction = 2.0"),
        (lambda: phase_functions.rayleigh(-0.1), "0 to 1"),
        (lambda: phase_functions.tabulated([0.0, 90.0], [1.0, 1.0], 4), "180"),
        (lambda: phase_functions.tabulated([0.0, 180.0], [1.0, -1.0], 4), "phase_function"),
        (lambda: phase_functions.mixture([0.1], [1.0], [[1.0], [1.0]]), "2 values"),
        (lambda: phase_functions.mixture([0.1, -0.1], [1.0, 1.0], [[1.0], [1.0]]), r"optical_depth\[1\] = -0.1"),
        (lambda: phase_functions.mixture([np.nan], [1.0], [[1.0]]), "optical_depth.* = nan"),
        (lambda: phase_functions.mixture([np.inf], [1.0], [[1.0]]), "optical_depth.* = inf"),
        (lambda: phase_functions.mixture([0.1], [1.5], [[1.0]]), "single_scattering_albedo.* = 1.5"),
        (lambda: phase_functions.mixture([0.1], [np.nan], [[1.0]]), "single_scattering_albedo.* = nan"),
        (lambda: phase_functions.mixture([0.1], [1.0], [[2.0, 0.5]]), "normalised"),
        (lambda: phase_functions.mixture([0.1], [1.0], [[1.0, 1.5]]), r"moments\[1\] = 1.5"),
        (lambda: phase_functions.mixture([0.1], [1.0], [[]]), "a list of moments"),
        (lambda: phase_functions.tabulated([0.0, 180.0], np.ma.array([1.0, 1.0], mask=[0, 1]), 4), "phase_function"),
    ]:
        with pytest.raises(isobar.FieldError, match=words):
            call()
    with pytest.raises(isobar.SetupError, match="not 1 within"):
        phase_functions.tabulated([0.0, 180.0], [2.0, 2.0], 4)
    with pytest.raises(isobar.SetupError, match="2 values, but 3"):
        phase_functions.tabulated([0.0, 90.0, 180.0], [1.0, 1.0], 4)


def test_units_of_angles():
    pint = pytest.importorskip("pint")
    radians = pint.UnitRegistry().Quantity([0.0, np.pi / 2, np.pi], "radian")
    found = phase_functions.tabulated(radians, [1.5, 1.0, 0.5], 3)
    assert np.allclose(found, [1.0, 1 / 6, 0.0], rtol=0, atol=1e-15)


@pytest.mark.parametrize("make, words", [
    (lambda of: of.henyey_greenstein(np.array([0.5, 0.6]), 5), r"forward has the shape \(2,\), and one number"),
    (lambda of: of.henyey_greenstein("a", 5), "forward is str, and numbers"),
    (lambda of: of.henyey_greenstein(0.5, 2.5), "count is 2.5, and a whole number is wanted"),
    (lambda of: of.henyey_greenstein(0.5, 10**30), "count = 1000000000000000000000000000000; accepted: 1 to"),
    (lambda of: of.rayleigh("x"), "depolarization is str"),
    (lambda of: of.tabulated([0, 180], [1, 1], -1), "count = -1; accepted: 1 to"),
    (lambda of: of.tabulated([[0, 180]], [1, 1], 5), r"angles has the shape \(1, 2\), and one axis is wanted"),
    (lambda of: of.tabulated([0, 180], 5.0, 5), r"table has the shape \(\), and values for all angles"),
    (lambda of: of.tabulated([], [], 5), r"table has the shape \(0,\)"),
    (lambda of: of.tabulated("a", [1, 1], 5), "angles is str"),
    (lambda of: of.mixture(0.1, 0.5, 3), "moments is int, and a list of moments for each species is wanted"),
    (lambda of: of.mixture([[0.1]], [0.5], [[1.0]]), r"optical_depth has the shape \(1, 1\)"),
    (lambda of: of.mixture([0.1], [0.5], [["a"]]), "moments is list, and numbers"),
])
def test_what_is_no_number_or_has_another_shape(make, words):
    with pytest.raises(isobar.FieldError, match=words):
        make(isobar.phase_functions)
