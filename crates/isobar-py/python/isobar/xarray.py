"""Schemes on Datasets of xarray: names, units, dimensions and chunks are taken care of.

    import isobar, isobar.xarray, xarray
    columns = xarray.open_dataset("columns.nc", chunks={"column": 10_000})
    fluxes = isobar.xarray.run(isobar.Radiation(), columns, co2=420e-6)

Variables are found by the name of the field (`temperature_k`), the name in Isobar's files (`temperature`), CF's
standard name, or an alias (`t`, `tlay`, ...). Their units are checked and converted. Dimensions go by name; all that
are no layers, levels and so on are columns, and results have them, in the chunks of dask.
"""

import datetime

import numpy
import xarray

from . import _isobar
from ._errors import FieldError
from ._fields import fields

__all__ = ["find", "run"]

# Names under which datasets have the dimensions of fields.
DIMENSIONS = {
    "layer": ("layer", "lay", "lev", "play", "pfull", "bottom_top", "full_level", "model_level_number"),
    "level": ("level", "half_level", "ilev", "interface", "plev_interface", "phalf", "bottom_top_stag"),
    "longwave_band": ("longwave_band", "band_lw", "lw_band", "band"),
    "shortwave_band": ("shortwave_band", "band_sw", "sw_band", "band"),
    "band": ("band", "bands"),
}
# What a number counts from.
VERTICAL = ("layer", "level", "layer_interface")


def find(model, dataset, names=None):
    """The variables of a dataset that a model reads: a dictionary of field and variable.

    names: which variable a field is, where that does not follow from the dataset
    """
    known = fields(model)
    names = dict(names or {})
    found = {}
    for field in known.inputs:
        if field.name in names:
            if names[field.name] not in dataset.variables:
                raise FieldError(f"{field.name}: the dataset has no variable {names[field.name]!r}")
            found[field.name] = names[field.name]
            continue
        for name in (field.name, field.file_name, *field.aliases):
            if name in dataset.variables:
                found[field.name] = name
                break
        else:
            standard = [
                name
                for name, variable in dataset.variables.items()
                if variable.attrs.get("standard_name") in field.standard_names and _fits(field, variable)
            ]
            if len(standard) > 1:
                both = f"both {standard[0]} and {standard[1]} could be it"
                raise FieldError(f"{field.name}: {both}; say which with names=")
            if standard:
                found[field.name] = standard[0]
    return found


def _fits(field, variable):
    """Has a variable the vertical dimension that a field has, and no other?"""
    wanted = {name for name in field.dimensions if name in VERTICAL}
    has = {name for name in VERTICAL if any(alias in variable.dims for alias in DIMENSIONS.get(name, (name,)))}
    return has <= wanted


def _dimension(name, dims, given):
    """The dimension of an array that is a declared one."""
    if name in given:
        return given[name] if given[name] in dims else None
    return next((alias for alias in DIMENSIONS.get(name, (name,)) if alias in dims), None)


def _convert(field, name, array):
    """An array in the unit of its field."""
    units = array.attrs.get("units")
    if field.unit == "any unit":
        return array
    if units is None:
        if field.unit == "1":
            return array
        raise FieldError(f"{name} has no units, and {field.name} is in {field.unit}: set {name}.attrs['units']")
    try:
        same = _isobar.is_same_unit(units, field.unit)
    except ValueError as error:
        raise FieldError(f"{name}: {error}") from None
    if same:
        return array

    def convert(values):
        return _isobar.convert(numpy.asarray(values, numpy.float64).ravel(), units, field.unit).reshape(values.shape)

    return xarray.apply_ufunc(convert, array, dask="parallelized", output_dtypes=[numpy.float64])


def _top_first(known, arrays, cores):
    """Do layers go from the top down? The pressure says so, which grows downward."""
    for name in ("level_pressure_pa", "interface_pressure_pa", "pressure_pa"):
        if name not in arrays:
            continue
        array, core = arrays[name], cores[name]
        if len(core) != 1 or array.sizes[core[0]] < 2:
            continue
        first = array.isel({dim: 0 for dim in array.dims if dim != core[0]})
        ends = numpy.asarray(first.isel({core[0]: [0, -1]}))
        return bool(ends[0] < ends[1])
    return known.top_first


