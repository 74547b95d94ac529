"""Radiances, derivatives and retrievals: the digits of the command's files, which have all of them."""

import os
import subprocess

import isobar
import numpy as np
import pytest


@pytest.fixture
def limb(data):
    case = isobar.Jurassic(data / "limb" / "limb.ctl")
    return case, case.read_atmosphere(data / "limb" / "atm.tab"), case.read_observation(data / "limb" / "obs.tab")


def test_forward(limb, data):
    case, air, rays = limb
    out = case.forward(air, rays)
    expected = case.read_observation(data / "limb" / "rad.tab")
    assert np.array_equal(out.radiance, expected["radiance"])
    assert np.array_equal(out.transmittance, expected["transmittance"])
    assert np.array_equal(out.tangent_height_km, expected["tangent_height_km"])
    # Pencil beams of the other class, in arrays.
    model = isobar.Infrared(data / "limb" / "limb.ctl")
    names = {field.name for field in isobar.fields(model).inputs}
    sights = {name: array for name, array in rays.items() if name in names}
    beams = model.run(**sights, atmosphere=data / "limb" / "atm.tab")
    assert np.array_equal(beams.radiance, out.radiance)
    levels = {name: air[name].tolist() for name in ("height_km", "pressure_hpa", "temperature_k")}
    levels["mixing_ratio"] = {gas: array.tolist() for gas, array in air["mixing_ratio"].items()}
    levels["extinction_per_km"] = [array.tolist() for array in air["extinction_per_km"]]
    # Gases whose profile depends on nothing else.
    again = model.run(**{name: array for name, array in rays.items() if name in names}, atmosphere=levels)
    assert np.array_equal(again.radiance, beams.radiance)


def test_jacobian(limb):
    case, air, rays = limb
    out = case.jacobian(air, rays)
    plain = case.forward(air, rays)
    assert np.array_equal(out.radiance, plain.radiance)
    levels = len(air["height_km"])
    assert out.temperature_k.shape == (*plain.radiance.shape, levels)
    # The last ray looks at 68 km; the level where its derivative is largest, moved by little.
    level = int(np.abs(out.temperature_k).sum(axis=(0, 1)).argmax())
    step = 1e-4
    moved = []
    for sign in (1, -1):
        other = {**air, "temperature_k": air["temperature_k"].copy()}
        other["temperature_k"][level] += sign * step
        moved.append(case.forward(other, rays).radiance)
    difference = (moved[0] - moved[1]) / (2 * step)
    derivative = out.temperature_k[..., level]
    # Two-sided differences have an error of 1e-11 of the radiances over the step, and of kinks within it.
    assert np.abs(difference - derivative).max() < 1e-4 * np.abs(derivative).max()
    assert np.shares_memory(out.temperature_k, out.derivative)


@pytest.mark.parametrize("settings", [{}, {"WRITE_BBT": 1}, {"WRITE_BBT": 1, "FOV": "fov.tab"}])
def test_pullback(limb, data, tmp_path, settings):
    _, air, rays = limb
    if "FOV" in settings:
        (tmp_path / "fov.tab").write_text("-2 0\n-1 1\n0 3\n2 0.5\n")
        settings = {**settings, "FOV": str(tmp_path / "fov.tab")}
    case = isobar.Jurassic(data / "limb" / "limb.ctl", settings=settings)
    rows = case.jacobian(air, rays)
    weights = np.sin(np.arange(rows.radiance.size, dtype=float)).reshape(rows.radiance.shape)
    out = case.pullback(air, rays, weights)
    assert np.array_equal(out.radiance, rows.radiance) and np.array_equal(out.status, rows.status)
    for name, ours in [("derivative", out.derivative), ("temperature_k", out.temperature_k)]:
        terms = weights[..., None] * rows[name]
        assert ours.shape == terms.shape[2:]
        # Some thousand terms in another order.
        assert np.abs(ours - terms.sum(axis=(0, 1))).max() < 1e-12 * np.abs(terms).sum(axis=(0, 1)).max()
    co2 = (weights[..., None] * rows.mixing_ratio["CO2"]).sum(axis=(0, 1))
    assert np.allclose(out.mixing_ratio["CO2"], co2, rtol=1e-9, atol=1e-12 * np.abs(co2).max())
    frozen = case.pullback(air, rays, weights, frozen_path=True)
    assert not np.array_equal(frozen.pressure_hpa, out.pressure_hpa)
    with pytest.raises(isobar.IsobarError, match=r"weights has the shape .* and \(ray, channel\) is wanted"):
        case.pullback(air, rays, weights[0])
    weights[2, 1] = np.nan
    with pytest.raises(isobar.SetupError, match="weights of ray 2, channel 1: NaN, and a finite number is wanted"):
        case.pullback(air, rays, weights)
    single = isobar.Jurassic(data / "limb" / "limb.ctl", precision="f32")
    with pytest.raises(isobar.SetupError, match="double precision only"):
        single.pullback(air, rays, np.ones_like(weights))


