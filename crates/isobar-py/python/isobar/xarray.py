"""Schemes on Datasets of xarray: names, units, dimensions and chunks are taken care of.

    import isobar, isobar.xarray, xarray
    columns = xarray.open_dataset("columns.nc", chunks={"column": 10_000})
    fluxes = isobar.xarray.run(isobar.Radiation(), columns, co2=420e-6)

Variables are found by the name of the field (`temperature_k`), the name in Isobar's files (`temperature`), CF's
standard name, or an alias (`t`, `tlay`, ...), unless their standard name says that they are something else. Their
units are checked and converted. Species and inputs of rates go by the names along them. Dimensions go by name; all that
are no layers, levels and so on are columns, and results have them, in the chunks of dask. Columns whose temperature is
NaN in all layers, as xarray reads what a file marks as missing, are left out: results are NaN there, the status is 4.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import xarray

from . import _inputs, _isobar, _labels, _masked, _options, _radiances
from ._errors import FieldError, KindError
from ._fields import Field, SchemeFields, fields
from ._variables import DIMENSIONS, GAS, VERTICAL, dimension, find, missing_gases, only
from ._vertical_order import is_top_first

__all__ = ["find", "run"]


def _of_numbers(field: Field, array: xarray.DataArray) -> xarray.DataArray:
    """An array of numbers, durations as those of the field's unit, whatever unit else they say."""
    name, kind = array.name or field.name, array.dtype.kind
    if kind in "mM":
        def convert(values: Any) -> Any:
            return numpy.asarray(_inputs.plain(str(name), field.unit, values), numpy.float64)

        converted: xarray.DataArray = xarray.apply_ufunc(convert, array, dask="parallelized", output_dtypes=["f8"])
        return converted.rename(name).assign_attrs(units=field.unit)
    if kind not in "biuf":
        hint = f"{name}.real" if kind == "c" else f"{name}.astype(float)"
        raise KindError(f"{name} has dtype {array.dtype}, and numbers are wanted for {field.name}: {hint}")
    return array


def _convert(field: Field, name: Any, array: xarray.DataArray, radiance: str | None) -> xarray.DataArray:
    """An array in the unit of its field; of radiances in that which all have."""
    units, wanted = array.attrs.get("units"), field.unit
    if wanted == "any unit":
        if units is None or radiance is None:
            return array
        wanted = _radiances.of(field.name, radiance)
    if units is None:
        if wanted == "1":
            return array
        raise FieldError(f"{name} has no units, and {field.name} is in {field.unit}: set {name}.attrs['units']")
    try:
        units = str(units)
        same = _isobar.is_same_unit(units, wanted)
    except ValueError as error:
        raise FieldError(f"{name}: {error}") from None
    if same:
        return array

    # Single precision stays that.
    kind = numpy.float32 if array.dtype == numpy.float32 else numpy.float64

    def convert(values: Any) -> Any:
        wide = numpy.asarray(values, numpy.float64).ravel()
        return _isobar.convert(wide, units, wanted).reshape(values.shape).astype(kind)

    converted: xarray.DataArray = xarray.apply_ufunc(convert, array, dask="parallelized", output_dtypes=[kind])
    return converted


def _is_mere_coordinate(model: Any, field: Field, dataset: xarray.Dataset, name: str, options: Any) -> bool:
    """Is it a coordinate, as `lat`, of a field that need not be given and that nothing asks for?"""
    if not field.optional or name not in dataset.coords:
        return False
    if field.name == "latitude_deg":
        return "latitude" not in str({**model._given, **options}.get("decorrelation"))
    has_unit = "units" in dataset[name].attrs or hasattr(dataset[name].variable._data, "units")
    return not has_unit and field.unit not in ("1", "any unit")


def _check_columns(
    arrays: Mapping[str, xarray.DataArray], cores: Mapping[str, tuple[Any, ...]],
    spread: Mapping[str, Sequence[str]], sizes: Mapping[str, int],
) -> None:
    """Refuses variables that lack a dimension of their field and have one of an unknown name: it is hardly columns."""
    columns = {dim for name, array in arrays.items() if name not in spread for dim in array.dims}
    columns -= {dim for core in cores.values() for dim in core}
    for name in spread.keys() & arrays.keys():
        lacking = spread[name][0]
        for dim in arrays[name].dims:
            if dim in cores[name] or dim in columns:
                continue
            # A gas may be the same in all layers, if these are not what the dimension is.
            if lacking in VERTICAL and (dim == "time" or arrays[name].sizes[dim] != sizes.get(lacking)):
                continue
            raise FieldError(
                f"{name} has the dimension {dim!r} and no {lacking}, and no other field has {dim!r} as one of columns: "
                f"say what it is with dimensions={{{lacking!r}: {dim!r}}}"
            )


