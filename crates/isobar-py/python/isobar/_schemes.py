"""A class a scheme. Fields, units and options come from the schemes' own declarations."""

import functools
import os
import warnings
from pathlib import Path

import numpy

from . import _isobar, _options
from ._errors import SetupError
from ._fields import fields
from ._jacobian import jacobian
from ._masked import columns_left_out
from ._radiances import in_one_unit
from ._sensitivity import Shapes, cells_of, of_good_cells, results_of, weights_of
from ._settings import SETTINGS, check_call, check_settings, file_of, path_of, paths_of, settings_of
from ._spread import spread

COMMON = """
    device: `cpu` (all threads), `thread` (the calling one), `cuda`, `cuda:1`, `cuda:all` or `auto`; the bits are the
        same
    precision: `f32` or `f64`; otherwise that of the arrays of each call
    threads: of the CPU; 0 for as many as there are cores
    bad_items: `stop` (the first is an exception), `flag` (they have no numbers and a status), `compute` (nothing is
        checked)
    items_axis: `first` for arrays (column, layer), `last` for (layer, column)
    top_first: do layers go from the top down in all arrays? Otherwise as the scheme has them

    Other keywords are options of all calls; a call may have others."""

RUN = """
    `run(*, out=None, stream=None, items_axis=None, top_first=None, **fields)` computes a batch. Fields are NumPy
    arrays of one precision, which are read in place whatever their strides, or numbers for all items. An array
    without the axis of the items is the same for all of them, and an axis of size 1 stands for any size. `out` are
    arrays for results, by name; the others are new. A call gives `isobar.Results`, releases Python's lock, and may
    be made by several threads at once. Where `temperature_k` is masked in all layers of a column, the column is left
    out, and results are masked there, with the status 4.

    With `stream`, one of CuPy's or PyTorch's or its handle, a call with all arrays on a GPU, results too (`out`), goes
    into the order of the stream and returns without waiting: arrays have to stay until the stream is done. A stream
    that records a graph records the call, after one of the same shapes and options that it has not recorded; the model
    has to live as long as the graph, and calls of one graph come one after the other."""


def data_folder():
    """The folder with the k-distributions that come with the package."""
    return Path(__file__).parent / "data"


class _Model(_isobar.Model):
    _scheme = ""

    def __init_subclass__(cls):
        known = cls._declared = fields(cls._scheme)
        cls._cores = {field.name: len(field.dimensions) for field in known.inputs}
        cls._no_options = cls._cores.keys() | {"out", "stream", "items_axis", "top_first"}
        cls.__doc__ = f"{cls.__doc__}\n{COMMON}\n{RUN}\n\n    " + str(known).replace("\n", "\n    ")

    def read(self, path, *others, **choices):
        """The fields of a NetCDF file, as the command `isobar` reads it: a dictionary for `run`.

        For radiation and boundary layers, other files may complete it, levels in one, the surface in another, or go
        on in time.

        Units are converted, names are found by CF's standard names and aliases, layers are brought into the model's
        order, and what is missing is derived where there is a rule for it. Files of WRF, MPAS, CAM, ICON, ERA5, CMIP6,
        climlab, RFMIP and ecRad are known.

        Values that the file lacks or that had to be changed, and variables that nothing has read, are warned of. Where
        temperatures are missing in all layers of a column, fields are masked arrays, whose columns `run` leaves out.

        clouds: read them? cloud_fraction: the cloudy part of layers with water where the file has no fraction.
        assume_zero: are gases that the file lacks zero? gases: mixing ratios by gas, which win over the file's.
        names: what the file calls something by a name that is not known, such as {"co2": "xco2"}.
        values: constants of a boundary layer that win over the file's, such as {"roughness": 0.1}.
        vertical: the dimension of layers, where neither its name nor its coordinate says so.
        mean_sun: is the sun, where it follows from time and place, the mean of each time's interval?
        rain_and_snow: read WRF's? outside: `extrapolate`, `clamp` or `error`, for values outside of the tables.
        time_s: when conditions of chemistry are taken. surface, linear_source: of profiles.
        """
        paths = [file_of("path", path), *(file_of("others", other) for other in others)]
        choices = _options.options(choices)
        fields, options, derived, masked = self._read(paths[0], {**choices, "others": paths[1:]})
        if derived:
            warnings.warn(f"derived: {'; '.join(derived)}", stacklevel=2)
        kept = {}
        for name, (dimensions, array) in fields.items():
            if array.ndim and masked:
                array = numpy.ma.MaskedArray(array, mask=False)
                array[..., masked] = numpy.ma.masked
            if array.ndim and self.top_first not in (None, self._declared.top_first):
                vertical = ("layer", "level", "layer_interface")
                turned = (slice(None, None, -1 if dimension in vertical else 1) for dimension in dimensions)
                array = array[(*turned, slice(None))]
            if array.ndim > 1 and self.items_axis == "first":
                array = numpy.moveaxis(array, -1, 0)
            kept[name] = array
        return {**kept, **options}

    @property
    def items_axis(self):
        """Where the axis of the items is, `first` or `last`, in calls that say nothing else."""
        return self._given.get("items_axis", "first")

    @property
    def top_first(self):
        """Do layers go from the top down in calls that say nothing else? None for the scheme's own order."""
        return self._given.get("top_first")

    def run(self, **given):
        for name in given.keys() - self._no_options:
            given[name] = _options.plain(name, given[name])
        check_call(given)
        left_out = columns_left_out(self, given)
        if left_out is not None:
            return left_out.run(super().run)
        given.update(in_one_unit(given))
        spread(self._cores, (given.get("items_axis") or self.items_axis) == "first", given)
        return super().run(**given)

    run.__doc__ = _isobar.Model.run.__doc__

    def __reduce__(self):
        return (again, (type(self), self._given))


