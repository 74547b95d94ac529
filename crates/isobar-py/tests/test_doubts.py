"""Warnings of options without effect and of fields that nothing reads, and what RRTMG_LW's choices are joined with."""

import re
import warnings

import isobar
import numpy as np
import pytest

GRAVITY = 9.8066
DAY_S = 86400.0


@pytest.fixture(scope="module")
def ecckd():
    return isobar.Radiation(device="thread")


@pytest.fixture(scope="module")
def rrtmg():
    return isobar.Radiation("analytic", device="thread")


@pytest.fixture
def columns(ecckd, data):
    return ecckd.read(data / "radiation" / "columns.nc")


@pytest.fixture
def longwave(rrtmg, data):
    return rrtmg.read(data / "radiation" / "columns.nc", assume_zero=True)


def cloudy(columns):
    """With clouds of half a column's layers in part, over which overlap counts."""
    shape = columns["temperature_k"].shape
    fraction = np.zeros(shape)
    fraction[:, 2:14] = 0.5
    return {
        **columns, "cloud_fraction": fraction, "liquid_path_g_per_m2": 30 * fraction, "ice_path_g_per_m2": 0 * fraction,
        "liquid_radius_um": np.full(shape, 10.0), "ice_size_um": np.full(shape, 60.0),
        "thickness_m": np.full(shape, 400.0),
    }


def heard(model, fields, **options):
    """What a call warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.run(**fields, **options)
    return [str(warning.message) for warning in caught]


def test_rrtmg_has_a_heat_capacity_of_its_own(rrtmg, ecckd, longwave, columns):
    for model, fields, capacity in [(rrtmg, longwave, 1004.0), (ecckd, columns, 1004.64)]:
        out = model.run(**fields)
        net = np.diff(out.longwave_up_w_per_m2 - out.longwave_down_w_per_m2, axis=1)
        mass = -np.diff(fields["level_pressure_pa"], axis=1)
        found = out.longwave_heating_k_per_day / (-net / mass)
        large = np.abs(net) > 0.1
        gravity = GRAVITY if model is rrtmg else 9.80665
        assert np.allclose(found[large], gravity * DAY_S / capacity, rtol=1e-9, atol=0)
        given = model.run(**fields, heat_capacity_j_per_kg_k=capacity)
        assert np.array_equal(given.longwave_heating_k_per_day, out.longwave_heating_k_per_day)


def test_one_decorrelation_is_that_of_both_waves(rrtmg, ecckd, longwave, columns):
    for model, fields in [(rrtmg, cloudy(longwave)), (ecckd, cloudy(columns))]:
        one = model.run(**fields, overlap="exponential", decorrelation_m=100.0)
        other = model.run(**fields, overlap="exponential", decorrelation={"length": 100.0})
        default = model.run(**fields, overlap="exponential")
        assert np.array_equal(one.longwave_up_w_per_m2, other.longwave_up_w_per_m2)
        assert not np.array_equal(one.longwave_up_w_per_m2, default.longwave_up_w_per_m2)
        assert heard(model, fields, overlap="exponential", decorrelation={"length": 100.0}) == []
        for wrong in (-1.0, 0.0):
            with pytest.raises(isobar.SetupError, match=f"decorrelation length of {wrong:g}.* is not positive"):
                model.run(**fields, decorrelation={"length": wrong})
    north = cloudy({**longwave, "latitude_deg": np.full(8, 50.0)})
    seasons = [{"latitude": {"day": day}} for day in (15, 196)]
    by_season = [rrtmg.run(**north, overlap="exponential", decorrelation=season) for season in seasons]
    assert not np.array_equal(by_season[0].longwave_up_w_per_m2, by_season[1].longwave_up_w_per_m2)
    with pytest.raises(isobar.SetupError, match="day 367"):
        rrtmg.run(**north, decorrelation={"latitude": {"day": 367}})
    with pytest.raises(isobar.SetupError, match="decorrelation"):
        rrtmg.run(**north, decorrelation={"lenght": 100.0})


def test_options_without_effect_are_said(rrtmg, ecckd, longwave, columns):
    assert heard(ecckd, columns) == [] == heard(rrtmg, longwave)
    for options, words in [
        ({"ice": "ebert_curry"}, "the option ice has no effect: it is for RRTMG_LW's; of others the tables of clouds"),
        ({"liquid": "one_coefficient"}, "the option liquid has no effect"),
        ({"transmittance": "table"}, "the option transmittance has no effect"),
        ({"decorrelation": {"latitude": {"day": 1}}, "overlap": "exponential"}, "decorrelation has no effect"),
        ({"decorrelation_m": 100.0}, "of the overlap exponential"),
        ({"cloud_solver": "tripleclouds", "seed": 3}, "the option seed has no effect"),
    ]:
        (text,) = heard(ecckd, columns, **options)
        assert words in text
    for options, words in [
        ({"delta_scaling": "mixture"}, "the option delta_scaling has no effect: no short wave is computed"),
        (
            {"decorrelation_m": 100.0, "decorrelation": {"length": 10.0}, "overlap": "exponential"},
            "the option decorrelation_m has no effect: RRTMG_LW's is",
        ),
    ]:
        (text,) = heard(rrtmg, longwave, **options)
        assert words in text
    assert heard(rrtmg, longwave, ice="ebert_curry", liquid="one_coefficient", transmittance="table") == []
    assert heard(ecckd, columns, delta_scaling="mixture") == []


def test_fields_that_nothing_reads_are_named(rrtmg, ecckd, longwave, columns):
    shape = columns["temperature_k"].shape
    (text,) = heard(
        ecckd, cloudy(columns), hfc23=1e-11, cloud_absorption_longwave=np.zeros((*shape, 1)),
        broadening_column_per_cm2=np.ones(shape), cloud_share=np.ones((*shape, 32)),
        cloud_mask=np.ones((*shape, 1), np.uint32),
    )
    assert text.startswith("not read: ")
    of_rrtmg = {"broadening_column_per_cm2", "cloud_absorption_longwave", "cloud_share", "cloud_mask"}
    assert set(re.findall(r"(\w+) \(it is for RRTMG_LW's k-distribution\)", text)) == of_rrtmg
    assert "hfc23 (no k-distribution here knows this gas)" in text
    (text,) = heard(rrtmg, longwave, no2=1e-9, cosine_zenith=np.full(8, 0.5), subcolumn_seed=np.uint32(1))
    assert "no2 (no k-distribution here knows this gas)" in text and "cosine_zenith (no short wave is computed)" in text
    assert "subcolumn_seed (it is for other k-distributions than RRTMG_LW's)" in text
    # A gas that is not there changes nothing.
    assert heard(rrtmg, longwave, no2=0.0) == []
    # Gases would be something else.
    with pytest.raises(isobar.SetupError, match="dry_column_per_cm2"):
        ecckd.run(**columns, dry_column_per_cm2=np.full(shape, 1e23))


def heard_of(model, fields, name, value, **options):
    """What a call says of a field, which changes no result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain, given = model.run(**fields, **options), model.run(**{**fields, name: value}, **options)
    assert all(np.array_equal(given[result], plain[result], equal_nan=True) for result in plain)
    before = heard(model, fields, **options)
    return [text for text in heard(model, {**fields, name: value}, **options) if text not in before]


