"""What `isobar.jax` has of its own: `jit`, `vmap`, precision, second derivatives. The rest is in test_gradients."""

import numpy
import pytest
from small import profiles, thin, weights_of, with_clouds

import isobar

jax = pytest.importorskip("jax")
isobar_jax = pytest.importorskip("isobar.jax")


@pytest.fixture(autouse=True)
def double():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture
def columns(data):
    return thin(isobar.Radiation().read(data / "radiation" / "columns.nc"))


def equal(found, expected):
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
        assert numpy.array_equal(one, other)


def test_jit_has_the_same_bits(columns):
    function = isobar_jax.function(isobar.Radiation())
    fields = with_clouds(columns)
    weights = weights_of(function(**fields))
    fraction = fields.pop("cloud_fraction")

    def number(fields):
        out = function(**fields, cloud_fraction=fraction)
        return sum((weights[name] * out[name]).sum() for name in weights)

    equal(jax.jit(function)(**columns), function(**columns))
    equal(jax.jit(jax.value_and_grad(number))(fields), jax.value_and_grad(number)(fields))


@pytest.mark.parametrize("scheme", ["radiation", "radiation, columns last", "adding"])
def test_vmap_is_a_loop_with_one_run(columns, scheme, monkeypatch):
    random = numpy.random.default_rng(7)
    if scheme == "adding":
        model, fields, options, by = isobar.Adding(nodes=2), profiles(), {}, ["optical_depth", "sun_irradiance"]
    else:
        model, fields, options, by = isobar.Radiation(), columns, {}, ["h2o", "co2", "emissivity", "temperature_k"]
        fields = {**columns, "o3": columns["o3"][1], "emissivity": columns["emissivity"][:1]}
    if scheme.endswith("last"):
        fields = {name: numpy.moveaxis(numpy.asarray(value), 0, -1) if numpy.ndim(value) > 1 else value
                  for name, value in fields.items()}
        options = {"items_axis": "last"}
    function = isobar_jax.function(model, **options)
    batch = {name: random.uniform(0.9, 1, (4, *numpy.shape(fields[name]))) * fields[name] for name in by}
    weights = weights_of(function(**fields))

    def one(varied):
        out, back = jax.vjp(lambda varied: function(**{**fields, **varied}), varied)
        return out, back({name: jax.numpy.asarray(weights[name]) for name in out})[0]

    each = [one({name: jax.numpy.asarray(value[number]) for name, value in batch.items()}) for number in range(4)]
    stacked = jax.tree.map(lambda *arrays: numpy.stack(arrays), *each)
    runs = []
    for cls, name in ((type(model), "run"), (type(model), "pullback")):
        true = getattr(cls, name)
        monkeypatch.setattr(
            cls, name, lambda self, *a, true=true, name=name, **g: (runs.append(name), true(self, *a, **g))[1]
        )
    equal(jax.vmap(one)(batch), stacked)
    assert runs == ["run", "pullback"]
    equal(jax.jit(jax.vmap(one))(batch), stacked)
    # Of what is the same in all of them there is the sum.
    shared, rest = {by[0]: jax.numpy.asarray(batch[by[0]][0])}, {name: batch[name] for name in by[1:]}

    def number(shared, rest):
        out = function(**{**fields, **shared, **rest})
        return sum((weights[name] * out[name]).sum() for name in out)

    slope = jax.grad(lambda shared: jax.vmap(number, in_axes=(None, 0))(shared, rest).sum())(shared)
    loop = [jax.grad(number)(shared, {name: array[row] for name, array in rest.items()})[by[0]] for row in range(4)]
    largest = numpy.max(numpy.abs(loop))
    numpy.testing.assert_allclose(slope[by[0]], sum(loop), rtol=0, atol=1e-13 * largest)
    # A batch of batches, of cotangents too.
    twice = jax.tree.map(lambda array: array.reshape(2, 2, *array.shape[1:]), batch)
    equal(jax.vmap(jax.vmap(one))(twice), jax.tree.map(lambda a: a.reshape(2, 2, *a.shape[1:]), stacked))
    varied = {name: jax.numpy.asarray(value[0]) for name, value in batch.items()}
    out, back = jax.vjp(lambda varied: function(**{**fields, **varied}), varied)
    scales = numpy.array([1.0, -2.0, 0.5])
    cotangents = {name: scales.reshape(-1, *[1] * out[name].ndim) * weights[name] for name in out}
    rows = [back({name: jax.numpy.asarray(array[row]) for name, array in cotangents.items()}) for row in range(3)]
    equal(jax.vmap(back)(cotangents), jax.tree.map(lambda *arrays: numpy.stack(arrays), *rows))


