"""Arrays of other libraries: DLPack and `__cuda_array_interface__`; on a GPU where there is one, with PyTorch or
CuPy."""

import isobar
import numpy as np
import pytest


class Foreign:
    """An array that has DLPack alone."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


class OnGPU:
    """What says that it lies on a GPU; nobody is to touch it."""

    next = 0x7000_0000

    def __init__(self, array):
        OnGPU.next += 1 << 20
        self.__cuda_array_interface__ = {
            "data": (OnGPU.next, False), "shape": array.shape, "typestr": array.dtype.str, "strides": None,
            "version": 3,
        }


@pytest.fixture
def model():
    return isobar.YSU(time_step_s=60)


@pytest.fixture
def columns(model, data):
    return model.read(data / "pbl" / "columns.nc")


def test_dlpack_on_the_host(model, columns):
    expected = model.run(**columns)
    foreign = {name: Foreign(array) if array.ndim else array for name, array in columns.items()}
    out = {"u_tendency_m_per_s2": Foreign(np.zeros((4, 40)))}
    found = model.run(**foreign, out=out)
    assert found.u_tendency_m_per_s2 is out["u_tendency_m_per_s2"]
    assert np.array_equal(found.u_tendency_m_per_s2.array, expected.u_tendency_m_per_s2)
    assert np.array_equal(found.height_m, expected.height_m)
    with pytest.raises(isobar.KindError, match="temperature_k is float32, and float64 is wanted"):
        model.run(**{**columns, "temperature_k": Foreign(columns["temperature_k"].astype(np.float32))})


def test_arrays_in_two_places(model, columns):
    with pytest.raises(isobar.KindError, match="temperature_k lies on cuda:0, and u_m_per_s on the host"):
        model.run(**{**columns, "temperature_k": OnGPU(columns["temperature_k"])})
    with pytest.raises(isobar.KindError, match="temperature_k lies on cuda:3, and u_m_per_s on the host"):
        model.run(**{**columns, "temperature_k": Foreign(columns["temperature_k"], (2, 3))})


def test_arrays_of_a_gpu_need_one(model, columns):
    there = {name: OnGPU(array) if array.ndim else array for name, array in columns.items()}
    with pytest.raises(isobar.KindError, match=r"give an array for it \(out=\)"):
        model.run(**there)
    plain = model.run(**columns)
    out = {name: OnGPU(array) for name, array in plain.items()}
    with pytest.raises(isobar.SetupError, match="the arrays are on cuda:0, and the model computes on cpu"):
        model.run(**there, out=out)


@pytest.mark.parametrize("library", ["torch", "cupy"])
@pytest.mark.parametrize("scheme", ["YSU", "Radiation"])
def test_arrays_of_a_gpu_stay_there(data, library, scheme):
    library = pytest.importorskip(library)
    if not any(device.startswith("cuda") for device in isobar.devices()):
        pytest.skip("there is no GPU")
    file = {"YSU": data / "pbl" / "columns.nc", "Radiation": data / "radiation" / "columns.nc"}[scheme]
    options = {"time_step_s": 60} if scheme == "YSU" else {}
    host = getattr(isobar, scheme)(items_axis="last", **options)
    columns = host.read(file)
    expected = host.run(**columns)
    model = getattr(isobar, scheme)(device="cuda", items_axis="last", **options)
    if library.__name__ == "torch":
        there = {name: library.tensor(array, device="cuda") if array.ndim else array for name, array in columns.items()}
        back = lambda array: array.cpu().numpy()  # noqa: E731
    else:
        there = {name: library.asarray(array) if array.ndim else array for name, array in columns.items()}
        back = lambda array: array.get()  # noqa: E731
    out = model.run(**there)
    for name, array in expected.items():
        assert type(out[name]).__module__.split(".")[0] == library.__name__
        assert np.array_equal(back(out[name]), array.astype(back(out[name]).dtype), equal_nan=True), name
    again = model.run(**there, out=dict(out))
    assert again.status is out.status