def again(cls, given):
    """A model or a case as it was made before, perhaps in another process: what `pickle` and `copy` call."""
    return cls(**given)


def _make(cls, given, tables, common):
    kept = {name: common.pop(name) for name in SETTINGS if name in common}
    check_settings(kept)
    options = _options.options(common)
    model = _isobar.Model.__new__(cls, cls._scheme, tables=tables, options=options, **kept)
    model._given = {**_options.held(given), **options}
    return model


class YSU(_Model):
    """The YSU boundary-layer scheme, as WRF 4 or WRF 3.6.1 has it.

    `YSU(time_step_s=60, version="wrf4")`; `run(u_m_per_s=..., temperature_k=..., ...)`. `constants="mpas"`, or those
    that differ from WRF's: `constants={"gravity_m_per_s2": 9.80616}`.
    """

    _scheme = "ysu"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class SurfaceLayer(_Model):
    """The revised MM5 surface layer, as WRF and MPAS have it.

    `SurfaceLayer(land_roughness="chen_zhang")`; `run(u_m_per_s=..., temperature_k=..., ...)`. `constants` are WRF's;
    some of them may be given: `SurfaceLayer(constants={"g": 9.80616})`, or `SurfaceLayer(g=9.80616)`.
    """

    _scheme = "surface"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class ShinHong(_Model):
    """The Shin-Hong boundary-layer scheme: YSU for grids that resolve a part of convection.

    `ShinHong(time_step_s=60, nonlocal_flux=True)`; `run(u_m_per_s=..., grid_distance_m=..., ...)`. Of a step's results
    the turbulent energy is the next one's input.
    """

    _scheme = "shin_hong"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class _OfKDistributions(_Model):
    """What is made of k-distributions."""

    _scheme = "radiation"

    def __new__(
        cls, k_distributions=None, clouds=None, roughness="medium", aerosols=(), rain_as_liquid=False,
        snow_as_ice=False, **common,
    ):
        # Absolute, so that the model finds them after it has travelled.
        k_distributions = None if k_distributions is None else paths_of("k_distributions", k_distributions)
        clouds = None if clouds is None else paths_of("clouds", clouds)
        of_particles = {
            "roughness": roughness, "aerosols": paths_of("aerosols", aerosols), "rain_as_liquid": rain_as_liquid,
            "snow_as_ice": snow_as_ice,
        }
        given = {"k_distributions": k_distributions, "clouds": clouds, **of_particles, **common}
        if k_distributions is None:
            names = ("ecckd-longwave-32", "ecckd-shortwave-32")
            k_distributions = [data_folder() / f"{name}.nc" for name in names]
            clouds = [data_folder() / f"{name}-clouds.nc" for name in names] if clouds is None else clouds
        tables = {
            "k_distributions": paths_of("k_distributions", k_distributions), "clouds": paths_of("clouds", clouds or []),
            **of_particles,
        }
        return _make(cls, given, tables, common)


class Radiation(_OfKDistributions):
    """Long-wave and short-wave radiation with k-distributions of RRTMGP, ecCKD and RRTMG_LW.

    k_distributions: one or two files, of the long wave, the short wave, or both; those of `data_folder()`, ecCKD's with
        32 g-points, if they are left out; RRTMG_LW's are `RRTMG_LW_DATA` and `RRTMG_LW_DATA_DBL`
    clouds: files with the optics of clouds for them; without them the sky has to be clear, but for RRTMG_LW, which
        needs none
    roughness: that of ice: `smooth`, `medium`, `rough`
    aerosols: files with the optics of MERRA-2's types, for `read`
    rain_as_liquid, snow_as_ice: take the optics of droplets for rain, of ice for snow, where tables have none
    """

    _scheme = "radiation"

    @functools.cached_property
    def _adjoint(self):
        return RadiationAdjoint(**self._given)

    def pullback(self, cotangents, **given):
        """Derivatives of a number by all inputs that `isobar.RadiationAdjoint` has results of.

        cotangents: its derivatives by fluxes and heating rates, by name; those that are left out are 0
        given: fields and options as in `run`
        """
        return self._adjoint.run(**cotangents, **given)


