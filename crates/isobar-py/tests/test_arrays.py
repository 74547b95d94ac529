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
    unaligned = np.frombuffer(b"0" + t.tobytes(), np.uint8)[1:].view(np.float64).reshape(t.shape)
    fails(isobar.KindError, "does not begin at a multiple of 8 bytes", temperature_k=unaligned)


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
    "name", ["Radiation", "RRTMGLongwave", "YSU", "ClearSky", "Scattering", "Chemistry", "Infrared", "Jurassic"]
)
def test_help(name):
    text = pydoc.render_doc(getattr(isobar, name), renderer=pydoc.plaintext)
    assert "crate::" not in text and "[`" not in text
