"""Derivatives in JAX and in PyTorch: `isobar.jax` and `isobar.torch`, which have the same functions."""

import gc
import os
from pathlib import Path

import numpy
import pytest
from small import profiles, thin, weights_of, with_clouds

import isobar


class Jax:
    """Functions of JAX's arrays."""

    def __init__(self):
        self.jax = pytest.importorskip("jax")
        self.function = pytest.importorskip("isobar.jax").function

    def array(self, value):
        return self.jax.numpy.asarray(value)

    def pullback(self, function, cotangents, fields, by):
        """Results, and derivatives by some fields."""
        held = {name: value for name, value in fields.items() if name not in by}
        varied = {name: self.array(fields[name]) for name in by}
        out, back = self.jax.vjp(lambda varied: function(**held, **varied), varied)
        zeros = {name: self.jax.numpy.zeros_like(array) for name, array in out.items()}
        (slopes,) = back({**zeros, **{name: self.array(value) for name, value in cotangents.items()}})
        return numpy_of(out), numpy_of(slopes)

    def slope(self, number):
        return self.jax.jit(self.jax.grad(number))


class Torch:
    """Functions of PyTorch's tensors."""

    def __init__(self):
        self.torch = pytest.importorskip("torch")
        self.function = pytest.importorskip("isobar.torch").function

    def array(self, value):
        return self.torch.tensor(numpy.ascontiguousarray(value).reshape(numpy.shape(value)))

    def pullback(self, function, cotangents, fields, by):
        varied = {name: self.array(fields[name]).requires_grad_() for name in by}
        out = function(**{**fields, **varied})
        weights = [self.array(value) for value in cotangents.values()]
        slopes = self.torch.autograd.grad([out[name] for name in cotangents], list(varied.values()), weights)
        return numpy_of({name: array.detach() for name, array in out.items()}), numpy_of(dict(zip(varied, slopes)))

    def slope(self, number):
        def slope(value):
            value = value.detach().requires_grad_()
            number(value).backward()
            return value.grad

        return slope


def numpy_of(arrays):
    return {name: numpy.asarray(array) for name, array in arrays.items()}


@pytest.fixture(params=[Jax, Torch], ids=["jax", "torch"])
def library(request):
    library = request.param()
    if isinstance(library, Jax):
        library.jax.config.update("jax_enable_x64", True)
        yield library
        library.jax.config.update("jax_enable_x64", False)
    else:
        yield library


@pytest.fixture
def columns(data):
    return thin(isobar.Radiation().read(data / "radiation" / "columns.nc"))


def differentiable(model, fields):
    by = isobar.fields(model._adjoint).outputs
    return [field.name for field in by if field.name in fields]


def rrtmgp():
    folder = Path(os.environ.get("ISOBAR_REFERENCE", "../shared/reference")) / "rrtmgp"
    files = [folder / "coeff" / "lw-g128.nc", folder / "coeff" / "sw-g112.nc"]
    if not all(file.exists() for file in files):
        pytest.skip(f"there is no {files[0]} (ISOBAR_REFERENCE)")
    clouds = [folder / "cloud" / f"rrtmgp-clouds-{spectrum}-bnd.nc" for spectrum in ("lw", "sw")]
    return isobar.Radiation(files, clouds=clouds)


@pytest.fixture(params=["ecckd", "rrtmgp", "adding"])
def case(request, columns):
    if request.param == "adding":
        return isobar.Adding(nodes=2), profiles(), {"fluxes": True, "levels": True}
    model = isobar.Radiation() if request.param == "ecckd" else rrtmgp()
    return model, with_clouds(columns), {"overlap": "random"}


def test_the_bits_of_the_model(library, case):
    model, fields, options = case
    out = model.run(**fields, **options)
    cotangents = weights_of(out)
    by = differentiable(model, fields)
    expected = model.pullback(cotangents, **fields, **options)
    found, slopes = library.pullback(library.function(model, **options), cotangents, fields, by)
    assert set(found) == set(cotangents) and set(slopes) == set(by)
    for name in found:
        assert numpy.array_equal(found[name], out[name]), name
    for name in by:
        shape = numpy.shape(fields[name])
        # ecCKD knows no oxygen.
        whole = expected[name] if name != "o2" or name in expected else numpy.zeros(shape)
        assert slopes[name].shape == shape, name
        if shape == whole.shape:
            assert numpy.array_equal(slopes[name], whole), name
        else:
            axes = tuple(axis for axis in range(whole.ndim) if not shape or shape[axis] == 1)
            sums = whole.sum(axis=axes, keepdims=bool(shape))
            assert (abs(slopes[name] - sums) <= 1e-14 * abs(whole).sum()).all(), name


