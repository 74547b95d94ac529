"""Every field of every scheme in a layout of its own gives the same bits, and writes nothing but its own."""

import isobar
import numpy as np
import pytest

COUNT = 37
PUZZLE = np.float64(7.25)


def scattered(array, random):
    """The array in some layout, and the memory around it."""
    order = random.permutation(array.ndim)
    gaps = random.integers(1, 4, array.ndim)
    backwards = random.integers(0, 2, array.ndim).astype(bool)
    shape = [int(size * gap + 2) for size, gap in zip(array.shape, gaps)]
    memory = np.full([shape[axis] for axis in order], PUZZLE).astype(array.dtype)
    view = memory.transpose(np.argsort(order))
    view = view[tuple(slice(1, 1 + size * gap, gap) for size, gap in zip(array.shape, gaps))]
    flip = tuple(slice(None, None, -1 if back else 1) for back in backwards)
    view = view[flip]
    view[...] = array
    return view, memory


def merges(array, items):
    """Can dimensions besides the items be one for the scheme? Others are an error that another test has."""
    strides, shape = array.strides[items:], array.shape[items:]
    return all(outer == inner * size for outer, inner, size in zip(strides, strides[1:], shape[1:]))


def tile(fields):
    return {
        name: np.repeat(array[:1], COUNT, axis=0) if getattr(array, "ndim", 0) else array
        for name, array in fields.items()
    }


def cases(data):
    yield isobar.YSU(time_step_s=60, top_down=True, topographic=True), data / "pbl" / "columns.nc", {}
    yield isobar.Radiation(derivative=True, clear_sky=True), data / "radiation" / "columns.nc", {}
    longwave = isobar.Radiation("analytic", derivative=True, clear_sky=True)
    yield longwave, data / "radiation" / "columns.nc", {"assume_zero": True}
    yield isobar.ClearSky(output="levels"), data / "adding" / "profiles.nc", {}
    yield isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", end_s=600), data / "chemistry" / "cells.nc", {}


@pytest.mark.parametrize("device", ["cpu", "thread"])
@pytest.mark.parametrize("number", range(5))
def test_layouts(data, number, device):
    model, file, choices = list(cases(data))[number]
    fields = model.read(file, **choices)
    known = {field.name for field in isobar.fields(model).inputs}
    options = {name: value for name, value in fields.items() if name not in known}
    fields = tile({name: value for name, value in fields.items() if name in known})
    random = np.random.default_rng(number)
    for name, array in fields.items():
        if name in ("temperature_k", "planck_radiance", "concentration"):
            fields[name] = array * (1 + 1e-3 * random.random((COUNT, *[1] * (array.ndim - 1))))
    expected = model.run(**fields, **options)
    assert (expected["status"] == 0).all()
    for _ in range(12):
        inputs, out, memories = {}, {}, {}
        for name, array in fields.items():
            inputs[name] = array
            if array.ndim:
                view, _ = scattered(array, random)
                inputs[name] = view if merges(view, 1) else array
        for name, array in expected.items():
            view, memory = scattered(np.zeros_like(array), random)
            if merges(view, 1):
                out[name], memories[name] = view, memory
        found = model.run(**inputs, **options, out=out)
        for name, array in expected.items():
            assert np.array_equal(found[name], array, equal_nan=array.dtype.kind == "f"), name
            if name in memories:
                # Around the view is what was there.
                out[name][...] = PUZZLE.astype(array.dtype)
                assert (memories[name] == PUZZLE.astype(array.dtype)).all(), name


def test_layouts_that_scatter():
    random = np.random.default_rng(3)
    layers = 5
    fields = {
        "optical_depth": random.random((COUNT, layers)),
        "single_scattering_albedo": 0.9 * random.random((COUNT, layers)),
        "asymmetry": random.random((COUNT, layers)) - 0.2, "planck_radiance": 50 + 10 * random.random((COUNT, layers)),
        "surface_planck_radiance": 100 + random.random(COUNT), "emissivity": 0.9 + 0.1 * random.random((COUNT, 3)),
        "cosmic_background": 0.0, "viewing_cosine": np.full(COUNT, 0.7),
    }
    model = isobar.Scattering(nodes=2, levels=True)
    expected = model.run(**fields)
    for _ in range(10):
        inputs = {name: scattered(array, random)[0] if np.ndim(array) else array for name, array in fields.items()}
        out = {name: scattered(np.zeros_like(array), random)[0] for name, array in expected.items() if array.ndim < 3}
        found = model.run(**inputs, out=out)
        for name, array in expected.items():
            assert np.array_equal(found[name], array), name


def test_light_from_any_direction():
    random = np.random.default_rng(4)
    layers, views, azimuths = 4, 3, 2
    fields = {
        "viewing_cosine": 0.1 + 0.9 * random.random((COUNT, views)),
        "relative_azimuth": 180 * random.random((COUNT, azimuths)), "optical_depth": random.random((COUNT, layers)),
        "single_scattering_albedo": random.random((COUNT, layers)), "asymmetry": random.random((COUNT, layers)) - 0.2,
        "planck_radiance": np.full((COUNT, layers), 80.0), "surface_planck_radiance": np.full(COUNT, 80.0),
        "surface_parameters": random.random((COUNT, 1)), "cosmic_background": np.full(COUNT, 80.0),
        "sun_cosine": random.random((COUNT, 1)), "sun_irradiance": np.full((COUNT, 1), 3.0),
    }
    model = isobar.Adding(nodes=2, levels=True, fluxes=True)
    expected = model.run(**fields)
    assert expected.top_radiance.shape == (COUNT, 1, views, azimuths)
    for _ in range(10):
        inputs = {name: scattered(array, random)[0] for name, array in fields.items()}
        found = model.run(**inputs)
        for name, array in expected.items():
            assert np.array_equal(found[name], array), name
    # Without the Sun all is in equilibrium with the light of 80 from everywhere.
    dark = model.run(**fields | {"sun_irradiance": np.zeros((COUNT, 1))})
    assert np.allclose(dark.upward_radiance, 80.0, rtol=1e-13)
    assert np.allclose(dark.actinic_flux, 320 * np.pi, rtol=1e-13)
    assert (expected.top_radiance > dark.top_radiance).all()
    # A product with cotangents is that of the Jacobian, whose axes are those of output and input.
    jacobian = model.jacobian("top_radiance", **fields)["optical_depth"]
    assert jacobian.shape == (COUNT, 1, views, azimuths, layers)
    weights = random.random(expected.top_radiance.shape)
    found = model.pullback({"top_radiance": weights}, **fields).optical_depth
    assert np.allclose(found, np.einsum("psva,psval->pl", weights, jacobian), rtol=1e-11, atol=1e-11)
    step = 1e-5 * np.eye(layers)[1]
    near = [model.run(**fields | {"optical_depth": fields["optical_depth"] + h}).top_radiance for h in (step, -step)]
    assert np.allclose(jacobian[..., 1], (near[0] - near[1]) / 2e-5, rtol=1e-5, atol=1e-5)