class RadiationAdjoint(_OfKDistributions):
    """Derivatives of numbers that are made of the results of `Radiation`, by all that these depend on smoothly.

    It is made as `Radiation` is. `RadiationAdjoint().run(longwave_up_w_per_m2=weights, ...)`: the number's derivatives
    by each result beside the fields of `Radiation`; those that are left out are 0. Results have the names of the inputs
    that they are by. Which g-points see a cloud is held, and so the cloud fraction.
    """

    _scheme = "radiation_adjoint"


class ClearSky(_Model):
    """Monochromatic radiances of clear layers along given angles (adding method).

    `ClearSky(cosine=[1.0, 0.5])`; radiances have the unit of the Planck radiances. Layers go from the top down.
    """

    _scheme = "clear_sky"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class Scattering(_Model):
    """Monochromatic radiances of layers that scatter (adding and doubling).

    `Scattering(nodes=4)`: nodes of a hemisphere, half the streams of other codes. Layers go from the top down.
    """

    _scheme = "scattering"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class Adding(_Model):
    """Radiances and fluxes of layers that scatter, from any direction (adding method, by components in azimuth).

    `Adding(nodes=8)`: nodes of a hemisphere, half the streams of other codes. Layers go from the top down.
    """

    _scheme = "adding"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)

    @functools.cached_property
    def _adjoint(self):
        return AddingAdjoint(**self._given)

    def pullback(self, cotangents, **given):
        """Derivatives of a number by all inputs but the directions (`isobar.AddingAdjoint`), on CPUs.

        There are none by `sun_cosine`, `viewing_cosine` and `relative_azimuth`.

        cotangents: its derivatives by radiances and fluxes, by name; those that are left out are 0
        given: fields and options as in `run`
        """
        return self._adjoint.run(**cotangents, **given)

    def jacobian(self, output, **given):
        """Derivatives of an output, as `top_radiance`, by all inputs but the directions: arrays by input.

        The axes are those of the profiles, of the output and of the input; with `items_axis="last"` the profiles' are
        last. A `pullback` for each of the output's values of a profile, whatever the number of inputs.
        """
        return jacobian(self, AddingAdjoint._declared, output, given)


class AddingAdjoint(_Model):
    """Derivatives of numbers that are made of the results of `Adding`, by all inputs but the directions, on CPUs.

    `AddingAdjoint(nodes=8).run(top_radiance=weights, ...)`: the number's derivatives by each result beside the fields
    of `Adding`; those that are left out are 0. Results have the names of the inputs that they are by.
    """

    _scheme = "adding_adjoint"

    def __new__(cls, **common):
        return _make(cls, dict(common), {}, common)