def run(
    model: Any,
    dataset: xarray.Dataset,
    *,
    names: Mapping[str, str] | None = None,
    dimensions: Mapping[str, str] | None = None,
    top_first: bool | None = None,
    results: Sequence[str] | None = None,
    assume_zero: bool = False,
    **options: Any,
) -> xarray.Dataset:
    """Computes the columns (profiles, cells) of a dataset.

    names: which variable a field is, as `{"temperature_k": "ta"}`
    dimensions: which dimension of the dataset is a field's, as `{"layer": "plev"}`
    assume_zero: are gases that are missing zero? Otherwise they are an error
    top_first: do layers go from the top down? Otherwise the pressure says so, or the attribute `orientation` of
        Isobar's files, or a coordinate of the layers (a pressure, a height, one with `positive`), or else the scheme
    results: the names of the results that are wanted; all of them unless given

    Other keywords are fields, as numbers or DataArrays, or options of the model. The answer has a variable a result,
    named as in Isobar's files, with units and CF's standard names; with dask, nothing is computed yet.
    """
    known = fields(model)
    given = {field.name: options.pop(field.name) for field in known.inputs if field.name in options}
    options = _options.options(options)
    found = find(model, dataset, names, dimensions)
    pairs = _pairs(known, found)
    inputs = {
        field.name: dataset[name] for field, name in pairs
        if field.name not in given
        and (field.name in (names or {}) or not _is_mere_coordinate(model, field, dataset, name, options))
    }
    inputs.update(given)
    unused = [str(name) for name in dataset.variables if name not in found.values()]
    zero = missing_gases(model, inputs, unused, assume_zero)
    radiance = _radiances.unit_of(inputs)
    dimensions = dict(dimensions or {})
    all_fields = (*known.inputs, *known.outputs)
    only("dimension", dimensions, list(dict.fromkeys(dim for field in all_fields for dim in field.dimensions)))
    labels = _labels.of(model)
    arrays: dict[str, xarray.DataArray] = {}
    cores: dict[str, tuple[Any, ...]] = {}
    numbers: dict[str, Any] = {}
    sizes: dict[str, tuple[Any, int]] = {}
    # Dimensions that fields have but their variables do not.
    spread: dict[str, list[str]] = {}
    for field in known.inputs:
        if field.name not in inputs:
            continue
        array = inputs[field.name]
        if not isinstance(array, xarray.DataArray):
            number = _radiances.in_unit(field.name, radiance, array)
            numbers[field.name] = _inputs.plain(field.name, field.unit, number)
            continue
        if hasattr(array.variable._data, "units"):
            # A quantity of pint-xarray has its unit by itself.
            array = array.copy(data=_inputs.plain(field.name, field.unit, array.data)).assign_attrs(units=field.unit)
        array = _of_numbers(field, array)
        if field.dtype == "float":
            array = _convert(field, array.name or field.name, array, radiance)
        core = []
        for name in field.dimensions:
            dim = dimension(name, array.dims, dimensions)
            if dim is None and (name not in VERTICAL or field.unit == GAS and array.ndim > 0):
                # One for all bands and so on.
                dim = f"{name} of {field.name}"
                array = array.expand_dims({dim: 1}, axis=-1)
                spread.setdefault(field.name, []).append(name)
            elif dim is None and array.ndim > 0:
                missing = dimensions.get(name, " or ".join(DIMENSIONS.get(name, (name,))))
                text = f"{field.name} has dimensions {array.dims}, and a {name} is wanted: {missing}"
                raise FieldError(f"{text}; dimensions={{'{name}': ...}}")
            if dim is not None:
                array = _labels.in_order(array, field.name, name, dim, labels)
                core.append(dim)
                if array.sizes[dim] > 1 or name in VERTICAL and " of " not in dim:
                    sizes.setdefault(name, (dim, array.sizes[dim]))
        if array.ndim == 0:
            numbers[field.name] = array.values.item() if array.chunks is None else array.compute().values.item()
            continue
        arrays[field.name], cores[field.name] = array, tuple(core)
    if not arrays:
        raise FieldError(f"the dataset has no field of {known.name}: {', '.join(field.name for field in known.inputs)}")
    _check_columns(arrays, cores, spread, {name: size for name, (_, size) in sizes.items()})
    single = all(array.dtype == numpy.float32 for name, array in arrays.items() if known[name].dtype == "float")
    double = numpy.float32 if single else numpy.float64
    wanted = {name: numpy.uint32 if known[name].dtype == "uint32" else double for name in arrays}
    arrays = {name: array.astype(wanted[name]) for name, array in arrays.items()}
    if top_first is None:
        top_first = is_top_first(known, arrays, cores, dataset.attrs.get("orientation"))
    layered = any(name in VERTICAL for name in sizes)
    orders = {"items_axis": "first", "top_first": top_first if layered else None}

    # A batch without columns says which results there are, and their sizes.
    empty = {
        name: numpy.empty((0, *(array.sizes[dim] for dim in cores[name])), array.dtype)
        for name, array in arrays.items()
    }
    sample = model.run(**empty, **numbers, **options, **orders)
    chosen = [field for field in known.outputs if field.name in sample]
    if results is not None:
        there = {key for field in chosen for key in (field.name, field.file_name)}
        lacking = [name for name in results if name not in there]
        if lacking:
            raise FieldError(f"there is no result {lacking[0]!r}: {', '.join(field.name for field in chosen)}")
        if not len(results):
            raise FieldError(f"results=[] names no result: {', '.join(field.name for field in chosen)}")
        chosen = [field for field in chosen if field.name in results or field.file_name in results]
    out_cores, out_sizes = [], {}
    for field in chosen:
        core = []
        for name, size in zip(field.dimensions, sample[field.name].shape[1:]):
            dim = sizes.get(name, (dimensions.get(name, name), size))
            dim = dim[0] if dim[1] == size else name
            core.append(dim)
            out_sizes[dim] = size
        out_cores.append(core)

    in_dims = {dim for core in cores.values() for dim in core}
    columns = {dim: array.sizes[dim] for array in arrays.values() for dim in array.dims if dim not in in_dims}
    chunked = any(array.chunks is not None for array in arrays.values())
    # Chunks know by these which columns they have.
    numbers_of_columns = [xarray.DataArray(numpy.arange(size), dims=(dim,)) for dim, size in columns.items()] * chunked

    # What goes to other processes has names alone, not the dataset.
    call = _Call(model, list(arrays), [len(core) for core in cores.values()], {**numbers, **options, **orders},
                 [field.name for field in chosen], tuple(columns.values()))
    computed = xarray.apply_ufunc(
        call,
        *arrays.values(),
        *numbers_of_columns,
        input_core_dims=[*(list(core) for core in cores.values()), *([] for _ in numbers_of_columns)],
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
        if field.unit == "any unit" and radiance is None:
            del attributes["units"]
        elif field.unit == "any unit":
            attributes["units"] = _radiances.of(field.name, radiance)
        if len(field.standard_names) == 1 and (field.unit != "any unit" or _radiances.is_by_wavenumber(radiance)):
            attributes["standard_name"] = field.standard_names[0]
        out[field.file_name] = array.assign_attrs(attributes)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    chosen_options = ", ".join(f"{name}={value!r}" for name, value in options.items())
    line = f"{now} isobar.xarray.run({type(model).__name__}{', ' if chosen_options else ''}{chosen_options})"
    if zero:
        out.attrs["assumed_zero"] = ", ".join(zero)
    history = dataset.attrs.get("history")
    out.attrs.update(
        Conventions="CF-1.11",
        source=f"isobar {_isobar.__version__}, {known.name}",
        device=", ".join(model.devices),
        history=f"{line}\n{history}" if history else line,
    )
    return out


class _Call:
    """Computes a chunk: what dask sends to its workers."""

    def __init__(
        self, model: Any, names: list[str], cores: list[int], others: dict[str, Any], results: list[str],
        columns: tuple[int, ...],
    ) -> None:
        self.model, self.names, self.cores, self.others, self.results = model, names, cores, others, results
        self.columns = columns

    def __call__(self, *arrays: Any) -> Any:
        values = dict(zip(self.names, map(numpy.asarray, arrays)))
        for (name, value), core in zip(list(values.items()), self.cores):
            # Several axes of columns have to be one in memory.
            if value.ndim > core + 1:
                values[name] = numpy.ascontiguousarray(value)
        _masked.mark(values, dict(zip(self.names, self.cores)))
        try:
            out = self.model.run(**values, **self.others)
        except FieldError as error:
            raise self._of_all(error, arrays[len(self.names):]) from None
        kept = tuple(numpy.ma.getdata(out[name]) for name in self.results)
        return kept if len(kept) > 1 else kept[0]

    def _of_all(self, error: FieldError, numbers: tuple[Any, ...]) -> FieldError:
        """An error of a chunk's column, by its number among all columns."""
        if error.item is None or not numbers:
            return error
        along = [numpy.ravel(own) for own in numbers]
        places = numpy.unravel_index(error.item, [len(own) for own in along])
        number = numpy.ravel_multi_index([int(own[place]) for own, place in zip(along, places)], self.columns)
        return _masked.renumbered(error, self.model._declared.item, int(number))


def _pairs(known: SchemeFields, found: Mapping[str, str]) -> list[tuple[Field, str]]:
    return [(field, found[field.name]) for field in known.inputs if field.name in found]
