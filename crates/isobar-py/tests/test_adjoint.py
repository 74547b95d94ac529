"""Derivatives of fluxes by all inputs: `Radiation.pullback` and `RadiationAdjoint`."""

import numpy
import pytest

import isobar


@pytest.fixture
def columns(data):
    columns = isobar.Radiation().read(data / "radiation" / "columns.nc")
    # Clouds of sub-columns are drawn by pressures and temperatures, by which there would be no differences.
    return {name: value for name, value in columns.items() if not name.startswith(("cloud", "liquid", "ice"))}


@pytest.mark.parametrize("items_axis", ["first", "last"])
def test_pullback_is_a_difference(columns, items_axis):
    model = isobar.Radiation(items_axis=items_axis)
    if items_axis == "last":
        columns = {name: numpy.moveaxis(numpy.asarray(value), 0, -1) for name, value in columns.items()}
    out = model.run(**columns)
    random = numpy.random.default_rng(3)
    names = ["longwave_up_w_per_m2", "longwave_heating_k_per_day", "shortwave_up_w_per_m2", "shortwave_direct_w_per_m2"]
    cotangents = {name: random.uniform(-1, 1, out[name].shape) for name in names}
    slopes = model.pullback(cotangents, **columns)
    again = isobar.RadiationAdjoint(items_axis=items_axis).run(**cotangents, **columns)

    def number(changed):
        found = model.run(**{**columns, **changed})
        axes = tuple(range(1, 9)) if items_axis == "first" else tuple(range(8))
        return sum(
            (cotangents[name] * found[name]).sum(axis=tuple(a for a in axes if a < found[name].ndim)
            if items_axis == "first" else tuple(range(found[name].ndim - 1)))
            for name in names
        )

    for name in ["h2o", "o3", "level_pressure_pa", "cosine_zenith", "surface_albedo_direct"]:
        value = numpy.asarray(columns[name])
        assert slopes[name].shape[0 if items_axis == "first" else -1] == out["status"].shape[0]
        assert (slopes[name] == again[name]).all()
        step = 1e-5
        more, less = (number({name: value * (1 + sign * step)}) for sign in (1, -1))
        difference = (more - less) / (2 * step)
        terms = slopes[name] * numpy.broadcast_to(value, slopes[name].shape)
        others = tuple(range(1, terms.ndim)) if items_axis == "first" else tuple(range(terms.ndim - 1))
        exact, scale = terms.sum(axis=others), numpy.abs(terms).sum(axis=others)
        # The square of the step, and the rounding of fluxes over it.
        assert (numpy.abs(exact - difference) < 1e-6 * scale + 1e-5).all(), name


def test_what_it_does_not_have(columns):
    adjoint = isobar.RadiationAdjoint()
    with pytest.raises(isobar.SetupError, match="the adjoint has no long wave that scatters"):
        adjoint.run(longwave_up_w_per_m2=1.0, **columns, longwave_scattering="two_stream")
    with pytest.raises(isobar.UnknownNameError):
        adjoint.run(longwave_upp=1.0, **columns)
