"""Jacobians of `Adding`: profiles on any axes, and outputs that have none."""

import numpy as np
import pytest

import isobar
from small import profiles

CORES = {field.name: len(field.dimensions) for field in isobar.fields("adding").inputs}


def on(axes, last=False):
    """The two profiles of `profiles` on axes of these sizes, or the first of them without."""
    def laid(name, value):
        value = np.asarray(value)
        if value.ndim in (0, CORES[name]) and name != "surface_planck_radiance":
            return value[()]
        if not axes:
            return value[0]
        value = value.reshape(*axes, *value.shape[1:])
        return np.moveaxis(value, range(len(axes)), range(-len(axes), 0)) if last else value

    return {name: laid(name, value) for name, value in profiles().items()}


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("axes", [(2,), (1, 2), (2, 1), (1, 2, 1)])
def test_profiles_on_any_axes(axes, last):
    """What one profile without an axis has, is what each has on any axes."""
    model = isobar.Adding(nodes=2, device="thread", items_axis="last" if last else "first")
    expected = isobar.Adding(nodes=2, device="thread").jacobian("top_radiance", **on((2,)))
    found = model.jacobian("top_radiance", **on(axes, last))
    one = isobar.Adding(nodes=2, device="thread").jacobian("top_radiance", **on(()))
    # (sun, view, azimuth) of the output, and the input's own.
    assert expected["optical_depth"].shape == (2, 2, 2, 2, 3) and one["optical_depth"].shape == (2, 2, 2, 3)
    for name, slopes in expected.items():
        mine = found[name]
        mine = np.moveaxis(mine, range(-len(axes), 0), range(len(axes))) if last else mine
        assert mine.shape == (*axes, *slopes.shape[1:]), name
        np.testing.assert_array_equal(mine.reshape(slopes.shape), slopes)
        np.testing.assert_array_equal(one[name], slopes[0])


def test_one_profile_has_the_slopes_of_differences():
    model, given = isobar.Adding(nodes=2, device="thread"), on(())
    jacobian = model.jacobian("top_radiance", **given)
    for name in ("optical_depth", "single_scattering_albedo"):
        for layer in range(3):
            step = np.zeros(3)
            step[layer] = 1e-5
            more, less = (model.run(**{**given, name: given[name] + sign * step}).top_radiance for sign in (1, -1))
            np.testing.assert_allclose(jacobian[name][..., layer], (more - less) / 2e-5, rtol=1e-6, atol=1e-8)


def test_outputs_without_derivatives():
    model = isobar.Adding(nodes=2, device="thread")
    for output in ("status", "nope", 3):
        with pytest.raises(isobar.UnknownNameError, match="there is no result with derivatives"):
            model.jacobian(output, **on((2,)))
