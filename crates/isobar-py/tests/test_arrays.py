"""Arrays in any layout, in place; results into arrays of before; what does not fit."""

import gc
import pydoc
import tracemalloc

import isobar
import numpy as np
import pytest


@pytest.fixture
def model():
    return isobar.YSU(time_step_s=60)


@pytest.fixture
def columns(model, data):
    return model.read(data / "pbl" / "columns.nc")


def bits(array):
    return np.ascontiguousarray(array).view(np.uint64 if array.dtype == np.float64 else np.uint32)


def equal(ours, theirs, turn=lambda array: array):
    for name, array in theirs.items():
        assert np.array_equal(bits(turn(ours[name])), bits(array)), name


def many(columns, count=100):
    """More columns than a warp, each a little warmer."""
    wide = {}
    for name, array in columns.items():
        if array.ndim == 0:
            wide[name] = array
            continue
        wide[name] = np.tile(array, (count // array.shape[0], *([1] * (array.ndim - 1))))
    wide["temperature_k"] = wide["temperature_k"] + np.linspace(0, 1, count)[:, None]
    return wide


def test_layouts(model, columns):
    columns = many(columns)
    expected = model.run(**columns)
    assert expected.u_tendency_m_per_s2.shape == (100, 40) and expected.height_m.shape == (100,)

    def layouts(array):
        yield "fortran", np.asfortranarray(array)
        gaps = np.full([3 * size for size in array.shape], np.nan)
        gaps[(slice(1, None, 3),) * array.ndim] = array
        yield "gaps", gaps[(slice(1, None, 3),) * array.ndim]
        backwards = (slice(None, None, -1),) * array.ndim
        yield "backwards", array[backwards].copy()[backwards]

    for kind in ("fortran", "gaps", "backwards"):
        changed = {
            name: dict(layouts(array))[kind] if array.ndim else array
            for name, array in columns.items()
        }
        equal(model.run(**changed), expected)
    last = {name: np.ascontiguousarray(array.T) for name, array in columns.items()}
    equal(model.run(**last, items_axis="last"), expected, lambda array: array.T)
    # One field in another layout than the others.
    equal(model.run(**{**columns, "temperature_k": np.asfortranarray(columns["temperature_k"])}), expected)


def test_top_first(model, columns):
    expected = model.run(**columns)
    turned = {name: array[:, ::-1] if array.ndim == 2 else array for name, array in columns.items()}
    equal(model.run(**turned, top_first=True), expected, lambda array: array[:, ::-1] if array.ndim == 2 else array)


def test_several_axes_of_columns_and_none(model, columns):
    expected = model.run(**columns)
    folded = {name: array.reshape((2, 2, *array.shape[1:])) if array.ndim else array for name, array in columns.items()}
    out = model.run(**folded)
    assert out.u_tendency_m_per_s2.shape == (2, 2, 40)
    equal(out, expected, lambda array: array.reshape((4, *array.shape[2:])))
    single = {name: array[1] if array.ndim else array for name, array in columns.items()}
    out = model.run(**single)
    assert out.u_tendency_m_per_s2.shape == (40,) and out.height_m.shape == ()
    equal(out, {name: array[1] for name, array in expected.items()})


def test_numbers_and_profiles_stand_for_all(model, columns):
    columns = {name: np.repeat(array[:1], 4, axis=0) if array.ndim else array for name, array in columns.items()}
    expected = model.run(**columns)
    fewer = {name: float(array[0]) if array.ndim == 1 else array for name, array in columns.items()}
    fewer["pressure_pa"] = columns["pressure_pa"][0]
    fewer["temperature_k"] = columns["temperature_k"][:1]
    equal(model.run(**fewer), expected)


def test_nothing_is_copied(model, columns):
    columns = many(columns, 4000)
    out = model.run(**columns)
    kept = dict(out)
    before = {name: array.ctypes.data for name, array in kept.items()}
    reference = {name: array.copy() for name, array in kept.items()}
    for array in kept.values():
        array.fill(7)
    gc.collect()
    tracemalloc.start()
    again = model.run(**columns, out=kept)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # NumPy tells of its arrays; all of them have more than 20 MB.
    assert peak < 100_000, peak
    assert {name: array.ctypes.data for name, array in again.items()} == before
    assert all(again[name] is array for name, array in kept.items())
    equal(again, reference)
    # Parts of one array, between each other.
    both = np.zeros((4000, 40, 2))
    parts = {"u_tendency_m_per_s2": both[..., 0], "v_tendency_m_per_s2": both[..., 1]}
    model.run(**columns, out=parts)
    assert np.array_equal(both[..., 0], reference["u_tendency_m_per_s2"])
    assert np.array_equal(both[..., 1], reference["v_tendency_m_per_s2"])


def test_precision_is_that_of_the_arrays(model, columns):
    single = {name: array.astype(np.float32) for name, array in columns.items()}
    out = model.run(**single)
    assert out.u_tendency_m_per_s2.dtype == np.float32
    assert model.run(**columns).u_tendency_m_per_s2.dtype == np.float64
    with pytest.raises(isobar.KindError, match="temperature_k has dtype float32, and float64 is wanted: .*astype"):
        model.run(**{**columns, "temperature_k": single["temperature_k"]})


def test_errors(model, columns):
    def fails(kind, text, **changed):
        with pytest.raises(kind, match=text) as caught:
            model.run(**{**columns, **changed})
        assert "\n" not in str(caught.value)
        return caught.value

    t = columns["temperature_k"]
    hot = t.copy()
    hot[2, 5] = 500
    said = r"temperature_k at column 2, layer 5 is 500, which is not in \[100, 400\] K"
    error = fails(isobar.FieldError, said, temperature_k=hot)
    assert (error.variable, error.item, error.place, error.value) == ("temperature_k", 2, {"layer": 5}, 500)
    assert (error.accepted, error.unit) == ("in [100, 400]", "K")
    hot[2, 5] = np.nan
    assert np.isnan(fails(ValueError, "temperature_k at column 2, layer 5 is NaN", temperature_k=hot).value)
    fails(isobar.FieldError, r"has shape \(4, 39\), and \(column, layer\) = \(4, 40\) is wanted", exner=t[:, 1:])
    fails(isobar.FieldError, r"temperature_k is missing, and needed: \(column, layer\), K", temperature_k=None)
    fails(TypeError, "dtype int64, and float64 is wanted", temperature_k=t.astype(int))
    fails(TypeError, "dtype >f8", temperature_k=t.astype(">f8"))
    fails(TypeError, "temperature_k is list, and a NumPy array or a number is wanted", temperature_k=t.tolist())
    fails(isobar.UnknownNameError, "no field or option 'temperature': did you mean 'temperature_k'", temperature=t)
    fails(isobar.SetupError, "time_step_s", time_step_s="an hour")
    fails(isobar.SetupError, "unknown variant `wrf5`", version="wrf5")


def test_columns_at_unequal_distances(model, columns):
    folded = {name: array.reshape((2, 2, *array.shape[1:])) if array.ndim else array for name, array in columns.items()}
    gap = np.zeros((2, 3, 40))
    gap[:, :2] = folded["exner"]
    said = "exner has strides .*: what stands for one axis does not lie at equal distances"
    with pytest.raises(isobar.FieldError, match=said):
        model.run(**{**folded, "exner": gap[:, :2]})


def test_results_that_do_not_fit(model, columns):
    def fails(kind, text, **out):
        with pytest.raises(kind, match=text):
            model.run(**columns, out=out)

    fixed = np.zeros((4, 40))
    fixed.flags.writeable = False
    fails(isobar.KindError, "may not be written: it is read-only", u_tendency_m_per_s2=fixed)
    fails(isobar.FieldError, r"has shape \(40, 4\), and", u_tendency_m_per_s2=np.zeros((40, 4)))
    fails(isobar.KindError, "has dtype float32", u_tendency_m_per_s2=np.zeros((4, 40), np.float32))
    fails(isobar.KindError, "results go to NumPy arrays", u_tendency_m_per_s2=[1, 2])
    fails(isobar.UnknownNameError, "no result 'heigth_m': did you mean 'height_m'", heigth_m=np.zeros(4))
    fails(isobar.FieldError, "shares memory with the input u_m_per_s", u_tendency_m_per_s2=columns["u_m_per_s"])
    both = np.zeros((4, 40))
    fails(isobar.FieldError, "shares memory with the result", u_tendency_m_per_s2=both, v_tendency_m_per_s2=both)
    one = np.broadcast_to(np.zeros(40), (4, 40))
    fails(isobar.IsobarError, "read-only|one address", u_tendency_m_per_s2=one)


def test_masks_are_not_lost(model, columns):
    """What is masked is no number, whatever stands below the mask."""
    masked = np.ma.array(columns["temperature_k"], mask=False)
    expected = model.run(**columns)
    equal(model.run(**{**columns, "temperature_k": masked}), expected)
    masked[1, 3] = np.ma.masked
    with pytest.raises(isobar.FieldError, match="temperature_k at column 1, layer 3 is NaN") as caught:
        model.run(**{**columns, "temperature_k": masked})
    assert (caught.value.item, caught.value.place) == (1, {"layer": 3})
    out = isobar.YSU(time_step_s=60, bad_items="flag").run(**{**columns, "temperature_k": masked})
    assert out.status.tolist() == [0, 2, 0, 0]
    with pytest.raises(isobar.FieldError, match="surface_pressure_pa at column 0 is NaN"):
        model.run(**{**columns, "surface_pressure_pa": np.ma.masked})
    with pytest.raises(isobar.KindError, match="temperature_k has masked elements, and int64 has no number"):
        model.run(**{**columns, "temperature_k": np.ma.array(np.full((4, 40), 280), mask=masked.mask)})
    with pytest.raises(isobar.KindError, match="height_m is MaskedArray with mask, and results go to plain arrays"):
        model.run(**columns, out={"height_m": np.ma.zeros(4)})


class Quantity:
    """A quantity as pint has it."""

    def __init__(self, magnitude, units, base):
        self.magnitude, self.units, self.base = magnitude, units, base

    def to_base_units(self):
        factor, units = self.base
        return Quantity(self.magnitude * factor, units, (1, units))


class Units(str):
    def __format__(self, spec):
        assert spec == "~C"
        return str(self)


def test_units_of_arrays_are_converted(model, columns):
    pressure = columns["pressure_pa"]
    expected = model.run(**columns)

    def run(value, name="pressure_pa"):
        return model.run(**{**columns, name: value})

    # The same unit: the same array.
    equal(run(Quantity(pressure, Units("Pa"), None)), expected)
    close = {"rtol": 1e-12, "atol": 0}
    found = run(Quantity(pressure / 100, Units("hPa"), None))
    assert np.allclose(found.theta_tendency_k_per_s, expected.theta_tendency_k_per_s, **close)
    # A name of its library's alone.
    found = run(Quantity(pressure / 6894.75, Units("kip_per_foot"), (6894.75, Units("kg/m/s**2"))))
    assert np.allclose(found.theta_tendency_k_per_s, expected.theta_tendency_k_per_s, **close)
    with pytest.raises(isobar.FieldError, match="pressure_pa: its unit is 'm', which is none of 'Pa'"):
        run(Quantity(pressure, Units("m"), (1, Units("m"))))
    # A mask within.
    masked = np.ma.masked_greater(pressure / 100, 900.0)
    with pytest.raises(isobar.FieldError, match="pressure_pa at column 0, layer 0 is NaN"):
        run(Quantity(masked, Units("hPa"), None))
    # A number.
    one = model.run(**{**columns, "roughness_m": 0.1})
    equal(run(Quantity(10.0, Units("cm"), None), "roughness_m"), one)
    single = {name: array.astype("f4") if array.ndim else array for name, array in columns.items()}
    single["pressure_pa"] = Quantity(single["pressure_pa"] / np.float32(100), Units("hPa"), None)
    assert model.run(**single).height_m.dtype == np.float32


def test_units_of_other_libraries(model, columns):
    pint, xarray, pandas = map(pytest.importorskip, ("pint", "xarray", "pandas"))
    expected = model.run(**columns)
    unit = pint.UnitRegistry()
    one = model.run(**{**columns, "surface_pressure_pa": 101300.0}).theta_tendency_k_per_s

    def tendency(**changes):
        return model.run(**{**columns, **changes}).theta_tendency_k_per_s

    close = {"rtol": 1e-12, "atol": 0}
    hpa = columns["pressure_pa"] / 100
    assert np.allclose(tendency(pressure_pa=hpa * unit.hPa), expected.theta_tendency_k_per_s, **close)
    assert np.allclose(tendency(surface_pressure_pa=1013.0 * unit.hPa), one, **close)
    celsius = unit.Quantity(columns["temperature_k"] - 273.15, "degC")
    assert np.allclose(tendency(temperature_k=celsius), expected.theta_tendency_k_per_s, rtol=1e-9, atol=0)
    labelled = xarray.DataArray(hpa, dims=("column", "layer"), attrs={"units": "hPa"})
    assert np.allclose(tendency(pressure_pa=labelled), expected.theta_tendency_k_per_s, **close)
    series = pandas.Series(columns["surface_pressure_pa"])
    assert np.array_equal(tendency(surface_pressure_pa=series), expected.theta_tendency_k_per_s)
    with pytest.raises(isobar.KindError, match="tracers has the unit g, and takes numbers in any unit"):
        tendency(tracers=np.ones((4, 40, 1)) * unit.gram)


def test_ratios_of_masses_and_of_amounts(model, columns, data):
    """In base units both are plain numbers, and one is not the other."""
    unit = pytest.importorskip("pint").UnitRegistry()
    unit.define("part_by_volume = 1 = pbv")
    vapour = columns["vapour_kg_per_kg"]
    expected = model.run(**columns).theta_tendency_k_per_s
    grams = model.run(**{**columns, "vapour_kg_per_kg": unit.Quantity(vapour * 1000, "g/kg")})
    assert np.allclose(grams.theta_tendency_k_per_s, expected, rtol=1e-12, atol=0)
    with pytest.raises(isobar.FieldError, match="vapour_kg_per_kg: its unit is 'mmol/mol', which is none of 'kg kg-1'"):
        model.run(**{**columns, "vapour_kg_per_kg": unit.Quantity(vapour * 1000, "mmol/mol")})
    radiation = isobar.Radiation(device="thread")
    air = radiation.read(data / "radiation" / "columns.nc")
    up = radiation.run(**air).longwave_up_w_per_m2
    for text, factor in [("mmol/mol", 1e3), ("ppm", 1e6), ("pbv", 1.0), ("dimensionless", 1.0)]:
        found = radiation.run(**{**air, "h2o": unit.Quantity(air["h2o"] * factor, text)}).longwave_up_w_per_m2
        assert np.allclose(found, up, rtol=1e-12, atol=0)
    for text in ("g/kg", "mg/kg", "pound/kilogram", "ounce/long_ton"):
        with pytest.raises(isobar.FieldError, match="h2o: its unit is .*, which is none of 'mol mol-1'"):
            radiation.run(**{**air, "h2o": unit.Quantity(air["h2o"], text)})


def test_listings_have_ranges():
    listed = str(isobar.fields("ysu"))
    assert "temperature_k (column, layer) [K], in [" in listed and "optional" in str(isobar.fields("radiation"))
    for field in isobar.fields("radiation").inputs:
        assert field.accepted in str(field)
    assert "in [100, 400]" in isobar.Radiation.__doc__


def test_arrays_that_are_not_aligned_are_copied(model, columns):
    """As those are that another process has sent."""
    expected = model.run(**columns)

    def moved(array):
        memory = np.zeros(array.nbytes + 1, np.uint8)
        memory[1:] = np.frombuffer(array.tobytes(), np.uint8)
        return memory[1:].view(array.dtype).reshape(array.shape)

    changed = {name: moved(array) if array.ndim else array for name, array in columns.items()}
    assert not changed["temperature_k"].flags.aligned
    equal(model.run(**changed), expected)
    # A field of a record, whose elements are no whole number of elements apart.
    records = np.zeros((4, 40), [("flag", "i1"), ("temperature", "f8")])
    records["temperature"] = columns["temperature_k"]
    equal(model.run(**{**columns, "temperature_k": records["temperature"]}), expected)
    with pytest.raises(isobar.KindError, match="height_m does not begin at a multiple of 8 bytes"):
        model.run(**columns, out={"height_m": moved(np.zeros(4))})


@pytest.mark.parametrize("device", ["thread", "cpu"])
def test_unlike_strides_take_a_few_megabytes(columns, device):
    """One array in another order than the others, or a number: pieces are copied, not the batch."""
    wide = many(columns, 20000)
    inputs = sum(array.nbytes for array in wide.values())
    code = f"""
import resource, sys, numpy as np, isobar
model = isobar.YSU(time_step_s=60, device={device!r}, threads=2)
columns = dict(np.load(sys.argv[1]))
columns["temperature_k"] = np.asfortranarray(columns["temperature_k"])
columns["cloud_water_kg_per_kg"] = 0.0
few = {{name: array[:40] if getattr(array, "ndim", 0) else array for name, array in columns.items()}}
model.run(**few)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
out = model.run(**columns)
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(grown * 1024 - sum(array.nbytes for array in out.values()))
few = model.run(**{{name: array[-40:] if getattr(array, "ndim", 0) else array for name, array in columns.items()}})
assert all(np.array_equal(out[name][-40:], few[name]) for name in few)
"""
    import subprocess
    import sys
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, **wide)
        file.flush()
        done = subprocess.run([sys.executable, "-c", code, file.name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # 1 MB a thread, and what the two take besides; a copy of the inputs would be 70 MB.
    assert float(done.stdout) < 16e6 < inputs / 3, done.stdout


def test_no_columns(model, columns):
    none = {name: array[:0] if array.ndim else array for name, array in columns.items()}
    out = model.run(**none)
    assert out.height_m.shape == (0,) and out.u_tendency_m_per_s2.shape == (0, 40)


def test_pressures_in_another_unit_than_their_interfaces(model, columns):
    with pytest.raises(isobar.FieldError, match="pressure_pa at column 0, layer 0 is .* which is not between the"):
        model.run(**{**columns, "pressure_pa": columns["pressure_pa"] / 100})


def test_the_one_that_differs_is_blamed(model, columns):
    for name, size in [("u_m_per_s", 39), ("temperature_k", 41), ("interface_pressure_pa", 40)]:
        with pytest.raises(isobar.FieldError) as caught:
            model.run(**{**columns, name: np.ones((4, size))})
        assert caught.value.variable == name
    with pytest.raises(isobar.FieldError, match="u_m_per_s has 3 columns along an axis, and v_m_per_s has 4"):
        model.run(**{**columns, "u_m_per_s": np.ones((3, 40))})


def test_bad_columns_are_flagged(data):
    model = isobar.YSU(time_step_s=60, bad_items="flag")
    columns = model.read(data / "pbl" / "columns.nc")
    expected = model.run(**columns)
    hot = columns["temperature_k"].copy()
    hot[1, 0] = 900
    out = model.run(**{**columns, "temperature_k": hot})
    assert out.status.tolist() == [0, 2, 0, 0]
    said = "temperature_k at column 1, layer 0 is 900, which is not in [100, 400] K"
    assert [str(error) for error in out.errors] == [said]
    assert np.isnan(out.height_m[1]) and out.height_m[0] == expected.height_m[0]


def test_arguments_are_named(model, columns, data):
    with pytest.raises(isobar.KindError, match="mechanism is NoneType, and a path is wanted"):
        isobar.Chemistry(None)
    with pytest.raises(isobar.KindError, match="k_distributions is int, and a path or several are wanted"):
        isobar.Radiation(3)
    with pytest.raises(isobar.SetupError, match="the option 'top_down' is \"yes\""):
        model.run(**columns, top_down="yes")
    with pytest.raises(isobar.UnknownNameError, match="there is no field or option 'temprature_k'"):
        model.run(**columns, temprature_k=280.0)


def test_a_cell_that_fails(data):
    """With `stop` it is an exception, with `flag` one of `errors`, with `compute` a status."""
    def run(bad_items, **options):
        model = isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", bad_items=bad_items)
        defaults = {known["name"]: known["default"] for known in model.facts["rate_inputs"]}
        given = {"rate_input": np.array([[defaults[name] or 0.5 for name in model.rate_inputs]])} if defaults else {}
        concentration = np.array([model.facts["initial"]])
        return model.run(start_s=0, end_s=3600, concentration=concentration, **given, **options)

    assert run("stop").status.tolist() == [0]
    with pytest.raises(isobar.FieldError, match=r"cell 0 was not computed: too many steps \(status 16\)") as caught:
        run("stop", max_steps=2)
    assert (caught.value.item, caught.value.status) == (0, 16)
    out = run("flag", max_steps=2)
    assert out.status.tolist() == [16] and [error.item for error in out.errors] == [0]
    assert run("compute", max_steps=2).status.tolist() == [16]


def test_a_model_that_cannot_be_made(data):
    with pytest.raises(isobar.FileError, match="nowhere.nc"):
        isobar.Radiation("nowhere.nc")
    with pytest.raises(isobar.UnknownNameError, match="did you mean 'version'"):
        isobar.YSU(versoin="wrf4")
    with pytest.raises(isobar.DeviceError, match="is not a device"):
        isobar.YSU(device="tpu")
    with pytest.raises(isobar.SetupError, match="double precision only"):
        isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", precision="f32")
    with pytest.raises(isobar.FileError):
        isobar.Chemistry(data / "mechanisms" / "nothing.kpp")


def test_fields_say_what_is_declared():
    radiation = isobar.fields("radiation")
    assert radiation["temperature_k"].unit == "K" and radiation["temperature_k"].dimensions == ("layer",)
    assert not radiation.top_first and isobar.fields("clear_sky").top_first
    assert isobar.fields(isobar.YSU).options["time_step_s"] is None
    assert "Temperature of the layers" in isobar.Radiation.__doc__
    with pytest.raises(isobar.UnknownNameError, match="did you mean 'radiation'"):
        isobar.fields("radiatoin")


@pytest.mark.parametrize(
    "name", ["Radiation", "YSU", "ClearSky", "Scattering", "Chemistry", "Infrared", "Jurassic"]
)
def test_help(name):
    text = pydoc.render_doc(getattr(isobar, name), renderer=pydoc.plaintext)
    assert "crate::" not in text and "[`" not in text
