"""Options: units, durations, and that a model keeps what it was made of."""

import copy
import datetime
import pickle

import numpy as np
import pytest

import isobar


@pytest.fixture
def cells(data):
    return isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp").read(data / "chemistry" / "cells.nc")


def chemistry(data, **options):
    return isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", device="thread", **options)


@pytest.mark.parametrize("hour", [
    np.timedelta64(1, "h"), np.timedelta64(3600, "s").astype("m8[ns]"), datetime.timedelta(hours=1),
    np.array(np.timedelta64(60, "m").astype("m8[us]")),
])
def test_a_duration_is_that_many_seconds(data, cells, hour):
    """Whatever it is counted in: an hour of nanoseconds is no 3.6e12 s."""
    model = chemistry(data)
    out = model.run(**cells, end_s=hour)
    assert (out.time_reached_s == 3600).all()
    first = np.asarray(hour, "m8[ns]") / 360
    by_duration = model.run(**{**cells, "first_step_s": first[()]}, end_s=hour)
    by_number = model.run(**{**cells, "first_step_s": 10.0}, end_s=3600)
    assert np.array_equal(by_duration.concentration, by_number.concentration)


def test_a_date_is_no_number_of_seconds(data, cells):
    date = np.datetime64("2020-01-01", "ns")
    with pytest.raises(isobar.KindError, match="end_s is a date, and a number is wanted: seconds since a start"):
        chemistry(data).run(**cells, end_s=date)
    with pytest.raises(isobar.KindError, match="end_s is a date"):
        chemistry(data).run(**cells, end_s=datetime.datetime(2020, 1, 1))
    with pytest.raises(isobar.KindError, match="first_step_s is a date"):
        chemistry(data).run(**{**cells, "first_step_s": date}, end_s=1)
    with pytest.raises(isobar.KindError, match=r"end_s is timedelta64\[M\], which is no number of s"):
        chemistry(data).run(**cells, end_s=np.timedelta64(1, "M"))
    with pytest.raises(isobar.FieldError, match="gravity_m_per_s2: its unit is 's'"):
        isobar.YSU(time_step_s=60, gravity_m_per_s2=np.timedelta64(10, "s"))


def test_units_of_options(data, cells):
    pint = pytest.importorskip("pint")
    unit = pint.UnitRegistry()
    assert (chemistry(data, end_s=unit.Quantity(0.5, "hour")).run(**cells).time_reached_s == 1800).all()
    with pytest.raises(isobar.FieldError, match="end_s: its unit is 'm'"):
        chemistry(data, end_s=unit.Quantity(1, "m"))
    ysu = isobar.YSU(time_step_s=60, gravity_m_per_s2=unit.Quantity(980.616, "cm / s ** 2"))
    assert ysu._given["gravity_m_per_s2"] == pytest.approx(9.80616, rel=1e-15)


@pytest.fixture
def limb(data, monkeypatch):
    monkeypatch.chdir(data / "limb")
    case = isobar.Jurassic("limb.ctl")
    rays = case.read_observation("obs.tab")
    air = case.read_atmosphere("atm.tab")
    names = ("height_km", "pressure_hpa", "temperature_k", "mixing_ratio", "extinction_per_km")
    pencils = {name: value for name, value in rays.items() if name.startswith(("time", "obs", "view"))}
    return {name: air[name] for name in names}, pencils, case.forward(air, rays)


class Labelled:
    """An array with a unit among its attributes, as xarray and pandas have."""

    def __init__(self, data, units):
        self.data, self.dims, self.attrs = data, ("level",), {"units": units}


def test_an_atmosphere_of_infrared_has_units(limb):
    """The same air in other units has the radiances of JURASSIC's case; it was taken for mole fractions and hPa."""
    air, pencils, expected = limb
    gases = {gas: Labelled(value * 1e6, "ppm") for gas, value in air["mixing_ratio"].items()}
    other = {**air, "mixing_ratio": gases, "pressure_hpa": Labelled(air["pressure_hpa"] / 1000, "bar")}
    found = isobar.Infrared("limb.ctl", device="thread").run(atmosphere=other, **pencils)
    assert np.allclose(found.radiance, expected.radiance, rtol=1e-12, equal_nan=True)
    masked = np.ma.MaskedArray(air["temperature_k"].copy(), mask=False)
    masked[3] = np.ma.masked
    with pytest.raises(isobar.SetupError, match=r"temperature_k\[3\] is nan, which is not a finite number"):
        isobar.Infrared("limb.ctl").run(atmosphere={**air, "temperature_k": masked}, **pencils)


def test_a_model_keeps_what_it_was_made_of(data, cells, limb):
    """Arrays and dictionaries that change afterwards change neither it nor its copies, pickles and adjoints."""
    tolerance = np.full(8, 1.0)
    model = chemistry(data, end_s=3600, absolute_tolerance=tolerance)
    expected = model.run(**cells).concentration
    tolerance *= 1e8
    assert np.array_equal(model.adjoint("O3", **cells).concentration, expected)
    for other in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert np.array_equal(other.run(**cells).concentration, expected)
    air, pencils, radiance = limb
    mine = copy.deepcopy(air)
    infrared = isobar.Infrared("limb.ctl", atmosphere=mine, device="thread")
    mine["temperature_k"] += 10
    again = pickle.loads(pickle.dumps(infrared)).run(**pencils).radiance
    assert np.array_equal(again, infrared.run(**pencils).radiance, equal_nan=True)
    assert np.allclose(again, radiance.radiance, rtol=1e-12, equal_nan=True)