def run(model, dataset, *, names=None, dimensions=None, top_first=None, results=None, **options):
    """Computes the columns (profiles, cells) of a dataset.

    names: which variable a field is, as `{"temperature_k": "ta"}`
    dimensions: which dimension of the dataset is a field's, as `{"layer": "plev"}`
    top_first: do layers go from the top down? Otherwise the pressure says so, or else the scheme
    results: the names of the results that are wanted; all of them unless given

    Other keywords are fields, as numbers or DataArrays, or options of the model. The answer has a variable a result,
    named as in Isobar's files, with units and CF's standard names; with dask, nothing is computed yet.
    """
    known = fields(model)
    given = {field.name: options.pop(field.name) for field in known.inputs if field.name in options}
    pairs = _pairs(known, find(model, dataset, names))
    inputs = {field.name: dataset[name] for field, name in pairs if field.name not in given}
    inputs.update(given)
    dimensions = dict(dimensions or {})
    arrays, cores, numbers = {}, {}, {}
    sizes = {}
    for field in known.inputs:
        if field.name not in inputs:
            continue
        array = inputs[field.name]
        if not isinstance(array, xarray.DataArray):
            numbers[field.name] = array
            continue
        if field.dtype == "float":
            array = _convert(field, array.name or field.name, array)
        core = []
        for name in field.dimensions:
            dim = _dimension(name, array.dims, dimensions)
            if dim is None and name not in VERTICAL:
                # One for all bands and so on.
                dim = f"{name} of {field.name}"
                array = array.expand_dims({dim: 1}, axis=-1)
            elif dim is None and array.ndim > 0:
                missing = dimensions.get(name, " or ".join(DIMENSIONS.get(name, (name,))))
                text = f"{field.name} has dimensions {array.dims}, and a {name} is wanted: {missing}"
                raise FieldError(f"{text}; dimensions={{'{name}': ...}}")
            if dim is not None:
                core.append(dim)
                if array.sizes[dim] > 1 or name in VERTICAL:
                    sizes.setdefault(name, (dim, array.sizes[dim]))
        if array.ndim == 0:
            numbers[field.name] = array.values.item() if array.chunks is None else array.compute().values.item()
            continue
        arrays[field.name], cores[field.name] = array, tuple(core)
    if not arrays:
        raise FieldError(f"the dataset has no field of {known.name}: {', '.join(field.name for field in known.inputs)}")
    single = all(array.dtype == numpy.float32 for name, array in arrays.items() if known[name].dtype == "float")
    double = numpy.float32 if single else numpy.float64
    wanted = {name: numpy.uint32 if known[name].dtype == "uint32" else double for name in arrays}
    arrays = {name: array.astype(wanted[name]) for name, array in arrays.items()}
    if top_first is None:
        top_first = _top_first(known, arrays, cores)
    layered = any(name in VERTICAL for name in sizes)
    orders = {"items_axis": "first", "top_first": top_first if layered else None}

    def compute(*values):
        values = dict(zip(arrays, map(numpy.asarray, values)))
        for name, value in values.items():
            # Several axes of columns have to be one in memory.
            if value.ndim > len(cores[name]) + 1:
                values[name] = numpy.ascontiguousarray(value)
        return model.run(**values, **numbers, **options, **orders)

    # One column says which results there are, and their shapes.
    one = {}
    for name, array in arrays.items():
        first = array.isel({dim: 0 for dim in array.dims if dim not in cores[name]}).transpose(*cores[name])
        one[name] = numpy.asarray(first)
    sample = model.run(**one, **numbers, **options, **orders)
    chosen = [field for field in known.outputs if field.name in sample]
    if results is not None:
        there = {key for field in chosen for key in (field.name, field.file_name)}
        unknown = [name for name in results if name not in there]
        if unknown:
            raise FieldError(f"there is no result {unknown[0]!r}: {', '.join(field.name for field in chosen)}")
        chosen = [field for field in chosen if field.name in results or field.file_name in results]
    out_cores, out_sizes = [], {}
    for field in chosen:
        core = []
        for name, size in zip(field.dimensions, sample[field.name].shape):
            dim = sizes.get(name, (dimensions.get(name, name), size))
            dim = dim[0] if dim[1] == size else name
            core.append(dim)
            out_sizes[dim] = size
        out_cores.append(core)

    def compute_chosen(*values):
        out = compute(*values)
        kept = tuple(out[field.name] for field in chosen)
        return kept if len(kept) > 1 else kept[0]

    in_dims = {dim for core in cores.values() for dim in core}
    computed = xarray.apply_ufunc(
        compute_chosen,
        *arrays.values(),
        input_core_dims=[list(core) for core in cores.values()],
        output_core_dims=out_cores,
        exclude_dims={dim for dim in in_dims if " of " in dim},
        dask="parallelized",
        output_dtypes=[sample[field.name].dtype for field in chosen],
        dask_gufunc_kwargs={
            "output_sizes": {dim: size for dim, size in out_sizes.items() if dim not in in_dims},
            "allow_rechunk": True,
        },
        keep_attrs=False,
    )
    computed = computed if isinstance(computed, tuple) else (computed,)
    out = xarray.Dataset()
    for field, array in zip(chosen, computed):
        attributes = {"long_name": field.doc, "units": field.unit}
        if field.unit == "any unit":
            del attributes["units"]
        if len(field.standard_names) == 1:
            attributes["standard_name"] = field.standard_names[0]
        out[field.file_name] = array.assign_attrs(attributes)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    chosen_options = ", ".join(f"{name}={value!r}" for name, value in options.items())
    line = f"{now} isobar.xarray.run({type(model).__name__}{', ' if chosen_options else ''}{chosen_options})"
    history = dataset.attrs.get("history")
    out.attrs.update(
        Conventions="CF-1.11",
        source=f"isobar {_isobar.__version__}, {known.name}",
        device=", ".join(model.devices),
        history=f"{line}\n{history}" if history else line,
    )
    return out


def _pairs(known, found):
    return [(field, found[field.name]) for field in known.inputs if field.name in found]