@pytest.mark.parametrize("name, options", [
    ("fractional_standard_deviation", {}), ("overlap_parameter", {}), ("thickness_m", {}),
    ("subcolumn_seed", {"cloud_solver": "tripleclouds"}),
])
def test_fields_without_use_for_the_options_of_radiation(ecckd, columns, name, options):
    fields = {key: value for key, value in cloudy(columns).items() if key != "thickness_m"}
    (text,) = heard_of(ecckd, fields, name, 3 if name == "subcolumn_seed" else 0.5, **options)
    assert text == f"not read: {name} (the options have no use for it)"


@pytest.mark.parametrize("name, option", [
    ("radiative_heating_k_per_s", "top_down"), ("drag_factor", "topographic"), ("wind_weight", "topographic"),
    ("urban_share", None), ("turbulent_energy_m2_per_s2", None), ("grid_distance_m", None),
])
def test_fields_without_use_for_the_options_of_a_boundary_layer(data, name, option):
    model = isobar.YSU(time_step_s=60, device="thread")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fields = model.read(data / "pbl" / "columns.nc")
    assert heard(model, fields) == []
    (text,) = heard_of(model, fields, name, 0.5)
    assert text == f"not read: {name} (the options have no use for it)"
    if option == "top_down":
        assert heard(model, {**fields, name: 1e-5}, top_down=True) == []
