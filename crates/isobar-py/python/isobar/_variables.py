"""Which variables and dimensions of a dataset are those of a model's fields."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import xarray

from ._errors import FieldError, unknown
from ._fields import Field, fields

# Names under which datasets have the dimensions of fields.
DIMENSIONS = {
    "layer": ("layer", "lay", "lev", "play", "pfull", "bottom_top", "full_level", "model_level_number"),
    "level": ("level", "half_level", "ilev", "interface", "plev_interface", "phalf", "bottom_top_stag"),
    "longwave_band": ("longwave_band", "band_lw", "lw_band", "band"),
    "shortwave_band": ("shortwave_band", "band_sw", "sw_band", "band"),
    "band": ("band", "bands"),
}
# The unit of gases, which may be the same in all layers.
GAS = "mol mol-1"
# What a number counts from.
VERTICAL = ("layer", "level", "layer_interface")
# CF standard names of what goes by names that fields have, too, in units that convert to theirs: as the command has
# them. Others contradict nothing: many files have some of their own making.
OF_OTHERS = {
    "air_equivalent_potential_temperature", "air_equivalent_temperature", "air_potential_temperature",
    "air_pressure_at_mean_sea_level", "air_pressure_at_sea_level", "air_pseudo_equivalent_potential_temperature",
    "air_pseudo_equivalent_temperature", "air_temperature", "brightness_temperature", "dew_point_temperature",
    "eastward_wind", "mass_fraction_of_cloud_condensed_water_in_air", "mole_fraction_of_water_vapor_in_air",
    "northward_wind", "sea_water_temperature", "soil_temperature", "surface_downward_latent_heat_flux",
    "surface_downward_sensible_heat_flux", "surface_roughness_length_for_heat_in_air",
    "surface_roughness_length_for_humidity_in_air", "upward_air_velocity", "virtual_temperature",
    "wet_bulb_temperature", "wind_speed", "x_wind", "y_wind",
}
# Ratios, which are plain numbers in any unit, and not those that fields are. The command converts them.
OTHER_RATIOS = ("mass_fraction_", "specific_humidity", "humidity_mixing_ratio", "mole_fraction_of_water_vapor_in_air")


def find(
    model: Any, dataset: xarray.Dataset, names: Mapping[str, str] | None = None,
    dimensions: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The variables of a dataset that a model reads: a dictionary of field and variable.

    names: which variable a field is, where that does not follow from the dataset
    dimensions: which dimension of the dataset is a field's, where its name does not say it
    """
    known = fields(model)
    names = dict(names or {})
    only("field", names, [field.name for field in known.inputs])
    given, found = dict(dimensions or {}), {}
    layered = [variable.dims for variable in dataset.variables.values() if _vertical(variable.dims, given)]
    columns = {dim for dims in layered for dim in dims}
    for field in known.inputs:
        if field.name in names:
            if names[field.name] not in dataset.variables:
                raise FieldError(f"{field.name}: the dataset has no variable {names[field.name]!r}")
            found[field.name] = names[field.name]
            continue
        name = _find(field, dataset, lambda field, dims: _fits(field, dims, given, columns))
        if name is not None:
            found[field.name] = name
    return found


def _find(field: Field, dataset: xarray.Dataset, fits: Callable[[Field, Any], bool]) -> str | None:
    """The variable that is a field by its name, or by its standard name on the dimensions of the field."""
    others = []
    for name in (field.name, field.file_name, *field.aliases):
        if name in dataset.variables:
            another = _says_another(field, dataset.variables[name])
            if another is None:
                return name
            others.append(f"{name} has {another}")
    standard = [
        name for name, variable in dataset.variables.items()
        if variable.attrs.get("standard_name") in field.standard_names and fits(field, variable.dims)
    ]
    if len(standard) > 1:
        both = f"both {standard[0]} and {standard[1]} could be it"
        raise FieldError(f"{field.name}: {both}; say which with names=")
    if standard:
        return str(standard[0])
    if others:
        name = others[0].split()[0]
        what = field.doc.split(". ")[0].rstrip(".")
        text = f"{', '.join(others)}, and {field.name} is another quantity ({what})"
        hint = f"names={{{field.name!r}: {name!r}}} takes it as it is"
        if not field.optional or field.unit == GAS:
            raise FieldError(f"{text}; {hint}")
        warnings.warn(f"not read: {text}; {hint}", stacklevel=4)
    return None


def _says_another(field: Field, variable: xarray.Variable) -> str | None:
    """What a variable says of itself that the field cannot be, in words, whatever its name is."""
    own, says = field.standard_names, str(variable.attrs.get("standard_name", ""))
    another = says == "relative_humidity" or field.unit in (GAS, "kg kg-1") and says.startswith(OTHER_RATIOS)
    another = another or bool(own) and (says in OF_OTHERS or field.unit == "degree" and says.endswith("_angle"))
    if another and says not in own:
        return f"standard_name {says!r}"
    units = variable.attrs.get("units")
    # No ratio of masses has this unit, but a relative humidity.
    return f"units {units!r}" if field.unit == "kg kg-1" and units in ("%", "percent") else None


def _vertical(dims: tuple[Any, ...], given: Mapping[str, str]) -> set[str]:
    """The vertical dimensions among those of a variable."""
    return {name for name in VERTICAL if dimension(name, dims, given) is not None}


def _fits(field: Field, dims: tuple[Any, ...], given: Mapping[str, str], columns: set[Any]) -> bool:
    """Has a variable the vertical dimension that a field has, and no other? Without one it has to have a dimension that
    is none of columns, which may be it; but a gas may be the same in all layers."""
    wanted, has = {name for name in field.dimensions if name in VERTICAL}, _vertical(dims, given)
    return has <= wanted and (has == wanted or field.unit == GAS or not columns or bool(set(dims) - columns))


def only(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuses a key that is none."""
    for name in given:
        if name not in known:
            raise unknown(what, name, known)


def dimension(name: str, dims: tuple[Any, ...], given: Mapping[str, str]) -> Any:
    """The dimension of an array that is a declared one."""
    if name in given:
        return given[name] if given[name] in dims else None
    return next((alias for alias in DIMENSIONS.get(name, (name,)) if alias in dims), None)


def missing_gases(model: Any, inputs: Mapping[str, Any], unused: Sequence[str], assume_zero: bool) -> list[str]:
    """The gases that are taken for zero; refuses to, as the command does, for their names may be unknown."""
    facts = [model.facts, *(part for part in model.facts.values() if isinstance(part, dict))]
    needed = dict.fromkeys(gas for part in facts for gas in part.get("needed_gases", ()))
    missing = [gas for gas in needed if gas not in inputs]
    if missing and not assume_zero:
        near = [name for name in unused if missing[0] in name.lower()] or difflib.get_close_matches(missing[0], unused)
        hint = f" as {{{missing[0]!r}: {near[0]!r}}}" if near else ""
        raise FieldError(
            f"gases are missing: {', '.join(missing)}; say which variables they are with names={hint}, give numbers "
            f"({missing[0]}=...), or take all that are missing for zero with assume_zero=True"
        )
    return missing
