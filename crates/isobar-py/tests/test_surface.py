"""Surface layers: by arrays and numbers, with options and constants by name, what is refused, and steps."""

import isobar
import numpy as np
import pytest


@pytest.fixture
def fields():
    """Land and water under air that is warmer, colder and as warm, day and night."""
    count = 60
    ground = np.linspace(280.0, 300.0, count)
    water = np.arange(count) % 3 == 0
    return {
        "u_m_per_s": np.linspace(1.0, 15.0, count),
        "v_m_per_s": 2.0,
        "temperature_k": ground + 4.0 * np.sin(np.arange(count)),
        "vapour_kg_per_kg": 0.006,
        "pressure_pa": 99_760.0,
        "thickness_m": 40.0,
        "surface_pressure_pa": 100_000.0,
        "boundary_layer_height_m": 600.0,
        "moisture_availability": np.where(water, 1.0, 0.4),
        "land_or_water": np.where(water, 2.0, 1.0),
        "surface_temperature_k": ground,
        "grid_length_m": 3000.0,
        "roughness_m": np.where(water, 1e-4, 0.1),
        "friction_velocity_m_per_s": 0.3,
        "temperature_scale_k": 0.0,
        "sensible_heat_flux_w_per_m2": 0.0,
        "moisture_flux_kg_per_m2_s": 0.0,
        "surface_vapour_kg_per_kg": 0.0,
    }


def test_fluxes_follow_the_difference(fields):
    out = isobar.SurfaceLayer().run(**fields)
    assert out.friction_velocity_m_per_s.shape == (60,) and (out.status == 0).all()
    # Exner's ratio makes air 0.2 K warmer than it is.
    colder = fields["surface_temperature_k"] - fields["temperature_k"] * (100_000.0 / 99_760.0) ** (2 / 7)
    assert (np.sign(out.sensible_heat_flux_w_per_m2) == np.sign(colder)).all()
    # Without gusts over land: drag is the square of friction by wind, once the step before has the same.
    for _ in range(40):
        fields["friction_velocity_m_per_s"] = out.friction_velocity_m_per_s
        out = isobar.SurfaceLayer().run(**fields)
    drag = (out.friction_velocity_m_per_s / out.wind_speed_m_per_s) ** 2
    land = fields["land_or_water"] == 1.0
    moving = land & (out.friction_velocity_m_per_s > 0.001)
    assert moving.any()
    np.testing.assert_allclose(drag[moving], out.drag_coefficient[moving], rtol=1e-8)


def test_options_and_constants_by_name(fields):
    usual = isobar.SurfaceLayer().run(**fields)
    water = fields["land_or_water"] == 2.0
    smooth = isobar.SurfaceLayer(land_roughness="chen_zhang").run(**fields)
    assert (smooth.profile_heat[~water] > usual.profile_heat[~water]).all()
    assert (smooth.profile_heat[water] == usual.profile_heat[water]).all()
    one, other = (isobar.SurfaceLayer(**how).run(**fields) for how in ({"g": 9.7}, {"constants": {"g": 9.7}}))
    assert (one.richardson == other.richardson).all() and (one.richardson != usual.richardson).any()
    model = isobar.SurfaceLayer(water_roughness="garratt")
    assert (model.run(**fields).profile_heat != model.run(**fields, water_roughness="coare").profile_heat).any()
    single = {name: np.float32(value) for name, value in fields.items()}
    out = isobar.SurfaceLayer(precision="f32").run(**single)
    assert out.profile_heat.dtype == np.float32
    np.testing.assert_allclose(out.profile_momentum, usual.profile_momentum, rtol=1e-3)


def test_what_is_refused(fields):
    model = isobar.SurfaceLayer()
    with pytest.raises(isobar.FieldError, match="land_or_water at column 0 is 1.5, which is not 1 or 2"):
        model.run(**{**fields, "land_or_water": 1.5})
    with pytest.raises(isobar.IsobarError, match="water_roughness has to be coare with shallow_water"):
        model.run(**fields, water_depth_m=20.0, shallow_water=True, water_roughness="constant")
    with pytest.raises(isobar.FieldError, match="water_depth_m"):
        model.run(**fields, shallow_water=True)
    with pytest.raises(isobar.SetupError, match="land_roughness"):
        isobar.SurfaceLayer(land_roughness="none")


def test_results_are_what_the_boundary_layer_takes():
    outputs = {field.name for field in isobar.fields("surface").outputs}
    taken = {
        "profile_momentum", "profile_heat", "friction_velocity_m_per_s", "wind_speed_m_per_s", "richardson",
        "u_10m_m_per_s", "v_10m_m_per_s", "roughness_m", "sensible_heat_flux_w_per_m2", "moisture_flux_kg_per_m2_s",
    }
    assert taken <= outputs and taken <= {field.name for field in isobar.fields("ysu").inputs}
