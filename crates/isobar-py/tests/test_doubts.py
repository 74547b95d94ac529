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