def test_gradients_are_differences(library, case):
    model, fields, options = case
    function = library.function(model, **options)
    cotangents = weights_of(model.run(**fields, **options))
    _, slopes = library.pullback(function, cotangents, fields, differentiable(model, fields))
    for name, slope in slopes.items():
        value, step = numpy.asarray(fields[name]), 1e-5

        def number(value):
            out = function(**{**fields, name: library.array(value)})  # noqa: B023
            return sum((cotangents[name] * numpy.asarray(out[name])).sum() for name in cotangents)

        if name == "single_scattering_albedo":
            # It may not be above 1.
            value = value * 0.999
            slope = library.pullback(function, cotangents, {**fields, name: value}, [name])[1][name]
        difference = (number(value * (1 + step)) - number(value * (1 - step))) / (2 * step)
        terms = slope * value
        # The square of the step, and the rounding of results over it.
        assert abs(terms.sum() - difference) < 1e-6 * abs(terms).sum() + 1e-5, name
        assert abs(terms).max() > 1e-6 or name == "o2", name


def test_what_is_the_same_for_several_has_a_sum(library, columns):
    model = isobar.Radiation()
    function = library.function(model)
    shared = {
        **columns, "h2o": columns["h2o"][0], "o3": columns["o3"][:1], "emissivity": 0.97,
        "surface_temperature_k": columns["surface_temperature_k"][:1],
    }
    by = ["h2o", "o3", "emissivity", "surface_temperature_k", "co2", "temperature_k"]
    cotangents = weights_of(model.run(**shared))
    whole = model.pullback(cotangents, **shared)
    _, slopes = library.pullback(function, cotangents, shared, by)
    sums = {
        "h2o": whole["h2o"].sum(0), "o3": whole["o3"].sum(0, keepdims=True), "emissivity": whole["emissivity"].sum(),
        "surface_temperature_k": whole["surface_temperature_k"].sum(keepdims=True), "co2": whole["co2"].sum(),
        "temperature_k": whole["temperature_k"],
    }
    for name in by:
        assert slopes[name].shape == sums[name].shape, name
        numpy.testing.assert_allclose(slopes[name], sums[name], rtol=1e-13, atol=1e-13 * abs(sums[name]).max())


@pytest.mark.parametrize("layout", ["last", "top_first", "several", "none"])
def test_layouts(library, columns, layout):
    plain = isobar.Radiation()
    cotangents = weights_of(plain.run(**columns))
    expected = plain.pullback(cotangents, **columns)
    vertical = {"level", "layer"}

    def turned(values):
        found = {}
        for name, value in values.items():
            value = numpy.asarray(value)
            if not value.ndim:
                found[name] = value
            elif layout == "last":
                found[name] = numpy.moveaxis(value, 0, -1)
            elif layout == "top_first":
                cores = isobar.fields(plain)[name].dimensions
                found[name] = value[:, ::-1].copy() if vertical & set(cores) else value
            elif layout == "several":
                found[name] = value.reshape(3, 1, *value.shape[1:]).repeat(2, 1)
            else:
                found[name] = value[2]
        return found

    settings = {"last": {"items_axis": "last"}, "top_first": {"top_first": True}}.get(layout, {})
    function = library.function(isobar.Radiation(**settings))
    by = ["temperature_k", "level_pressure_pa", "surface_temperature_k", "emissivity", "h2o", "co2"]
    found, slopes = library.pullback(function, turned(cotangents), turned(columns), by)
    for name, array in turned(plain.run(**columns)).items():
        assert name == "status" or numpy.array_equal(found[name], array), name
    for name in by[:-1]:
        assert numpy.array_equal(slopes[name], turned(expected)[name]), name
    # Several columns are there twice; a single one is the third.
    part, times = (expected["co2"][2:], 1) if layout == "none" else (expected["co2"], 2 if layout == "several" else 1)
    assert slopes["co2"] == pytest.approx(times * part.sum(), rel=1e-12)


def test_f32(library, columns):
    single = {name: numpy.asarray(value, numpy.float32) if numpy.ndim(value) else value
              for name, value in columns.items()}
    model = isobar.Radiation()
    out = model.run(**single)
    cotangents = {name: array.astype(numpy.float32) for name, array in weights_of(out).items()}
    found, slopes = library.pullback(library.function(model), cotangents, single, ["temperature_k"])
    assert found["longwave_up_w_per_m2"].dtype == slopes["temperature_k"].dtype == numpy.float32
    assert numpy.array_equal(slopes["temperature_k"], model.pullback(cotangents, **single)["temperature_k"])
    mixed = {**single, "temperature_k": columns["temperature_k"]}
    with pytest.raises(isobar.KindError, match="h2o has dtype float32, and float64 is wanted|temperature_k has dtype"):
        library.function(model)(**mixed)
    with pytest.raises(isobar.KindError, match="has dtype float64, and float32 is wanted"):
        library.function(isobar.Radiation(precision="f32"))(**columns)


def test_wanted_results(library, columns):
    model = isobar.Radiation()
    function = library.function(model, wanted=["longwave_up_w_per_m2"])
    out = model.run(**columns)
    one = {"longwave_up_w_per_m2": numpy.ones((3, 6))}
    found, slopes = library.pullback(function, one, columns, ["h2o", "cosine_zenith"])
    assert list(found) == ["longwave_up_w_per_m2"]
    assert numpy.array_equal(found["longwave_up_w_per_m2"], out.longwave_up_w_per_m2)
    assert numpy.array_equal(slopes["h2o"], model.pullback(one, **columns)["h2o"])
    # The short wave has nothing to do with it.
    assert not slopes["cosine_zenith"].any()