def test_retrieval(data, tmp_path):
    folder = data / "retrieval"
    case = isobar.Jurassic(folder / "retrieval.ctl")
    out = case.retrieve(case.read_atmosphere(folder / "atm_apr.tab"), case.read_observation(folder / "obs_meas.tab"))
    assert out.converged and out.costs[-1] < out.costs[0]
    elements = len(out.state)
    assert out.averaging_kernel.shape == (elements, elements) == (len(out.names), len(out.height_km))[:1] * 2
    program = os.environ.get("ISOBAR_PROGRAM")
    if not program:
        pytest.skip("ISOBAR_PROGRAM does not name the command")
    line = [program, "retrieve", "--ctl", folder / "retrieval.ctl", "--dir", folder]
    line += ["--out", tmp_path, "--device", "cpu"]
    subprocess.run(line, check=True, capture_output=True)
    final = case.read_atmosphere(tmp_path / "atm_final.tab")
    assert np.array_equal(out.atmosphere["temperature_k"], final["temperature_k"])
    assert np.array_equal(out.atmosphere["mixing_ratio"]["O3"], final["mixing_ratio"]["O3"])


def test_bad_inputs(limb):
    case, air, rays = limb
    with pytest.raises(isobar.SetupError, match="temperature_k"):
        case.forward({**air, "temperature_k": "warm"}, rays)
    with pytest.raises(isobar.IsobarError):
        case.forward({**air, "temperature_k": air["temperature_k"][1:]}, rays)
    with pytest.raises(isobar.UnknownNameError, match="gas 'O4'"):
        case.forward({**air, "mixing_ratio": {"O4": air["temperature_k"]}}, rays)
    with pytest.raises(isobar.SetupError, match="view_point_height_km is missing"):
        case.forward(air, {})
    with pytest.raises(isobar.FileError, match="nowhere"):
        isobar.Jurassic("nowhere.ctl")


def test_shapes_and_names(limb, data):
    case, air, rays = limb
    folder = data / "retrieval"
    retrieval = isobar.Jurassic(folder / "retrieval.ctl")
    before, measured = retrieval.read_atmosphere(folder / "atm_apr.tab"), retrieval.read_observation(
        folder / "obs_meas.tab"
    )
    for radiance in (measured["radiance"].T, measured["radiance"].ravel()):
        with pytest.raises(isobar.FieldError, match=r"radiance has the shape .*, and \(ray, channel\)"):
            retrieval.retrieve(before, {**measured, "radiance": radiance})
    with pytest.raises(isobar.UnknownNameError, match="'temperature'.*'temperature_k'"):
        case.forward({**air, "temperature": air["temperature_k"]}, rays)
    with pytest.raises(isobar.UnknownNameError, match="'observer_heigth_km'.*'observer_height_km'"):
        case.forward(air, {**rays, "observer_heigth_km": rays["observer_height_km"]})
    surface = {"height_km": 0.0, "pressure_hpa": 1013.0, "temperature_k": 288.0, "emissivity": [1.0], "albedo": 0.0}
    with pytest.raises(isobar.UnknownNameError, match="part of a surface 'albedo'"):
        case.forward({**air, "surface": surface}, rays)


def test_what_the_command_warns_of(limb, data):
    control = data / "limb" / "limb.ctl"
    for cls in (isobar.Jurassic, isobar.Infrared):
        with pytest.warns(UserWarning, match="RAYDX"):
            cls(control, settings={"RAYDX": 0.5})
    case, air, rays = limb
    gas = case.gases[0]
    fewer = {name: array for name, array in air["mixing_ratio"].items() if name != gas}
    with pytest.warns(UserWarning, match=f"mixing_ratio lacks {gas}: taken for zero"):
        without = case.forward({**air, "mixing_ratio": fewer}, rays)
    zero = case.forward({**air, "mixing_ratio": {**fewer, gas: np.zeros_like(air["temperature_k"])}}, rays)
    assert np.array_equal(without.radiance, zero.radiance)
    model = isobar.Infrared(control)
    sights = {field.name: rays[field.name] for field in isobar.fields(model).inputs if field.name in rays}
    levels = {name: air[name].tolist() for name in ("height_km", "pressure_hpa", "temperature_k")}
    levels["mixing_ratio"] = {name: array.tolist() for name, array in fewer.items()}
    with pytest.warns(UserWarning, match=f"mixing_ratio lacks {gas}"):
        model.run(**sights, atmosphere=levels)
    with pytest.raises(isobar.UnknownNameError, match="temperature_k"):
        model.run(**sights, atmosphere={**levels, "temperature": levels["temperature_k"]})
    above = {**rays, "view_point_height_km": rays["view_point_height_km"] + 1000.0}
    with pytest.warns(UserWarning, match="above the atmosphere"):
        case.forward(air, above)