class Chemistry(_Model):
    """Chemical kinetics of a mechanism in KPP's language, by Rosenbrock methods.

    mechanism: the file: .kpp, .def, .eqn or .spc
    include: folders in which included files are looked for, too
    sun_from_time: SUN is KPP's function of the time of day, not an input

    `run(start_s=0, end_s=600, concentration=c, rate_input=x, first_step_s=0)`; tolerances are a number, one a species,
    or a dictionary by species. `species`, `rate_inputs` and `facts` say what the mechanism has.
    """

    _scheme = "chemistry"

    def __new__(cls, mechanism, include=(), sun_from_time=False, **common):
        tables = {
            "mechanism": path_of("mechanism", mechanism), "include": paths_of("include", include),
            "sun_from_time": sun_from_time,
        }
        model = _make(cls, {**tables, **common}, tables, dict(common))
        model._tables, model._derivatives = tables, None
        return model

    @property
    def species(self):
        """The species in their order, variable ones first."""
        return self.facts["species"]

    @property
    def rate_inputs(self):
        """What the rates read, in the order of `rate_input`."""
        return [known["name"] for known in self.facts["rate_inputs"]]

    def tangent(
        self, change_of_concentration=None, change_of_rate_constant=None, *, concentration, rate_constant=None,
        rate_input=None, first_step_s=None, items_axis=None, **options,
    ):
        """Integrates cells, and says how their final concentrations change: derivatives of the steps that were made.

        change_of_concentration, change_of_rate_constant: derivatives of what cells start from and of their rate
            constants by a parameter, of the shape of `concentration` and `rate_constant`, or with one more axis in
            front, by several; no change where they are left out. The rate constant of a reaction of nothing is an
            emission.

        Everything else is as in `run`, but for one axis of cells or none; the rate constants hold within the interval.
        Results are `change`, of the shape of `concentration` with the further axis, `concentration`, `rate_constant`
        and `status`.
        """
        shapes, counts, lists, options = self._start(
            concentration, rate_constant, rate_input, first_step_s, items_axis, options
        )
        several = False
        for name, value, rows in (
            ("change_of_concentration", change_of_concentration, counts[0]),
            ("change_of_rate_constant", change_of_rate_constant, counts[1]),
        ):
            if value is not None:
                lists[name], more = shapes.lists(name, value, rows)
                several = several or more
        if change_of_concentration is None and change_of_rate_constant is None:
            raise SetupError("neither concentrations nor rate constants change")
        changes = lists.get("change_of_concentration", lists.get("change_of_rate_constant"))
        sums = len(changes) // (counts[0 if "change_of_concentration" in lists else 1] * shapes.cells or 1)
        rows = {"concentration": counts[0], "rate_constant": counts[1], "change": counts[0] * sums}
        found = self._found(self._sensitivity().tangent, options, lists, shapes, rows)
        return results_of(shapes, counts[1], several, found)

    def adjoint(
        self, weights, *, concentration, rate_constant=None, rate_input=None, first_step_s=None, items_axis=None,
        **options,
    ):
        """Integrates cells, and takes sums of their final concentrations back to what these depend on.

        weights: the weight of each final concentration in the sum, of the shape of `concentration`, or with one more
            axis in front for several sums; or the name of a species whose final concentration is meant, or a list of
            names

        Everything else is as in `run`, but for one axis of cells or none; the rate constants hold within the interval.
        Results are the derivatives of the sum `by_concentration` at the start and `by_rate_constant`, of the shapes of
        these with the further axis, and `concentration`, `rate_constant` and `status`.

            found = model.adjoint("O3", concentration=c, rate_input=x, end_s=3600)
            found.by_rate_constant * found.rate_constant      # d O3 / d ln k: (cell, reaction)
        """
        shapes, counts, lists, options = self._start(
            concentration, rate_constant, rate_input, first_step_s, items_axis, options
        )
        lists["weight"], several = weights_of(weights, shapes, self.species)
        sums = len(lists["weight"]) // (counts[0] * shapes.cells or 1)
        rows = {
            "concentration": counts[0], "rate_constant": counts[1], "by_concentration": counts[0] * sums,
            "by_rate_constant": counts[1] * sums,
        }
        found = self._found(self._sensitivity().adjoint, options, lists, shapes, rows)
        return results_of(shapes, counts[1], several, found)

    def _found(self, compute, options, lists, shapes, rows):
        """Results and errors of cells: of those that are flagged, where a model flags them."""
        if self._given.get("bad_items") != "flag":
            return compute(options, lists), []
        return of_good_cells(lambda lists: compute(options, lists), lists, shapes, rows)

    def _start(self, concentration, rate_constant, rate_input, first_step_s, items_axis, options):
        counts = [len(self.species), len(self.facts["reactions"]), len(self.rate_inputs)]
        shapes = Shapes(concentration, counts[0], items_axis or self.items_axis)
        lists = cells_of(shapes, *counts[1:], concentration, rate_constant, rate_input, first_step_s)
        made_with = ("mechanism", "include", "sun_from_time", *SETTINGS)
        common = {name: value for name, value in self._given.items() if name not in made_with}
        return shapes, counts, lists, {**common, **_options.options(options)}

    def _sensitivity(self):
        """The mechanism whose integrations are differentiated, read when it is wanted first."""
        if self._derivatives is None:
            settings = [self._given.get(*setting) for setting in (("device", "cpu"), ("threads", 0))]
            self._derivatives = _isobar.Sensitivity(self._tables, *settings)
        return self._derivatives


class Infrared(_Model):
    """Infrared radiances of pencil beams by emissivity growth, as JURASSIC computes them.

    control: JURASSIC's control file
    settings: values that replace its own
    jurassic_exact: repeat JURASSIC's arithmetic step by step

    The option `atmosphere` is a file, or a dictionary of `height_km`, `pressure_hpa`, `temperature_k`, and
    `mixing_ratio` by gas.
    """

    _scheme = "infrared"

    def __new__(cls, control, settings=None, jurassic_exact=False, **common):
        if isinstance(common.get("atmosphere"), (str, bytes, os.PathLike)):
            common["atmosphere"] = path_of("atmosphere", common["atmosphere"])
        tables = {
            "control": path_of("control", control), "settings": settings_of(settings),
            "jurassic_exact": jurassic_exact,
        }
        return _make(cls, {**tables, **common}, tables, common)
