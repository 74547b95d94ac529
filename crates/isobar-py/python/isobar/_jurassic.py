"""JURASSIC's cases."""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, Mapping

from . import _isobar
from ._options import held
from ._schemes import again
from ._settings import check_settings, path_of, settings_of


class Jurassic(_isobar.Jurassic):
    """Infrared radiances, their exact derivatives, and retrievals, of a JURASSIC control file.

    control: the control file; emissivity tables, filters and the field of view that it names are read
    settings: values that replace its own, as `{"RAYDZ": 0.5}`
    jurassic_exact: repeat JURASSIC's arithmetic step by step
    device, precision, threads: as of other models; derivatives and retrievals are in double precision

        case = isobar.Jurassic("limb.ctl")
        air = case.read_atmosphere("atm.tab")       # a dictionary of arrays; or one of your own
        rays = case.read_observation("obs.tab")
        case.forward(air, rays).radiance            # (ray, channel)
        case.jacobian(air, rays).temperature_k      # (ray, channel, level)
        case.pullback(air, rays, weights).temperature_k     # (level): by a cost with these slopes (ray, channel)
        case.retrieve(air, measured).state

    An atmosphere has `height_km`, `pressure_hpa`, `temperature_k` (level), `mixing_ratio`, a dictionary by gas, and
    perhaps `extinction_per_km` (window, level), `cloud`, `surface`. Rays have `time_s`, `observer_height_km`,
    `observer_longitude_deg`, `observer_latitude_deg`, and the same of the `view_point` (ray). A measurement has
    `radiance` (ray, channel), too; what is NaN is masked.
    """

    _given: dict[str, Any]

    def __new__(
        cls, control: str | PathLike[str], *, settings: Mapping[str, Any] | None = None, jurassic_exact: bool = False,
        device: str = "cpu", precision: Literal["f32", "f64"] = "f64", threads: int = 0,
    ) -> Jurassic:
        given: dict[str, Any] = {
            "control": path_of("control", control), "settings": settings_of(settings),
            "jurassic_exact": jurassic_exact, "device": device, "precision": precision, "threads": threads,
        }
        check_settings(given)
        case = super().__new__(cls, **given)
        assert isinstance(case, Jurassic)
        case._given = held(given)
        return case

    def __reduce__(self) -> tuple[Any, ...]:
        return (again, (type(self), self._given))

    def __repr__(self) -> str:
        return f"<isobar.Jurassic {self._given['control']} on {self._given['device']}>"
