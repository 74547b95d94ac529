"""Isobar: schemes of the atmosphere on NumPy arrays, in place, on CPU threads and GPUs with the same bits.

    import isobar
    model = isobar.Radiation()                       # long wave and short wave, ecCKD
    out = model.run(temperature_k=t, pressure_pa=p, level_pressure_pa=p_half, h2o=q, ...)
    out.longwave_heating_k_per_day

Every scheme is a class; `run` takes the fields by name and gives results by name. `isobar.fields("radiation")` lists
them with units, shapes and accepted ranges. Arrays are read and written in place, whatever their strides.
"""

from . import phase_functions
from ._errors import (
    DeviceError,
    FieldError,
    FileError,
    IsobarError,
    KindError,
    OutOfMemoryError,
    SetupError,
    StoppedError,
    UnknownNameError,
)
from ._fields import Field, SchemeFields, fields, schemes
from ._isobar import CUDA, __version__, devices
from ._jurassic import Jurassic
from ._results import Results
from ._schemes import (
    YSU,
    Adding,
    AddingAdjoint,
    Chemistry,
    ClearSky,
    Infrared,
    Radiation,
    RadiationAdjoint,
    Scattering,
    ShinHong,
    SurfaceLayer,
    data_folder,
)

__all__ = [
    "Adding",
    "AddingAdjoint",
    "CUDA",
    "Chemistry",
    "ClearSky",
    "DeviceError",
    "Field",
    "FieldError",
    "FileError",
    "Infrared",
    "IsobarError",
    "Jurassic",
    "KindError",
    "OutOfMemoryError",
    "Radiation",
    "RadiationAdjoint",
    "Results",
    "Scattering",
    "SchemeFields",
    "SetupError",
    "ShinHong",
    "StoppedError",
    "SurfaceLayer",
    "UnknownNameError",
    "YSU",
    "__version__",
    "data_folder",
    "devices",
    "fields",
    "phase_functions",
    "schemes",
]
