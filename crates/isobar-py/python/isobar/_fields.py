"""What a scheme reads and writes, as it declares it."""

from dataclasses import dataclass
from typing import Any

from . import _isobar


@dataclass(frozen=True)
class Field:
    """A field of a scheme."""

    name: str
    """The name in `run`, with the unit."""
    dtype: str
    """`float`, which is float32 or float64, or `uint32`."""
    dimensions: tuple[str, ...]
    """The dimensions besides the items, in the order of the array's axes."""
    unit: str
    """The unit as UDUNITS writes it, or `any unit`."""
    accepted: str
    """The accepted range in words; empty where the scheme itself says what is wrong."""
    standard_names: tuple[str, ...]
    """CF's standard names."""
    file_name: str
    """The name in files that Isobar writes."""
    aliases: tuple[str, ...]
    """Aliases in files."""
    optional: bool
    """May it be left out, whatever the options?"""
    doc: str
    """What it is."""

    def __str__(self) -> str:
        shape = f"({', '.join(('item', *self.dimensions))})"
        unit = "" if self.unit == "1" else f" [{self.unit}]"
        may = ", optional" if self.optional else ""
        accepted = f", {self.accepted}" if self.accepted else ""
        return f"{self.name} {shape}{unit}{accepted}{may}: {self.doc}"


@dataclass(frozen=True)
class SchemeFields:
    """The fields and options of a scheme."""

    name: str
    item: str
    """What an item is: `column`, `profile`, `cell`, `ray`."""
    top_first: bool
    """Do its layers and levels go from the top down? Otherwise from the surface up."""
    inputs: "tuple[Field, ...]"
    outputs: "tuple[Field, ...]"
    options: dict[str, Any]
    """All options with their defaults; None for those that have to be given, or that follow from others."""
    required: tuple[str, ...]
    """The options that have to be given."""

    def __getitem__(self, name: str) -> Field:
        for field in (*self.inputs, *self.outputs):
            if field.name == name:
                return field
        raise KeyError(name)

    def __str__(self) -> str:
        order = "from the top down" if self.top_first else "from the surface up"
        lines = [f"{self.name}: an item is a {self.item}; layers go {order}", "", "Reads"]
        lines += [f"  {field}".replace("(item", f"({self.item}") for field in self.inputs]
        lines += ["", "Writes"]
        lines += [f"  {field}".replace("(item", f"({self.item}") for field in self.outputs]
        lines += ["", "Options"]
        given = {name: "has to be given" for name in self.required}
        lines += [f"  {name}: {given[name]}" if name in given else f"  {name} = {default!r}"
                  for name, default in self.options.items()]
        return "\n".join(lines)


def schemes() -> list[str]:
    """The names of all schemes."""
    return _isobar.schemes()


def fields(scheme: Any) -> SchemeFields:
    """The fields and options of a scheme, by its name (`isobar.schemes()`), class or model."""
    known = _isobar.describe(getattr(scheme, "_scheme", scheme))

    def of(field: dict[str, Any]) -> Field:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in field.items()
        }
        return Field(**values)

    options: dict[str, Any] = {}
    for name, default in known["options"].items():
        options.update(default if isinstance(default, dict) else {name: default})
    return SchemeFields(
        name=known["name"],
        item=known["item"],
        top_first=known["top_first"],
        inputs=tuple(map(of, known["inputs"])),
        outputs=tuple(map(of, known["outputs"])),
        options=options,
        required=tuple(known["required"]),
    )
