"""What a scheme reads and writes, as it declares it."""

from dataclasses import dataclass

from . import _isobar


@dataclass(frozen=True)
class Field:
    """A field of a scheme."""

    name: str
    """The name in `run`, with the unit."""
    dtype: str
    """`float`, which is float32 or float64, or `uint32`."""
    dimensions: tuple
    """The dimensions besides the items, in the order of the array's axes."""
    unit: str
    """The unit as UDUNITS writes it, or `any unit`."""
    accepted: str
    """The accepted range in words; empty where the scheme itself says what is wrong."""
    standard_names: tuple
    """CF's standard names."""
    file_name: str
    """The name in files that Isobar writes."""
    aliases: tuple
    """Other names in files."""
    optional: bool
    """May it be left out, whatever the options?"""
    doc: str
    """What it is."""

    def __str__(self):
        shape = f"({', '.join(('item', *self.dimensions))})"
        unit = "" if self.unit == "1" else f" [{self.unit}]"
        may = ", optional" if self.optional else ""
        return f"{self.name} {shape}{unit}{may}: {self.doc}"


@dataclass(frozen=True)
class SchemeFields:
    """The fields and options of a scheme."""

    name: str
    item: str
    """What an item is: `column`, `profile`, `cell`, `ray`."""
    top_first: bool
    """Do its layers and levels go from the top down? Otherwise from the surface up."""
    inputs: tuple
    outputs: tuple
    options: dict
    """All options with their defaults; None for those that have to be given."""

    def __getitem__(self, name):
        for field in (*self.inputs, *self.outputs):
            if field.name == name:
                return field
        raise KeyError(name)

    def __str__(self):
        order = "from the top down" if self.top_first else "from the surface up"
        lines = [f"{self.name}: an item is a {self.item}; layers go {order}", "", "Reads"]
        lines += [f"  {field}".replace("(item", f"({self.item}") for field in self.inputs]
        lines += ["", "Writes"]
        lines += [f"  {field}".replace("(item", f"({self.item}") for field in self.outputs]
        lines += ["", "Options"]
        lines += [f"  {name} = {default!r}" for name, default in self.options.items()]
        return "\n".join(lines)


def schemes():
    """The names of all schemes."""
    return _isobar.schemes()


def fields(scheme):
    """The fields and options of a scheme, by its name (`isobar.schemes()`), class or model."""
    known = _isobar.describe(getattr(scheme, "_scheme", scheme))

    def of(field):
        return Field(**{name: tuple(value) if isinstance(value, list) else value for name, value in field.items()})

    options = {}
    for name, default in known["options"].items():
        options.update(default if isinstance(default, dict) else {name: default})
    return SchemeFields(
        name=known["name"],
        item=known["item"],
        top_first=known["top_first"],
        inputs=tuple(map(of, known["inputs"])),
        outputs=tuple(map(of, known["outputs"])),
        options=options,
    )
