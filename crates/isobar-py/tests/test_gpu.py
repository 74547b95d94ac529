"""On a GPU: the bits of the host, from its arrays and from the GPU's, which stay there.

Runs with pytest, and as a program (`python test_gpu.py`), which needs NumPy and PyTorch or CuPy. Without a GPU it says
so.
"""

import sys
import time
from pathlib import Path

import isobar
import numpy as np

DATA = Path(__file__).parents[3] / "data"
GPU = any(device.startswith("cuda") for device in isobar.devices())


class Torch:
    """PyTorch's arrays."""

    def __init__(self):
        import torch

        self.torch = torch
        assert torch.cuda.is_available()

    def there(self, array):
        # PyTorch has no words without a sign to upload: no input of these cases is one.
        return self.torch.from_numpy(np.ascontiguousarray(array)).cuda()

    def back(self, array):
        return array.cpu().numpy()

    def address(self, array):
        return array.data_ptr()

    def is_there(self, array):
        return array.is_cuda


class CuPy:
    """CuPy's arrays."""

    def __init__(self):
        import cupy

        self.cupy = cupy
        assert cupy.cuda.runtime.getDeviceCount() > 0

    def there(self, array):
        return self.cupy.asarray(array)

    def back(self, array):
        return array.get()

    def address(self, array):
        return array.data.ptr

    def is_there(self, array):
        return isinstance(array, self.cupy.ndarray)


