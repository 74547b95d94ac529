"""What `isobar.torch` has of its own: `gradcheck`, devices, second derivatives. The rest is in test_gradients."""

import numpy
import pytest
from small import profiles, thin, with_clouds

import isobar

torch = pytest.importorskip("torch")
isobar_torch = pytest.importorskip("isobar.torch")


@pytest.fixture
def columns(data):
    return thin(isobar.Radiation().read(data / "radiation" / "columns.nc"))


@pytest.mark.parametrize("scheme", ["radiation", "adding"])
def test_gradcheck(columns, scheme):
    if scheme == "radiation":
        function = isobar_torch.function(isobar.Radiation(), overlap="random")
        fields = {name: value[:1] if numpy.ndim(value) else value for name, value in with_clouds(columns).items()}
        by = ["temperature_k", "h2o", "liquid_path_g_per_m2", "liquid_radius_um", "surface_albedo_direct",
              "cosine_zenith", "co2"]
    else:
        function, fields = isobar_torch.function(isobar.Adding(nodes=2), fluxes=True), profiles()
        by = ["optical_depth", "asymmetry", "surface_parameters", "sun_irradiance", "cosmic_background"]

    def scaled(*factors):
        varied = {name: factor * torch.tensor(fields[name]) for name, factor in zip(by, factors)}
        return tuple(function(**{**fields, **varied}).values())

    factors = tuple(torch.ones(numpy.shape(fields[name]), dtype=torch.float64, requires_grad=True) for name in by)
    # A hundred roundings of 1,000 W/m^2 over the step.
    assert torch.autograd.gradcheck(scaled, factors, eps=1e-5, atol=2e-6, rtol=1e-6)


def test_only_what_requires_a_gradient_has_one(columns):
    function = isobar_torch.function(isobar.Radiation())
    temperature = torch.tensor(columns["temperature_k"], requires_grad=True)
    water = torch.tensor(columns["h2o"])
    out = function(**{**columns, "temperature_k": temperature, "h2o": water})
    out["longwave_up_w_per_m2"].sum().backward()
    assert temperature.grad is not None and water.grad is None
    fraction = torch.zeros(3, 5, dtype=torch.float64, requires_grad=True)
    cloudy = {**with_clouds(columns), "cloud_fraction": fraction}
    with pytest.raises(isobar.SetupError, match="there is no derivative by cloud_fraction: hold it"):
        function(**cloudy)
    function(**{**cloudy, "cloud_fraction": fraction.detach()})
    with torch.no_grad():
        assert not function(**cloudy)["longwave_up_w_per_m2"].requires_grad


def test_tensors_of_other_kinds(columns):
    function = isobar_torch.function(isobar.Radiation())
    temperature = torch.tensor(columns["temperature_k"])
    with pytest.raises(isobar.KindError, match="temperature_k lies on meta, and these functions take"):
        function(**{**columns, "temperature_k": temperature.to("meta")})
    for dtype in (torch.bfloat16, torch.float16, torch.int64):
        with pytest.raises(isobar.KindError, match=f"temperature_k is {dtype}, and torch.float32 or torch.float64"):
            function(**{**columns, "temperature_k": temperature.to(dtype)})
    with pytest.raises(isobar.KindError, match="temperature_k has dtype float32, and float64 is wanted"):
        function(**{**columns, "temperature_k": temperature.float()})
    # PyTorch has few words without a sign.
    cloudy = with_clouds(columns)
    cloudy["cloud_fraction"] = 0.5 * cloudy["cloud_fraction"]
    for seed in (torch.arange(3, dtype=torch.int32), torch.arange(3).to(torch.uint32)):
        out = function(**cloudy, subcolumn_seed=seed)
        expected = isobar.Radiation().run(**cloudy, subcolumn_seed=numpy.arange(3, dtype=numpy.uint32))
        assert numpy.array_equal(out["shortwave_up_w_per_m2"], expected.shortwave_up_w_per_m2)
    out = function(**cloudy, subcolumn_seed=7)["shortwave_up_w_per_m2"]
    assert numpy.array_equal(out, isobar.Radiation().run(**cloudy, subcolumn_seed=7).shortwave_up_w_per_m2)


