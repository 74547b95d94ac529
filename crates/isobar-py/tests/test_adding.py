"""`Adding` on arrays."""

import numpy as np
import pytest

import isobar


def sky(**others):
    """A profile of three layers under the Sun."""
    return {
        "viewing_cosine": np.array([[1.0, 0.7]]), "optical_depth": np.array([[0.1, 0.3, 0.6]]),
        "single_scattering_albedo": np.array([[1.0, 0.9, 0.8]]), "asymmetry": np.array([[0.1, 0.6, 0.75]]),
        "surface_planck_radiance": np.array([0.0]), "cosmic_background": np.array([0.1]),
        "surface_parameters": np.array([[0.2]]), "sun_cosine": np.array([[0.6]]), "sun_irradiance": np.array([[1.0]]),
        **others,
    }


def test_without_azimuths_radiances_are_means():
    model = isobar.Adding(nodes=4, device="thread")
    around = model.run(**sky(relative_azimuth=np.arange(0.0, 360, 22.5)[None]), corrections=False)
    mean = model.run(**sky())
    for name in ("top_radiance", "surface_downward_radiance"):
        np.testing.assert_allclose(mean[name][..., 0], around[name].mean(axis=-1), rtol=1e-12)
    with pytest.warns(match="components = 3 has no effect: without relative_azimuth"):
        assert (model.run(**sky(), components=3).top_radiance == mean.top_radiance).all()