class ByInterface:
    """An array that has `__cuda_array_interface__` alone."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def libraries():
    for library in (Torch, CuPy):
        try:
            yield library()
        except Exception as error:  # noqa: BLE001 - whatever a library without a GPU does
            print(f"SKIPPED: {library.__name__}: {error}")


def cases(precision, count):
    """Models with their columns, a number of them, items last."""
    common = {"precision": precision, "items_axis": "last"}
    folder = DATA / "radiation"
    ecckd = [folder / f"ecckd-{wave}-32.nc" for wave in ("longwave", "shortwave")]
    for cls, options, file, choices in (
        (isobar.YSU, {"time_step_s": 60}, DATA / "pbl" / "columns.nc", {}),
        (isobar.YSU, {"time_step_s": 60, "top_down": True, "topographic": True}, DATA / "pbl" / "columns.nc", {}),
        (isobar.Radiation, {"k_distributions": ecckd, "derivative": True}, folder / "columns.nc", {}),
        (isobar.Radiation, {"k_distributions": "analytic"}, folder / "columns.nc", {"assume_zero": True}),
        (isobar.ClearSky, {"output": "levels"}, DATA / "adding" / "profiles.nc", {}),
    ):
        def make(device, cls=cls, options=options):
            return cls(device=device, **options, **common)

        fields = make("cpu").read(file, **choices)
        known = {field.name for field in isobar.fields(cls).inputs}
        given = {name: value for name, value in fields.items() if name not in known}
        fields = {name: value for name, value in fields.items() if name in known}
        random = np.random.default_rng(1)
        for name, array in fields.items():
            if array.ndim:
                fields[name] = np.ascontiguousarray(np.repeat(array[..., :1], count, axis=-1))
            if name in ("temperature_k", "planck_radiance"):
                warmer = (1 + 1e-3 * random.random(count)).astype(fields[name].dtype)
                fields[name] = fields[name] * warmer
        yield make, fields, given


def same(ours, theirs, name):
    ours = ours.astype(theirs.dtype) if theirs.dtype == np.uint32 else ours
    assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind == "f"), name


def upload(library, fields):
    return {name: library.there(array) if array.ndim else float(array) for name, array in fields.items()}


def test_bits_of_host_arrays():
    for precision in ("f64", "f32"):
        for make, fields, given in cases(precision, 3001):
            expected = make("cpu").run(**fields, **given)
            found = make("cuda").run(**fields, **given)
            for name, array in expected.items():
                same(found[name], array, name)
            print(f"{make('cpu')} {precision}: the host's arrays, the same bits")


def test_arrays_stay_on_the_gpu():
    for library in libraries():
        for precision in ("f64", "f32"):
            for make, fields, given in cases(precision, 3001):
                model = make("cuda")
                expected = make("cpu").run(**fields, **given)
                there = upload(library, fields)
                out = model.run(**there, **given)
                addresses = {}
                for name, array in expected.items():
                    assert library.is_there(out[name]), name
                    same(library.back(out[name]), array, name)
                    addresses[name] = library.address(out[name])
                # The same memory again, with something else in it.
                for array in out.values():
                    array[...] = 7
                again = model.run(**there, **given, out=dict(out))
                for name, array in expected.items():
                    assert again[name] is out[name] and library.address(again[name]) == addresses[name]
                    same(library.back(again[name]), array, name)
                print(f"{model} {precision}: arrays of {type(library).__name__}, the same bits, in place")


def test_interface_alone():
    for library in libraries():
        for make, fields, given in cases("f64", 333):
            model, expected = make("cuda"), make("cpu").run(**fields, **given)
            there = upload(library, fields)
            out = model.run(**there, **given)
            # Statuses of PyTorch have a sign, which this protocol tells.
            kept = {
                name: ByInterface(array) if expected[name].dtype.kind == "f" else array
                for name, array in out.items()
            }
            for array in out.values():
                array[...] = 7
            only = {
                name: ByInterface(array) if not isinstance(array, float) else array for name, array in there.items()
            }
            model.run(**only, **given, out=kept)
            for name, array in expected.items():
                same(library.back(out[name]), array, name)
        print(f"__cuda_array_interface__ of {type(library).__name__}")


def test_two_places_are_refused():
    for library in libraries():
        for make, fields, given in cases("f64", 64):
            there = upload(library, fields)
            name = next(name for name, array in fields.items() if array.ndim > 1)
            try:
                make("cuda").run(**{**there, name: fields[name]}, **given)
            except isobar.KindError as error:
                assert "cuda:0" in str(error) and "the host" in str(error)
            else:
                raise AssertionError("arrays in two places")
            try:
                make("cpu").run(**there, **given)
            except isobar.SetupError as error:
                assert "the arrays are on cuda:0, and the model computes on cpu" in str(error)
            else:
                raise AssertionError("a GPU's arrays for a model of the CPU")
            # Columns that are not neighbours in memory.
            if isinstance(make("cpu"), isobar.YSU):
                turned = {
                    name: library.there(np.ascontiguousarray(array.T)) if array.ndim else float(array)
                    for name, array in fields.items()
                }
                try:
                    make("cuda").run(**turned, **given, items_axis="first")
                except isobar.DeviceError as error:
                    assert "do not lie as the kernels read and write them" in str(error)
                else:
                    raise AssertionError("columns that are far apart")


def recorded(library, stream, call):
    """A graph of what a call gives to a stream, as a function that replays it there."""
    if isinstance(library, Torch):
        graph = library.torch.cuda.CUDAGraph()
        with library.torch.cuda.graph(graph, stream=stream):
            call()
        return graph.replay
    with stream:
        stream.begin_capture()
        try:
            call()
        finally:
            graph = stream.end_capture()
    return lambda: graph.launch(stream)


def test_in_the_order_of_a_stream():
    """Inputs come, are computed and are overwritten on a stream, where nobody waits for anything; then as a graph."""
    for library in libraries():
        is_torch = isinstance(library, Torch)
        for make, fields, given in cases("f64", 3001):
            model, cpu = make("cuda"), make("cpu")
            warm = {name: np.atleast_1d(array) for name, array in fields.items()}
            cold = dict(warm)
            name = "temperature_k" if "temperature_k" in fields else "planck_radiance"
            cold[name] = 0.99 * warm[name]
            expected = [cpu.run(**case, **given) for case in (warm, cold)]
            kept = [{key: library.there(array) for key, array in case.items()} for case in (warm, cold)]
            there = {key: library.there(np.full_like(array, np.nan)) for key, array in warm.items()}
            out = dict(model.run(**kept[0], **given))
            stream = library.torch.cuda.Stream() if is_torch else library.cupy.cuda.Stream(non_blocking=True)
            on_stream = library.torch.cuda.stream(stream) if is_torch else stream

            def bring(case, there=there, kept=kept):
                for key, array in there.items():
                    array[...] = kept[case][key]

            def call(model=model, there=there, out=out, stream=stream, given=given):
                return model.run(**there, **given, out=out, stream=stream)

            def check(case, out=out, stream=stream, expected=expected):
                stream.synchronize()
                for key, array in expected[case].items():
                    same(library.back(out[key]), array, key)

            # What other streams have begun is done before.
            (library.torch.cuda if is_torch else library.cupy.cuda.Stream.null).synchronize()
            with on_stream:
                for case in (0, 1, 0):
                    bring(case)
                    assert call()["status"] is out["status"]
                    copies = {key: array + 0 for key, array in out.items()}
                    bring(1 - case)
                    stream.synchronize()
                    for key, array in expected[case].items():
                        same(library.back(copies[key]), array, key)
            replay = recorded(library, stream, call)
            for case in (1, 0, 1):
                with on_stream:
                    bring(case)
                    for array in out.values():
                        array[...] = 7
                    replay()
                check(case)
            # A graph has its work memory: other calls do not disturb it.
            with on_stream:
                bring(0)
                call()
            check(0)
            times = []
            for what in (call, replay):
                with on_stream:
                    start = time.perf_counter()
                    for _ in range(20):
                        what()
                    times.append((time.perf_counter() - start) / 20)
                stream.synchronize()
            print(f"{model}: {1e6 * times[0]:.0f} us of the host a call on a stream, {1e6 * times[1]:.0f} a replay")
            try:
                recorded(library, stream, lambda: make("cuda").run(**there, **given, out=out, stream=stream))
            except isobar.SetupError as error:
                assert "takes over the work memory of a call before it" in str(error)
            else:
                raise AssertionError("a graph without a call before")
            stream.synchronize()
            try:
                model.run(**{**there, name: 250.0}, **given, out=out, stream=stream)
            except isobar.KindError as error:
                assert f"{name} is a single value of the host" in str(error)
            else:
                raise AssertionError("a single value")
            try:
                model.run(**there, **given, stream=stream)
            except isobar.KindError as error:
                assert "with a stream, give an array for it (out=)" in str(error)
            else:
                raise AssertionError("no results")


def test_no_field_is_copied():
    """What a call takes with arrays on the GPU, and with the host's, whose copies take longer than the kernels."""
    for library in libraries():
        for make, fields, given in list(cases("f32", 200_000))[:1]:
            model = make("cuda")
            there = upload(library, fields)
            out, on_host = model.run(**there, **given), model.run(**fields, **given)

            def best(fields, out):
                times = []
                for _ in range(7):
                    start = time.perf_counter()
                    model.run(**fields, **given, out=dict(out))
                    times.append(time.perf_counter() - start)
                return min(times)

            inside, outside = best(there, out), best(fields, on_host)
            size = sum(array.nbytes for array in (*fields.values(), *on_host.values()))
            print(
                f"{model}: 200000 columns in {1e3 * inside:.2f} ms there, "
                f"{1e3 * outside:.2f} ms with copies of {size / 1e6:.0f} MB"
            )
            # Faster than any bus of these machines (PCIe 5 has 64 GB/s) could bring the fields.
            assert inside < size / 64e9 or inside < outside / 3


try:
    import pytest

    pytestmark = pytest.mark.skipif(not GPU, reason="there is no GPU")
except ImportError:
    pass

if __name__ == "__main__":
    if not GPU:
        sys.exit(f"there is no GPU: {isobar.devices()}")
    failed = 0
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                test()
                print(f"{name}: passed")
            except Exception as error:  # noqa: BLE001 - all tests are run
                import traceback

                traceback.print_exc()
                failed += 1
                print(f"{name}: FAILED, {error}")
    sys.exit(failed)