def test_the_layout_of_a_model_is_fixed():
    """What `run` does not follow cannot be set."""
    model = isobar.Adding(items_axis="last", top_first=False)
    assert (model.items_axis, model.top_first) == ("last", False)
    for name, value in (("items_axis", "first"), ("top_first", True)):
        with pytest.raises(AttributeError):
            setattr(model, name, value)


def test_errors_of_results_are_their_own():
    one, other = isobar.Results(), isobar.Results(a=1)
    one.errors.append("x")
    assert other.errors == [] and other == {"a": 1}


@pytest.mark.parametrize("settings, text", [
    ({"threads": -1}, "threads is -1, and a whole number is wanted"),
    ({"threads": 1.5}, "threads is 1.5"),
    ({"top_first": "yes"}, "top_first is 'yes', and True or False is wanted"),
    ({"device": 3}, "device is 3"),
    ({"seed": 10**30}, "seed is 1000000000000000000000000000000, and whole numbers have 64 bits"),
    ({"seed": float("nan")}, "seed is nan, which is not a finite number"),
    ({"ice": {1: 2}}, "ice has the key 1, and names are wanted"),
    ({"seed": object()}, "seed is object, which is no option"),
])
def test_settings_of_a_wrong_kind_are_our_errors(settings, text):
    with pytest.raises(isobar.IsobarError, match=text):
        isobar.Radiation(**settings)


def test_calls_of_a_wrong_kind_are_our_errors(data):
    model = isobar.Radiation(device="thread")
    columns = model.read(data / "radiation" / "columns.nc")
    for more, text in (
        ({"top_first": "yes"}, "top_first is 'yes'"), ({"items_axis": 3}, "items_axis is 3"),
        ({"out": np.zeros(3)}, "out is ndarray, and a dictionary of arrays by result is wanted"),
    ):
        with pytest.raises(isobar.KindError, match=text):
            model.run(**columns, **more)
    with pytest.raises(isobar.KindError, match="path is int, and a path is wanted"):
        model.read(3)


def test_arrays_of_durations_and_dates(data, cells, limb):
    """Each cell has its own first step, whatever it is counted in."""
    model = chemistry(data, end_s=3600)
    steps = np.linspace(1, 20, 8)
    expected = model.run(**{**cells, "first_step_s": steps})
    found = model.run(**{**cells, "first_step_s": (steps * 1e9).astype("m8[ns]")})
    np.testing.assert_allclose(found.concentration, expected.concentration, rtol=1e-6)
    assert np.array_equal(found.counters, expected.counters)
    dates = np.full(8, np.datetime64("2020-01-01", "ns"))
    with pytest.raises(isobar.KindError, match="first_step_s is a date, and a number is wanted"):
        model.run(**{**cells, "first_step_s": dates})
    _, pencils, _ = limb
    case = isobar.Jurassic("limb.ctl")
    rays = case.read_observation("obs.tab")
    dates = np.full(len(rays["time_s"]), np.datetime64("2020-01-01", "ns"))
    for wrong in (dates, list(dates)):
        with pytest.raises(isobar.KindError, match="time_s is a date"):
            case.forward(case.read_atmosphere("atm.tab"), {**rays, "time_s": wrong})


def test_infrared_takes_what_jurassic_reads(limb):
    _, pencils, expected = limb
    air = isobar.Jurassic("limb.ctl").read_atmosphere("atm.tab")
    found = isobar.Infrared("limb.ctl", device="thread").run(atmosphere=air, **pencils)
    assert np.allclose(found.radiance, expected.radiance, rtol=1e-12, equal_nan=True)
    with pytest.raises(isobar.SetupError, match="latitude_deg has 1 values for"):
        isobar.Infrared("limb.ctl").run(atmosphere={**air, "latitude_deg": [0.0]}, **pencils)


@pytest.mark.parametrize("make, words", [
    (lambda: isobar.Radiation(heat_capacity_j_per_kg_k=-1.0), "a heat capacity of -1 is not positive"),
    (lambda: isobar.YSU(time_step_s=60, heat_capacity_j_per_kg_k=-1.0), "heat_capacity_j_per_kg_k .* is -1"),
    (lambda: isobar.ShinHong(time_step_s=-60.0), "the time step is -60 s, which is not in"),
])
def test_options_out_of_range_are_refused_where_they_are_given(make, words):
    with pytest.raises(isobar.SetupError, match=f"^[^/]*{words}"):
        make()


def test_a_mechanism_that_is_no_text(data):
    with pytest.raises(isobar.FileError, match="columns.nc: it is no text, but binary") as caught:
        isobar.Chemistry(data / "radiation" / "columns.nc")
    assert str(caught.value).isprintable()