def test_tensors_in_place_and_changed(columns):
    function = isobar_torch.function(isobar.Radiation(), wanted="longwave_up_w_per_m2")
    whole = torch.tensor(numpy.repeat(columns["temperature_k"], 2, 1))
    expected = isobar.Radiation().run(**columns).longwave_up_w_per_m2
    view = whole[:, ::2].requires_grad_()
    assert numpy.array_equal(function(**{**columns, "temperature_k": view})["longwave_up_w_per_m2"].detach(), expected)
    ground = torch.tensor(columns["surface_temperature_k"], requires_grad=True)
    held = ground * 1
    out = function(**{**columns, "surface_temperature_k": held})["longwave_up_w_per_m2"].sum()
    held += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()


def test_vmap_is_a_loop_with_one_run(columns, monkeypatch):
    model = isobar.Radiation()
    function = isobar_torch.function(model, wanted="longwave_up_w_per_m2")
    water, temperature = torch.tensor(columns["h2o"]), torch.tensor(columns["temperature_k"])
    batch = temperature[..., None] * torch.linspace(0.95, 1, 4, dtype=torch.float64)

    def flux(temperature, water):
        return function(**{**columns, "temperature_k": temperature, "h2o": water})["longwave_up_w_per_m2"]

    def one(temperature, water):
        slopes = torch.func.grad(lambda *state: (flux(*state) ** 2).sum(), argnums=(0, 1))(temperature, water)
        return flux(temperature, water), *slopes

    each = [one(batch[..., number], water) for number in range(4)]
    runs = []
    for name in ("run", "pullback"):
        true = getattr(isobar.Radiation, name)
        monkeypatch.setattr(
            isobar.Radiation, name,
            lambda self, *a, true=true, name=name, **g: (runs.append(name), true(self, *a, **g))[1],
        )
    found = torch.func.vmap(one, in_dims=(2, None))(batch, water)
    assert sorted(runs) == ["pullback", "run", "run"]
    for part in range(3):
        assert torch.equal(found[part], torch.stack([parts[part] for parts in each]))
    # Of what is the same in all of them there is the sum.
    shared = water.clone().requires_grad_()
    (torch.func.vmap(flux, in_dims=(2, None))(batch, shared) ** 2).sum().backward()
    torch.testing.assert_close(shared.grad, sum(parts[2] for parts in each), rtol=1e-13, atol=0)
    jacobian = torch.func.jacrev(lambda temperature: flux(temperature, water).sum(0))(temperature)
    for level in range(6):
        row = model.pullback({"longwave_up_w_per_m2": numpy.eye(6)[level] + numpy.zeros((3, 1))}, **columns)
        assert numpy.array_equal(jacobian[level], row["temperature_k"])


def test_second_derivatives_are_refused(columns):
    function = isobar_torch.function(isobar.Radiation(), wanted="longwave_up_w_per_m2")
    ground = torch.tensor(columns["surface_temperature_k"], requires_grad=True)

    def flux(ground):
        return function(**{**columns, "surface_temperature_k": ground})["longwave_up_w_per_m2"].sum()

    (slope,) = torch.autograd.grad(flux(ground), ground, create_graph=True)
    # Beside what has derivatives, where its own would be lost without a word.
    with pytest.raises(isobar.SetupError, match="there are no second derivatives"):
        (ground.sum() + (slope**2).sum()).backward()
    with pytest.raises(isobar.SetupError, match="there are no second derivatives"):
        torch.func.grad(lambda ground: torch.func.grad(flux)(ground).sum())(ground.detach())


def test_compile_leaves_it_alone(columns):
    function = isobar_torch.function(isobar.Radiation(), wanted="longwave_up_w_per_m2")

    def number(ground):
        return function(**{**columns, "surface_temperature_k": 1.01 * ground})["longwave_up_w_per_m2"].sum()

    slopes = []
    for compiled in (number, torch.compile(number, backend="eager")):
        ground = torch.tensor(columns["surface_temperature_k"], requires_grad=True)
        compiled(ground).backward()
        slopes.append(ground.grad)
    assert torch.equal(*slopes)