def test_what_there_is_not(library, data, columns):
    model, cloudy = isobar.Radiation(), with_clouds(columns)
    one = {"longwave_up_w_per_m2": numpy.ones((3, 6))}

    def gradient(fields, by, **options):
        return library.pullback(library.function(model, **options), one, fields, by)

    with pytest.raises(isobar.SetupError, match="there is no derivative by cloud_fraction: hold it"):
        gradient(cloudy, ["h2o", "cloud_fraction"])
    with pytest.raises(isobar.SetupError, match="the adjoint has no long wave that scatters"):
        gradient(columns, ["h2o"], longwave_scattering="two_stream")
    with pytest.raises(isobar.SetupError, match=r"the adjoint has clouds by random sub-columns \(McICA\) alone"):
        gradient(cloudy, ["h2o"], cloud_solver="tripleclouds")
    # All of that may be computed.
    out = library.function(model, cloud_solver="tripleclouds")(**cloudy)
    expected = model.run(**cloudy, cloud_solver="tripleclouds")
    assert numpy.array_equal(numpy.asarray(out["longwave_up_w_per_m2"]), expected.longwave_up_w_per_m2)
    with pytest.raises(isobar.UnknownNameError, match="no result with derivatives 'longwave_upp': did you mean"):
        library.function(model, wanted=["longwave_upp"])
    with pytest.raises(isobar.SetupError, match="upward_flux is no result of these inputs and options"):
        library.function(isobar.Adding(nodes=2), wanted=["upward_flux"])(**profiles())
    with pytest.raises(isobar.UnknownNameError, match="there is no field 'h20': did you mean 'h2o'?"):
        library.function(model)(**columns, h20=1e-3)
    with pytest.raises(isobar.KindError, match="co2 is list, and an array or a number is wanted"):
        library.function(model)(**{**columns, "co2": [4e-4]})
    with pytest.raises(isobar.SetupError, match="wanted names no result"):
        library.function(model, wanted=[])
    with pytest.raises(isobar.UnknownNameError, match="anglez"):
        library.function(model, anglez=2)(**columns)
    with pytest.raises(isobar.SetupError, match="YSU has no adjoint: isobar.Radiation and isobar.Adding have one"):
        library.function(isobar.YSU(time_step_s=60))
    # It has a pullback of its own, of dictionaries.
    with pytest.raises(isobar.SetupError, match="Jurassic has no adjoint"):
        library.function(isobar.Jurassic(data / "limb" / "limb.ctl"))
    with pytest.raises(isobar.FieldError, match="temperature_k at column 0, layer 0 is 0, which is not in"):
        library.function(model)(**{**columns, "temperature_k": numpy.zeros((3, 5))})
    with pytest.raises(isobar.FieldError, match=r"o3 has shape \(0, 4\).*0 stands for any number of columns"):
        library.function(model)(**{**columns, "o3": numpy.zeros((3, 4))})
    with pytest.raises(isobar.FieldError, match=r"temperature_k has columns \(2,\), and others have \(3,\)"):
        library.function(model)(**{**columns, "temperature_k": numpy.full((2, 5), 250.0)})
    with pytest.raises(isobar.FieldError, match="aerosol_albedo has 1 axes, and has to have 2 besides"):
        library.function(model)(**columns, aerosol_albedo=numpy.ones(3))


def test_fitting_does_not_grow(library, data, columns):
    """1,000 steps of descent: a copy of the inputs a step would be 10 MB, of the results 0.6 MB."""
    model = isobar.Radiation(data / "radiation" / "ecckd-longwave-32.nc", device="thread")
    names = ("level_pressure_pa", "pressure_pa", "level_temperature_k", "temperature_k", "h2o", "o3", "emissivity")
    fields = {name: columns[name].repeat(4, 0) for name in (*names, "surface_temperature_k")}
    fields |= {name: columns[name] for name in ("co2", "n2o", "ch4")}
    function = library.function(model, wanted=["longwave_up_w_per_m2"])
    seen = numpy.asarray(function(**fields)["longwave_up_w_per_m2"])
    seen = library.array(seen)

    def misfit(ground):
        out = function(**{**fields, "surface_temperature_k": ground})["longwave_up_w_per_m2"]
        return ((out - seen) ** 2).sum()

    slope = library.slope(misfit)
    warm = fields["surface_temperature_k"] + 5
    ground = library.array(warm)
    resident = []
    for number in range(1300):
        if number in (300, 800):
            resident.append(resident_bytes())
        ground = ground - 0.003 * slope(ground)
    resident.append(resident_bytes())
    # What grows does so in each half; an allocator takes more now and then.
    assert min(resident[1] - resident[0], resident[2] - resident[1]) < 2.5e5
    numpy.testing.assert_allclose(numpy.asarray(ground), warm - 5, atol=1e-6)


def resident_bytes():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
