"""Threads, forks, interruption, and what a call costs."""

import copy
import multiprocessing
import os
import pickle
import signal
import threading
import time
from pathlib import Path

import isobar
import numpy as np
import pytest


def tiled(columns, times):
    return {
        name: np.tile(array, (times, *([1] * (array.ndim - 1)))) if array.ndim else array
        for name, array in columns.items()
    }


@pytest.fixture
def model():
    return isobar.YSU(time_step_s=60)


@pytest.fixture
def columns(model, data):
    columns = model.read(data / "pbl" / "columns.nc")
    return tiled(columns, 50)


def test_eight_threads_use_one_model(model, columns):
    expected = model.run(**columns)
    failures = []

    def work(number):
        for _ in range(5):
            out = model.run(**columns, time_step_s=60 if number % 2 else 30)
            if number % 2 and not all(np.array_equal(out[name], array) for name, array in expected.items()):
                failures.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures


def test_python_goes_on_meanwhile(data):
    """The lock is released: another thread counts while a run goes on."""
    model = isobar.Radiation(threads=1)
    columns = model.read(data / "radiation" / "columns.nc")
    wide = tiled(columns, 200)
    counted, going = [0], [True]

    def count():
        while going[0]:
            counted[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        start = time.perf_counter()
        model.run(**wide)
        took = time.perf_counter() - start
        # The counter would stand still otherwise.
        assert counted[0] - before > min(5, took / 1e-3)
    finally:
        going[0] = False
        thread.join()


@pytest.mark.parametrize("device", ["cpu", "thread"])
def test_a_fork_goes_on(data, device):
    model = isobar.YSU(time_step_s=60, device=device)
    columns = model.read(data / "pbl" / "columns.nc")
    expected = model.run(**columns).height_m
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            same = np.array_equal(model.run(**columns).height_m, expected)
            os.write(writing, b"same" if same else b"other")
        except BaseException as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    # Never a child that hangs.
    deadline = time.monotonic() + 60
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    assert os.read(reading, 1000) == b"same"
    assert np.array_equal(model.run(**columns).height_m, expected)


def test_a_fork_while_another_thread_computes(data):
    """The child is told, or computes; it never hangs."""
    model = isobar.Radiation(threads=2)
    columns = model.read(data / "radiation" / "columns.nc")
    wide = tiled(columns, 300)
    thread = threading.Thread(target=lambda: model.run(**wide))
    thread.start()
    time.sleep(0.05)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            model.run(**columns)
            os.write(writing, b"computed")
        except isobar.DeviceError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    thread.join()
    deadline = time.monotonic() + 120
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    told = os.read(reading, 1000)
    assert told == b"computed" or b"forked while another thread was using the model" in told


def _height(model, columns):
    return model.run(**columns).height_m


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(model, columns, method):
    expected = model.run(**columns).height_m
    with multiprocessing.get_context(method).Pool(2) as pool:
        for height in pool.starmap(_height, [(model, columns)] * 4):
            assert np.array_equal(height, expected)


def test_models_are_pickled(columns, data):
    model = isobar.Chemistry(data / "mechanisms" / "chapman_nox.kpp", method="ros3", items_axis="last")
    again = pickle.loads(pickle.dumps(model))
    assert type(again) is isobar.Chemistry and again.species == model.species and again.items_axis == "last"


def test_models_travel(data, monkeypatch, tmp_path):
    """A model made with relative paths is found from another folder, in another process or as a copy."""
    monkeypatch.chdir(data)
    mechanism = Path("mechanisms") / "chapman_nox.kpp"
    models = [
        isobar.Chemistry(mechanism, include="mechanisms"),
        isobar.Jurassic("limb/limb.ctl", settings={"TBLBASE": read_base(Path("limb/limb.ctl"))}),
        isobar.Infrared("limb/limb.ctl", atmosphere="limb/atm.tab"),
        isobar.Radiation(["radiation/ecckd-longwave-32.nc"], clouds="radiation/ecckd-longwave-32-clouds.nc"),
        isobar.YSU(time_step_s=60),
        isobar.ClearSky(cosine=[1.0]),
        isobar.Scattering(nodes=4),
        isobar.Radiation("analytic"),
    ]
    monkeypatch.chdir(tmp_path)
    for model in models:
        for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            assert type(again) is type(model) and repr(again) == repr(model)
            assert "object at 0x" not in repr(again)
    air = models[1].read_atmosphere(data / "limb" / "atm.tab")
    rays = models[1].read_observation(data / "limb" / "obs.tab")
    again = pickle.loads(pickle.dumps(models[1]))
    assert np.array_equal(again.forward(air, rays).radiance, models[1].forward(air, rays).radiance)


def read_base(control):
    """Where a control file's tables are, from the current folder."""
    line = next(line for line in control.read_text().splitlines() if line.startswith("TBLBASE"))
    return str(control.parent / line.split("=")[1].strip())


@pytest.mark.parametrize("device", ["cpu", "thread"])
def test_ctrl_c_ends_a_run(data, device):
    model = isobar.Radiation(device=device, threads=1)
    columns = model.read(data / "radiation" / "columns.nc")
    # Views of one column, which take no memory.
    wide = {
        name: np.broadcast_to(array[:1], (200_000, *array.shape[1:])) if array.ndim else array
        for name, array in columns.items()
    }
    # A shell starts what runs in its background with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.run(**wide)
    assert time.monotonic() - start < 10
    assert (model.run(**columns).status == 0).all()


def test_a_call_costs_little(data):
    """Of one column on the calling thread: what a call takes besides its kernels, which this is mostly."""
    model = isobar.ClearSky(device="thread", cosine=[1.0])
    fields = {
        "optical_depth": np.array([0.1]), "planck_radiance": np.array([80.0]), "surface_planck_radiance": 100.0,
        "emissivity": 1.0, "cosmic_background": 0.0,
    }
    out = model.run(**fields)
    times = []
    for _ in range(3000):
        start = time.perf_counter()
        model.run(**fields, out=out)
        times.append(time.perf_counter() - start)
    # Of the tenth that nothing else on the machine disturbed; 30 us are wanted, and a slower machine gets some more.
    microseconds = 1e6 * float(np.percentile(times, 10))
    print(f"{microseconds:.1f} us a call")
    assert microseconds < float(os.environ.get("ISOBAR_MOST_MICROSECONDS", "60"))