def test_a_jacobian_by_rows(columns):
    model = isobar.Radiation()
    function = isobar_jax.function(model, wanted="longwave_up_w_per_m2")
    one = {name: value[0] if numpy.ndim(value) else value for name, value in columns.items()}
    jacobian = jax.jacrev(lambda t: function(**{**one, "temperature_k": t})["longwave_up_w_per_m2"])(
        one["temperature_k"])
    assert jacobian.shape == (6, 5)
    for level in range(6):
        row = model.pullback({"longwave_up_w_per_m2": numpy.eye(6)[level]}, **one)["temperature_k"]
        assert numpy.array_equal(jacobian[level], row)


def test_second_and_forward_derivatives_are_refused(columns):
    function = isobar_jax.function(isobar.Radiation(), wanted="longwave_up_w_per_m2")

    def number(ground):
        return (function(**{**columns, "surface_temperature_k": ground})["longwave_up_w_per_m2"] ** 2).sum()

    ground = columns["surface_temperature_k"]
    for transform in (lambda f: f, jax.jit):
        with pytest.raises(isobar.SetupError, match="there are no second derivatives"):
            jax.grad(lambda ground: transform(jax.grad(number))(ground).sum())(ground)
        with pytest.raises(TypeError, match="custom_vjp"):
            jax.jvp(transform(number), (ground,), (ground,))
    # What is held has none, and may be in the way.
    held = jax.grad(lambda x: (x * jax.grad(number)(jax.lax.stop_gradient(x))).sum())(ground)
    equal(held, jax.grad(number)(ground))


def test_precision(columns):
    function = isobar_jax.function(isobar.Radiation())
    # A number of JAX's follows the arrays, as Python's do.
    single = {name: numpy.asarray(value, numpy.float32) if numpy.ndim(value) else value
              for name, value in columns.items()} | {"emissivity": 2.0 * jax.numpy.asarray(0.48)}
    assert single["emissivity"].weak_type and single["emissivity"].dtype == numpy.float64
    assert function(**single)["longwave_up_w_per_m2"].dtype == numpy.float32
    jax.config.update("jax_enable_x64", False)
    assert function(**single)["longwave_up_w_per_m2"].dtype == numpy.float32
    with pytest.raises(isobar.KindError, match=r"is float64, and JAX has float32 alone: jax.config.update"):
        function(**columns)
    with pytest.raises(isobar.KindError, match="is float64, and JAX has float32 alone"):
        isobar_jax.function(isobar.Radiation(precision="f64"))(co2=4e-4)
    with pytest.raises(isobar.KindError, match="bfloat16"):
        function(**{**single, "temperature_k": jax.numpy.asarray(single["temperature_k"], "bfloat16")})


def test_a_number_of_numpy_is_a_number(columns):
    """As `run` has it: it takes the precision of the arrays beside it."""
    single = {name: numpy.float32(value) if numpy.ndim(value) else value for name, value in columns.items()}
    function = isobar_jax.function(isobar.Radiation(device="thread"), wanted=["longwave_up_w_per_m2"])
    expected = function(**{**single, "co2": 4e-4})["longwave_up_w_per_m2"]
    found = function(**{**single, "co2": numpy.float64(4e-4)})["longwave_up_w_per_m2"]
    assert found.dtype == numpy.float32 and numpy.array_equal(found, expected)


def test_words_and_errors_under_jit(columns):
    function = isobar_jax.function(isobar.Radiation(), wanted="shortwave_up_w_per_m2")
    cloudy = {**with_clouds(columns), "subcolumn_seed": numpy.arange(3, dtype=numpy.uint32)}
    cloudy["cloud_fraction"] = 0.5 * cloudy["cloud_fraction"]
    expected = isobar.Radiation().run(**cloudy).shortwave_up_w_per_m2
    other = isobar.Radiation().run(**{**cloudy, "subcolumn_seed": cloudy["subcolumn_seed"] + 1}).shortwave_up_w_per_m2
    found = jax.jit(function)(**cloudy)["shortwave_up_w_per_m2"]
    assert numpy.array_equal(found, expected) and not numpy.array_equal(found, other)
    # A number is a word, too.
    expected = isobar.Radiation().run(**{**cloudy, "subcolumn_seed": 7}).shortwave_up_w_per_m2
    assert numpy.array_equal(function(**{**cloudy, "subcolumn_seed": 7})["shortwave_up_w_per_m2"], expected)
    with pytest.raises(isobar.KindError, match="subcolumn_seed has dtype"):
        function(**{**cloudy, "subcolumn_seed": numpy.arange(3)})
    with pytest.raises(isobar.SetupError, match="there is no derivative by cloud_fraction"):
        jax.jit(jax.grad(lambda f: function(**{**cloudy, "cloud_fraction": f})["shortwave_up_w_per_m2"].sum()))(
            cloudy["cloud_fraction"])
    with pytest.raises(jax.errors.JaxRuntimeError, match="FieldError: temperature_k at column 0, layer 0 is 0, which"):
        jax.jit(function)(**{**columns, "temperature_k": 0 * columns["temperature_k"]})
