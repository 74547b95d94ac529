"""Radiation as a process of climlab, in the place of `climlab.radiation.RRTMG`, without Fortran.

    import climlab, isobar.climlab
    state = climlab.column_state(num_lev=30)
    water = climlab.radiation.ManabeWaterVapor(state=state)
    radiation = isobar.climlab.Radiation(state=state, specific_humidity=water.q, albedo=0.25)
    radiation.compute_diagnostics()
    radiation.OLR, radiation.ASR, radiation.TdotLW

Inputs, diagnostics and signs are climlab's, on its grids of columns with or without latitudes and longitudes.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from typing import Any

import numpy
from climlab import constants
from climlab.radiation import RRTMG
from climlab.radiation.radiation import _Radiation_LW, _Radiation_SW

from . import _schemes
from ._errors import SetupError, unknown

__all__ = ["Radiation"]

# Molar masses of dry air and of water [g/mol].
_AIR, _WATER = 28.964, 18.0153
# Between visible and near infrared light [cm-1], 0.7 um.
_VISIBLE = 1e4 / 0.7
_GASES = ("CO2", "CH4", "N2O", "O2", "CFC11", "CFC12", "CFC22", "CCL4", "O3")
# RRTMG's clouds by `icld`.
_OVERLAPS = {1: "random", 2: "maximum_random", 3: "maximum"}


class Radiation(_Radiation_SW, _Radiation_LW):
    """Long wave and short wave by an `isobar.Radiation`, with clouds where there is a `cldfrac`.

    model: an `isobar.Radiation` with `items_axis="first"` and `top_first=True`; unless it is given, one with ecCKD's
        k-distributions, which come with the package
    options: those of its `run`, such as {"cloud_solver": "tripleclouds"}

    All else are climlab's inputs: `specific_humidity`, `absorber_vmr`, `cldfrac`, `clwp` and `ciwp` [g m-2] of the
    cloudy part, effective radii `r_liq` and `r_ice` [um], `albedo` or the four of `asdir`, `asdif`, `aldir` and `aldif`
    (light below and above 0.7 um, direct and diffuse), `coszen`, `S0`, `irradiance_factor`, `insolation`, `emissivity`.
    K-distributions with one albedo for the whole spectrum, as ecCKD's, take the mean of both sides of 0.7 um.
    Temperatures of interfaces are linear in pressure, those of the ground and of the uppermost layer at the ends, as
    climlab's RRTMG has them. Gases that the k-distributions do not know are left out, with a warning but for O2; one
    that they need and `absorber_vmr` lacks is a `SetupError`, and so is a key that names no gas of climlab's.

    icld: RRTMG's way of clouds: 0 for none, 1 to overlap at random, 2 maximum-random, 3 maximum; that of `options`, or
        else the scheme's own, if it is left out

    RRTMG's other options do nothing here: one that differs from climlab's default is a `SetupError`.
    """

    def __init__(
        self, model: Any = None, options: Mapping[str, Any] | None = None, icld: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**_without_rrtmg(kwargs))
        self.model = model if model is not None else _schemes.Radiation(items_axis="first", top_first=True)
        if self.model.items_axis != "first" or not self.model.top_first:
            raise SetupError('the model of a process of climlab has items_axis="first" and top_first=True')
        lacking = [wave for wave in ("longwave", "shortwave") if wave not in self.model.facts]
        if lacking:
            raise SetupError(f"the model of a process of climlab has both spectra: this one has no {lacking[0]}")
        self.options = dict(options or {})
        if icld not in (None, 0, *_OVERLAPS):
            raise SetupError(f"icld is {icld!r}, and 0 to 3 are known")
        if icld is not None and "overlap" in self.options:
            raise SetupError("icld and the option overlap both say how clouds overlap: give one of them")
        self.add_input("icld", icld)

    def _columns(self) -> dict[str, Any]:
        """The fields of the model: columns, and layers from the top down."""
        layers = self.Tatm.shape[-1]

        def on(value: Any, rows: int) -> Any:
            grid = (*self.Tatm.shape[:-1], rows)
            return numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(value, float), grid).reshape(-1, rows))

        def of_column(value: Any) -> Any:
            return on(value, 1)[:, 0].copy()

        pressure, levels = 100.0 * self.lev, 100.0 * self.lev_bounds
        temperature, ground = on(self.Tatm, layers), of_column(self.Ts)
        share = (levels[1:-1] - pressure[:-1]) / (pressure[1:] - pressure[:-1])
        between = temperature[:, :-1] + share * (temperature[:, 1:] - temperature[:, :-1])
        humidity = on(self.specific_humidity, layers)
        fields = {
            "level_pressure_pa": on(levels, layers + 1),
            "pressure_pa": on(pressure, layers),
            "temperature_k": temperature,
            "level_temperature_k": numpy.concatenate([temperature[:, :1], between, ground[:, None]], axis=1),
            "surface_temperature_k": ground,
            "emissivity": of_column(self.emissivity)[:, None],
            "cosine_zenith": of_column(self.coszen),
            "total_solar_irradiance_w_per_m2": of_column(self.S0 * self.irradiance_factor),
            "h2o": humidity / (1.0 - humidity) * (_AIR / _WATER),
        }
        spectrum = self.model.facts["shortwave"]
        known = {gas for wave in self.model.facts.values() for gas in wave["gases"]}
        self._check_gases(known)
        for gas in _GASES:
            if gas.lower() in known and gas in self.absorber_vmr:
                fields[gas.lower()] = on(self.absorber_vmr[gas], layers)
        for light, visible, infrared in (("direct", self.asdir, self.aldir), ("diffuse", self.asdif, self.aldif)):
            fields[f"surface_albedo_{light}"] = self._by_band(spectrum, of_column(visible), of_column(infrared))
        if self.icld != 0 and numpy.any(numpy.asarray(self.cldfrac) > 0):
            fields["cloud_fraction"] = on(self.cldfrac, layers)
            fields["liquid_path_g_per_m2"] = on(self.clwp, layers)
            fields["ice_path_g_per_m2"] = on(self.ciwp, layers)
            fields["liquid_radius_um"] = on(self.r_liq, layers)
            # Tables have the diameter.
            fields["ice_size_um"] = 2.0 * on(self.r_ice, layers)
        return fields

    def _check_gases(self, known: set[str]) -> None:
        """Refuses a gas that is none or lacks, and warns of those that are left out."""
        needed = {gas for wave in self.model.facts.values() for gas in wave["needed_gases"]}
        for gas in self.absorber_vmr:
            if gas not in _GASES:
                raise unknown("gas of climlab", gas, _GASES)
        for gas in _GASES:
            if gas.lower() in needed and gas not in self.absorber_vmr:
                raise SetupError(f"absorber_vmr lacks {gas}, which the k-distributions need: 0 for none")
        out = [gas for gas in _GASES if gas.lower() not in known and gas != "O2"]
        out = [gas for gas in out if numpy.any(numpy.asarray(self.absorber_vmr.get(gas, 0.0)) != 0)]
        if out:
            warnings.warn(f"left out: {', '.join(out)} (no k-distribution here knows this gas)", stacklevel=2)

    @staticmethod
    def _by_band(spectrum: Mapping[str, Any], visible: Any, infrared: Any) -> Any:
        """An albedo for each band; where there is one for all, the mean of what is visible and what is not."""
        limits = spectrum["band_limits_per_cm"]
        if spectrum["bands"] != len(limits):
            return numpy.repeat(0.5 * (visible + infrared)[:, None], spectrum["bands"], axis=1)
        parts = [numpy.clip((high - _VISIBLE) / (high - low), 0.0, 1.0) for low, high in limits]
        return numpy.stack([part * visible + (1.0 - part) * infrared for part in parts], axis=1)

    def _compute_heating_rates(self) -> None:
        overlap = {"overlap": _OVERLAPS[self.icld]} if self.icld else {}
        out = self.model.run(**self._columns(), clear_sky=True, **overlap, **self.options)
        grid = (*self.Tatm.shape[:-1], -1)
        for ours, theirs in (("longwave", "LW"), ("shortwave", "SW")):
            for way in ("up", "down"):
                for sky, ending in (("", ""), ("_clear", "_clr")):
                    flux = getattr(out, f"{ours}_{way}{sky}_w_per_m2")
                    # Without clouds both skies are one.
                    flux = getattr(out, f"{ours}_{way}_w_per_m2") if flux is None else flux
                    name = f"{theirs}_flux_{way}{ending}"
                    setattr(self, name, numpy.asarray(flux).reshape(grid) + 0.0 * getattr(self, name))
        self._compute_SW_flux_diagnostics()
        self._compute_LW_flux_diagnostics()
        total = self.LW_flux_net - self.SW_flux_net
        self.heating_rate["Ts"] = numpy.array(-total[..., -1, numpy.newaxis]) + 0.0 * self.Ts
        days = constants.seconds_per_day / self.Tatm.domain.heat_capacity
        heating = 0.0 * self.Tatm
        for name, net, sign in (("LW", "LW_flux_net", 1.0), ("SW", "SW_flux_net", -1.0)):
            for ending in ("", "_clr"):
                gain = numpy.array(sign * numpy.diff(getattr(self, net + ending), axis=-1)) + 0.0 * self.Tatm
                setattr(self, f"Tdot{name}{ending}", gain * days)
                if not ending:
                    heating = heating + gain
        self.heating_rate["Tatm"] = heating


def _without_rrtmg(given: Mapping[str, Any]) -> dict[str, Any]:
    """climlab's own keywords; refuses options of RRTMG that would do something there, and what is none."""
    defaults = {**_parameters(RRTMG), "return_spectral_olr": False}
    own = {name for parent in Radiation.__mro__[1:] for name in _parameters(parent)}
    kept = {}
    for name, value in given.items():
        if name in own:
            kept[name] = value
        elif name not in defaults:
            raise unknown("keyword", name, sorted({*own, *defaults, "model", "options"}))
        elif not numpy.all(numpy.asarray(value) == defaults[name]):
            raise SetupError(f"{name} is an option of RRTMG, which has no effect here: leave it out")
    return kept


def _parameters(cls: type) -> dict[str, Any]:
    """Keywords of a class with their defaults, but for `icld`, which is our own, too."""
    named = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {one.name: one.default for one in named if one.kind not in kinds and one.name not in ("self", "icld")}
