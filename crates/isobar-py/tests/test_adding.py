"""`Adding` on arrays."""

import warnings

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


def labelled(value, units):
    xarray = pytest.importorskip("xarray")
    value = np.asarray(value)
    return xarray.DataArray(value, dims=("profile", "sun")[:value.ndim], attrs={"units": units})


def test_radiances_are_in_one_unit():
    model = isobar.Adding(nodes=2, device="thread")
    expected = model.run(**sky()).top_radiance
    sun = labelled([[1e-3]], "W m-2 nm-1")
    background = labelled([0.1], "W m-2 sr-1 um-1")
    found = model.run(**sky(sun_irradiance=sun, cosmic_background=background)).top_radiance
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    cotangents = {"top_radiance": 1.0}
    slopes = model.pullback(cotangents, **sky(sun_irradiance=sun, cosmic_background=background))
    np.testing.assert_allclose(slopes.optical_depth, model.pullback(cotangents, **sky()).optical_depth, rtol=1e-14)
    # One alone is that of all.
    assert (model.run(**sky(sun_irradiance=labelled([[1.0]], "W m-2 nm-1"))).top_radiance == expected).all()
    for wrong, words in (
        ({"sun_irradiance": labelled([[1.0]], "furlong")}, "sun_irradiance: its unit is 'furlong', which is none of"),
        ({"sun_irradiance": labelled([[1.0]], "W m-2 sr-1 um-1")}, "which is none of .* times sr; give its numbers"),
        ({"sun_irradiance": labelled([[1.0]], "W m-2"), "cosmic_background": background},
         "sun_irradiance: its unit is 'W m-2', which is none of 'W m-2 um-1'"),
    ):
        with pytest.raises(isobar.FieldError, match=words) as caught:
            model.run(**sky(**wrong))
        assert caught.value.variable == "sun_irradiance"


@pytest.mark.parametrize("chunks", [None, {}])
def test_radiances_of_datasets_are_in_one_unit(chunks):
    xarray = pytest.importorskip("xarray")
    if chunks is not None:
        pytest.importorskip("dask")
    import isobar.xarray

    dimensions = {field.name: field.dimensions for field in isobar.fields("adding").inputs}
    dataset = xarray.Dataset(
        {name: (("profile", *dimensions[name]), np.reshape(value, (1, *np.shape(value)[1:])))
         for name, value in sky().items()}
    )
    model = isobar.Adding(nodes=2, device="thread", fluxes=True)
    expected = isobar.xarray.run(model, dataset)
    assert "units" not in expected.top_radiance.attrs
    dataset["sun_irradiance"] = (("profile", "sun"), [[1e-3]], {"units": "W m-2 nm-1"})
    dataset.cosmic_background.attrs["units"] = "W m-2 sr-1 um-1"
    found = isobar.xarray.run(model, dataset if chunks is None else dataset.chunk(chunks))
    np.testing.assert_allclose(found.top_radiance, expected.top_radiance, rtol=1e-14)
    assert found.top_radiance.attrs["units"] == "W m-2 sr-1 um-1"
    assert found.upward_flux.attrs["units"] == "W m-2 um-1"
    dataset.cosmic_background.attrs["units"] = "mW m-2 sr-1 cm"
    with pytest.raises(isobar.FieldError, match="W m-2 nm-1', which is none of 'mW m-2 cm'"):
        isobar.xarray.run(model, dataset)


@pytest.mark.parametrize(
    ("values", "attributes", "of_dataset"),
    [
        ([900.0, 500, 100], {"units": "hPa"}, {}),
        ([900.0, 500, 100], {"standard_name": "air_pressure"}, {}),
        ([0.9, 0.5, 0.1], {"units": "1", "positive": "down"}, {}),
        ([500.0, 5000, 15000], {"units": "m", "standard_name": "height"}, {}),
        ([500.0, 5000, 15000], {"units": "m", "positive": "up"}, {}),
        ([0, 1, 2], {}, {"orientation": "bottom_first"}),
    ],
)
def test_coordinates_say_which_layer_is_the_top(values, attributes, of_dataset):
    xarray = pytest.importorskip("xarray")
    import isobar.xarray

    model = isobar.ClearSky(cosine=[1.0, 0.5], device="thread")
    layers = {"optical_depth": [3.0, 0.3, 0.1], "planck_radiance": [3.0, 2, 1]}
    dataset = xarray.Dataset(
        {**{name: (("layer", "profile"), np.reshape(value, (3, 1))) for name, value in layers.items()},
         "surface_planck_radiance": (("profile",), [4.0]), "emissivity": (("angle",), [0.9, 0.9])},
        coords={"layer": ("layer", values, attributes)}, attrs=of_dataset,
    )
    expected = isobar.xarray.run(model, dataset, cosmic_background=0.0, top_first=False).top_radiance
    other = isobar.xarray.run(model, dataset, cosmic_background=0.0, top_first=True).top_radiance
    assert (abs(expected - other) > 0.1).all()
    for turned in (dataset, dataset.isel(layer=slice(None, None, -1)) if attributes else dataset):
        found = isobar.xarray.run(model, turned, cosmic_background=0.0).top_radiance
        assert (found == expected).all()
    unknown = dataset.drop_vars("layer")
    unknown.attrs.clear()
    assert (isobar.xarray.run(model, unknown, cosmic_background=0.0).top_radiance == other).all()


def test_radiances_below_zero_are_told():
    """As the command does: Ross and Li's kernels may be below zero."""
    model = isobar.Adding(nodes=8, surface="ross_li", device="thread")
    ground = {"viewing_cosine": np.array([[1.0, 0.34]]), "optical_depth": np.zeros((1, 3)), "sun_cosine": 0.766}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        out = model.run(**{**sky(), **ground, "surface_parameters": np.array([[0.02, 0.0, 0.1]])})
    (text,) = [str(one.message) for one in caught]
    assert out.top_radiance.min() < 0 and "radiances are below zero, to " in text
    assert f"to {out.top_radiance.min():.4f} (upward at the top, profile 0)" in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.run(**{**sky(), **ground, "surface_parameters": np.array([[0.2, 0.0, 0.01]])})


@pytest.mark.parametrize("items_axis", ["first", "last"])
@pytest.mark.parametrize("top_first", [None, False])
@pytest.mark.parametrize("axes", [(1, 1), (2, 1), (1, 3), (2, 3), (1,), (3,)])
def test_moments_that_all_layers_share(items_axis, top_first, axes):
    """An axis of size 1 stands for any, as NumPy spreads arrays."""
    model = isobar.Adding(nodes=2, device="thread", items_axis=items_axis, top_first=top_first)
    moments = 0.6 ** np.arange(6) * np.ones((*axes, 6))
    whole = np.broadcast_to(moments, (2, 3, 6)).copy()
    two = {name: np.repeat(value, 2, axis=0) for name, value in sky().items() if name != "asymmetry"}
    turned = (lambda array: array) if items_axis == "first" else (lambda array: np.moveaxis(array, 0, -1))
    two = {name: turned(value) for name, value in two.items()}
    expected = model.run(**two, phase_moments=turned(whole), corrections=False).top_radiance
    found = model.run(**two, phase_moments=turned(moments) if moments.ndim == 3 else moments, corrections=False)
    assert np.array_equal(found.top_radiance, expected)
