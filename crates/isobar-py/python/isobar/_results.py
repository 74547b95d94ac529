"""Results of a run."""

from typing import Any

from ._errors import FieldError


class Results(dict[str, Any]):
    """Arrays by the names of the results, as a dictionary and as attributes: `out["height_m"]` is `out.height_m`.

    `errors` are the `FieldError`s of items that were flagged, with `bad_items="flag"`.
    """

    errors: list[FieldError]

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.errors = []

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"these results have no {name!r}; there are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name} {array.shape}" for name, array in self.items())
        return f"<isobar.Results: {fields}>"
