"""A program whose types are checked: `mypy --strict tests/typed.py`. It is not run."""

from pathlib import Path
from typing import Any

import isobar
import isobar.jax
import isobar.torch
import isobar.xarray
import jax
import numpy as np
import xarray
from numpy.typing import NDArray


def schemes(data: Path) -> NDArray[np.floating[Any]]:
    model = isobar.Radiation(device="cpu", bad_items="flag")
    columns = model.read(data / "radiation" / "columns.nc", assume_zero=True)
    out = model.run(**columns)
    first: isobar.FieldError = out.errors[0]
    assert first.variable is None or first.variable.isidentifier()
    seeded = isobar.Radiation(seed=2, items_axis="first")
    assert seeded.items_axis == "first" and isobar.SurfaceLayer(constants={"g": 9.80616}).top_first is None
    height: float = float(isobar.YSU(time_step_s=60.0, constants="mpas").run(**columns).height_m[0])
    assert height > 0.0 and isobar.fields("ysu").inputs[0].dimensions == ("layer",)
    return out.longwave_up_w_per_m2


def radiances(folder: Path) -> Any:
    case = isobar.Jurassic(folder / "limb.ctl", settings={"RAYDZ": 0.5}, precision="f64")
    air = case.read_atmosphere(folder / "atm.tab")
    return case.forward(air, case.read_observation(folder / "obs.tab")).radiance


def datasets(columns: xarray.Dataset) -> xarray.Dataset:
    names: dict[str, str] = isobar.xarray.find(isobar.Radiation(), columns)
    return isobar.xarray.run(isobar.Radiation(), columns, names=names, co2=420e-6)


def gradients(columns: dict[str, jax.Array]) -> jax.Array:
    fluxes = isobar.jax.function(isobar.Radiation(), wanted=["longwave_up_w_per_m2"])
    radiances = isobar.torch.function(isobar.Adding(nodes=2), levels=True)
    print(radiances(viewing_cosine=1.0)["top_radiance"].sum())
    return fluxes(**columns, co2=420e-6)["longwave_up_w_per_m2"]