def test_paths_outside_the_tables_are_told(limb, data):
    case, air, rays = limb
    hot = {**air, "temperature_k": np.full_like(air["temperature_k"], 399.0)}
    told = r"CO2: .* path points .* lie outside the emissivity tables"
    with pytest.warns(UserWarning, match=told) as of_radiances:
        case.forward(hot, rays)
    with pytest.warns(UserWarning, match=told) as of_derivatives:
        case.jacobian(hot, rays)
    lines = [
        sorted(str(one.message) for one in all if "emissivity tables" in str(one.message))
        for all in (of_radiances, of_derivatives)
    ]
    assert lines[0] == lines[1] and len(lines[0]) == len(case.gases)
    model = isobar.Infrared(data / "limb" / "limb.ctl")
    sights = {field.name: rays[field.name] for field in isobar.fields(model).inputs if field.name in rays}
    levels = {name: hot[name].tolist() for name in ("height_km", "pressure_hpa", "temperature_k")}
    levels["mixing_ratio"] = {gas: array.tolist() for gas, array in air["mixing_ratio"].items()}
    with pytest.warns(UserWarning, match=told):
        model.run(**sights, atmosphere=levels)
    retrieval = isobar.Jurassic(data / "retrieval" / "retrieval.ctl")
    before = retrieval.read_atmosphere(data / "retrieval" / "atm_apr.tab")
    before["temperature_k"][-1] = 399.0
    with pytest.warns(UserWarning, match=told):
        retrieval.retrieve(before, retrieval.read_observation(data / "retrieval" / "obs_meas.tab"))


def test_missing_tables_are_said(data, tmp_path):
    lines = (data / "limb" / "limb.ctl").read_text().splitlines()
    number = next(int(line.split("=")[1]) for line in lines if line.split("=")[0].strip() == "NG")
    lines = [line for line in lines if line.split("=")[0].strip() != "NG"]
    (tmp_path / "more.ctl").write_text("\n".join([f"NG = {number + 1}", f"EMITTER[{number}] = SF6", *lines]))
    base = {"TBLBASE": data / "tables" / "demo"}
    for cls in (isobar.Jurassic, isobar.Infrared):
        with pytest.warns(UserWarning, match="SF6 counts as transparent in"):
            cls(tmp_path / "more.ctl", settings=base)


def test_windows_of_extinction_that_no_channel_sees(limb, data):
    """The control file has one window: a second one would change nothing."""
    case, air, rays = limb
    own = np.full_like(air["temperature_k"], 1e-3)
    seen = case.forward({**air, "extinction_per_km": [own]}, rays).radiance
    assert not np.array_equal(seen, case.forward(air, rays).radiance)
    model = isobar.Infrared(data / "limb" / "limb.ctl", device="thread")
    sights = {field.name: rays[field.name] for field in isobar.fields(model).inputs if field.name in rays}
    for windows in ([own, own], [0 * own, own], [own, own, own]):
        message = f"extinction_per_km has {len(windows)} windows, and the control file has 1: give as many, or set NW"
        with pytest.raises(isobar.SetupError, match=message):
            case.forward({**air, "extinction_per_km": windows}, rays)
        with pytest.raises(isobar.SetupError, match=message):
            model.run(**sights, atmosphere={**air, "extinction_per_km": windows})
    two = isobar.Jurassic(data / "limb" / "limb.ctl", settings={"NW": 2})
    assert np.array_equal(two.forward({**air, "extinction_per_km": [own, own]}, rays).radiance, seen)


def test_weights_and_measurements_of_any_kind(limb, data):
    """Single precision, whole numbers and nested lists are numbers, as arrays of one axis are."""
    case, air, rays = limb
    shape = case.forward(air, rays).radiance.shape
    weights = np.arange(np.prod(shape), dtype=float).reshape(shape) % 7
    expected = case.pullback(air, rays, weights).temperature_k
    for given in (weights.astype("f4"), weights.astype(int), weights.tolist(), np.asfortranarray(weights)):
        assert np.array_equal(case.pullback(air, rays, given).temperature_k, expected)
    for given in (weights.astype(complex), weights.astype(str)):
        with pytest.raises(isobar.SetupError, match="weights is .* and an array or a list of numbers is wanted"):
            case.pullback(air, rays, given)
    folder = data / "retrieval"
    retrieval = isobar.Jurassic(folder / "retrieval.ctl")
    before = retrieval.read_atmosphere(folder / "atm_apr.tab")
    measured = retrieval.read_observation(folder / "obs_meas.tab")
    plain = retrieval.retrieve(before, measured).state
    listed = retrieval.retrieve(before, {**measured, "radiance": measured["radiance"].tolist()}).state
    assert np.array_equal(listed, plain)
    single = measured["radiance"].astype("f4")
    wide = retrieval.retrieve(before, {**measured, "radiance": single.astype(float)}).state
    assert np.array_equal(retrieval.retrieve(before, {**measured, "radiance": single}).state, wide)
