"""Type stubs of the schemes' classes, from their declarations: `python stubs.py > python/isobar/_schemes.pyi`.

With `--check FILE` says whether the file is as it should be.
"""

import sys
from pathlib import Path

import isobar

HEAD = '''"""A class a scheme. Written by stubs.py from the schemes' declarations: do not edit."""

from os import PathLike
from pathlib import Path
from typing import Any, Literal, Mapping, Sequence

from numpy import floating, uint32
from numpy.typing import NDArray

from ._isobar import Model
from ._results import Results

_Path = str | PathLike[str]
_Reals = NDArray[floating[Any]] | float
_Words = NDArray[uint32] | int
_Axis = Literal["first", "last"]

def data_folder() -> Path: ...

class _Model(Model):
    @property
    def items_axis(self) -> _Axis: ...
    @property
    def top_first(self) -> bool | None: ...
    @property
    def scheme(self) -> str: ...
    @property
    def devices(self) -> list[str]: ...
    @property
    def facts(self) -> dict[str, Any]: ...
    def read(
        self,
        path: _Path,
        *others: _Path,
        clouds: bool = True,
        cloud_fraction: float = 1.0,
        rain_and_snow: bool = False,
        assume_zero: bool = False,
        gases: Mapping[str, float] = ...,
        names: Mapping[str, str] = ...,
        values: Mapping[str, float] = ...,
        vertical: str | None = None,
        outside: Literal["extrapolate", "clamp", "error"] = "extrapolate",
        time_s: float = 0.0,
        surface: Literal["black", "specular", "lambertian"] = "specular",
        linear_source: bool = False,
        mean_sun: bool = False,
    ) -> dict[str, Any]: ...

def again(cls: type, given: Mapping[str, Any]) -> Any: ...
'''
COMMON = [
    'device: str = "cpu"',
    'precision: Literal["f32", "f64"] | None = None',
    "threads: int = 0",
    'bad_items: Literal["stop", "flag", "compute"] = "stop"',
    'items_axis: _Axis = "first"',
    "top_first: bool | None = None",
]
K_DISTRIBUTIONS = [
    "k_distributions: _Path | Sequence[_Path] | None = None",
    "clouds: _Path | Sequence[_Path] | None = None",
    'roughness: Literal["smooth", "medium", "rough"] = "medium"',
    "aerosols: _Path | Sequence[_Path] = ()",
    "rain_as_liquid: bool = False",
    "snow_as_ice: bool = False",
]
OWN = {
    "Chemistry": ["mechanism: _Path", "include: Sequence[_Path] = ()", "sun_from_time: bool = False"],
    "Infrared": ["control: _Path", "settings: Mapping[str, Any] | None = None", "jurassic_exact: bool = False"],
    "Radiation": K_DISTRIBUTIONS,
    "RadiationAdjoint": K_DISTRIBUTIONS,
}
# Constants may be given one by one, together, or by the name of a model that has them.
CONSTANTS = {
    "YSU": "str | Mapping[str, float]", "ShinHong": "str | Mapping[str, float]", "SurfaceLayer": "Mapping[str, float]",
}
CELLS = (
    "concentration: _Reals, rate_constant: _Reals | None = None, rate_input: _Reals | None = None, "
    "first_step_s: _Reals | None = None, items_axis: _Axis | None = None, **options: Any"
)
CHANGES = "change_of_concentration: _Reals | None = None, change_of_rate_constant: _Reals | None = None"
MORE = {
    "Adding": [
        "    def pullback(self, cotangents: Mapping[str, _Reals], **given: Any) -> AddingAdjointResults: ...",
        "    def jacobian(self, output: str, **given: Any) -> dict[str, NDArray[floating[Any]]]: ...",
    ],
    "Radiation": [
        "    def pullback(self, cotangents: Mapping[str, _Reals], **given: Any) -> RadiationAdjointResults: ...",
    ],
    "Chemistry": [
        "    @property", "    def species(self) -> list[str]: ...",
        "    @property", "    def rate_inputs(self) -> list[str]: ...",
        f"    def tangent(self, {CHANGES}, *, {CELLS}) -> Results: ...",
        f"    def adjoint(self, weights: _Reals | str | Sequence[str], *, {CELLS}) -> Results: ...",
    ],
}
CLASSES = [
    "YSU", "Radiation", "RadiationAdjoint", "ClearSky", "Scattering", "Adding", "AddingAdjoint", "Chemistry",
    "Infrared", "SurfaceLayer", "ShinHong",
]


def kind(default):
    """The type of an option."""
    if isinstance(default, bool):
        return "bool"
    if isinstance(default, int):
        return "int"
    if isinstance(default, float):
        return "float"
    if isinstance(default, str):
        return "str | Mapping[str, Any]"
    return "Any"


def doc(field, item):
    """A field in a line."""
    parts = [f"({', '.join((item, *field.dimensions))})"]
    if field.unit != "1":
        parts.append(f"[{field.unit}]")
    if field.accepted and field.accepted != "a finite number":
        parts.append(field.accepted)
    return f"{field.doc} {' '.join(parts)}".replace("\\", "\\\\")


def scheme(name):
    """The stub of a class."""
    cls = getattr(isobar, name)
    known = isobar.fields(cls)
    lines = ["", f"class {name}Results(Results):"]
    for field in known.outputs:
        lines.append(f"    {field.name}: NDArray[{'uint32' if field.dtype == 'uint32' else 'floating[Any]'}]")
        lines.append(f'    """{doc(field, known.item)}"""')
    lines += ["", f"class {name}(_Model):"]
    options = [f"{option}: {kind(default)} = ..." for option, default in known.options.items()]
    options += [f"constants: {CONSTANTS[name]} = ..."] if name in CONSTANTS else []
    arguments = ", ".join(["cls", *OWN.get(name, []), "*", *COMMON, *options])
    lines.append(f'    """{cls.__doc__.splitlines()[0]}"""')
    lines.append(f"    def __new__({arguments}) -> {name}: ...")
    lines += MORE.get(name, [])
    names = {field.name for field in known.inputs}
    fields = [
        f"{field.name}: {'_Words' if field.dtype == 'uint32' else '_Reals'}{' | None = ...' if field.optional else ''}"
        for field in known.inputs
    ]
    options = [option for option in options if option.split(":")[0] not in names]
    out = ["out: Mapping[str, NDArray[Any]] | None = None"]
    out += ["stream: Any = None"]
    out += ["items_axis: _Axis | None = None", "top_first: bool | None = None"]
    lines.append(f"    def run(self, *, {', '.join([*fields, *options, *out])}) -> {name}Results:")
    lines.append(f'        """Computes {known.item}s.')
    lines.append("")
    lines += [f"        {field.name}: {doc(field, known.item)}" for field in known.inputs]
    lines += ['        """', "        ..."]
    return "\n".join(lines) + "\n"


text = HEAD + "".join(map(scheme, CLASSES))
if sys.argv[1:2] == ["--check"]:
    if Path(sys.argv[2]).read_text() != text:
        sys.exit(f"{sys.argv[2]} is not what the declarations say: python stubs.py > {sys.argv[2]}")
else:
    print(text, end="")
