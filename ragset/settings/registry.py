"""The parts of one kind by name. Upper rooms fill registries; forms, command line and docs read their names."""

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import AfterValidator

from ragset.errors import InputError

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_REGISTRIES: "dict[str, Registry[object]]" = {}


class Registry(dict[str, T]):
    """Parts of one kind, in the order in which they were added: the one list of them."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        _REGISTRIES[kind] = self  # pyright: ignore[reportArgumentType]

    def add(self, name: str, part: T) -> T:
        """Add a part and return it; raises ValueError if there is one of that name."""
        if name in self:
            raise ValueError(f"{self.kind}: {name} is there already")
        self[name] = part
        return part

    def of(self, name: str, make: Callable[[F], T]) -> Callable[[F], F]:
        """A decorator that adds the part made of a function, and returns the function."""

        def register(function: F) -> F:
            self.add(name, make(function))
            return function

        return register

    def names(self) -> tuple[str, ...]:
        """The names of all parts, in their order."""
        return tuple(self)

    def __missing__(self, name: str) -> T:
        raise InputError(f"{self.kind}: there is no {name}; choose from {', '.join(self)}")


def named(kind: str, *, or_prefix: str = "") -> Any:
    """A check that a `str` field names a part of that kind; if its registry is not loaded, any name passes.

    With `or_prefix`, names that begin with it pass too.
    """

    def check(name: str) -> str:
        if (known := names_of(kind)) and name not in known and not (or_prefix and name.startswith(or_prefix)):
            others = f", or {or_prefix}…" if or_prefix else ""
            raise ValueError(f"there is no {name!r}; choose from {', '.join(known)}{others}")
        return name

    return AfterValidator(check)


def listed(kind: str, *, or_prefix: str = "", titles: tuple[str, str] = ("", "")) -> Callable[[dict[str, Any]], None]:
    """Adds the names of the parts of that kind to the schema of a field, and what each `is_`.

    With `or_prefix`, a form offers names that begin with it as another kind of value; `titles` are those of the kinds.
    """

    def extend(schema: dict[str, Any]) -> None:
        parts = _REGISTRIES.get(kind, {})
        if or_prefix:
            others = {"type": schema.pop("type"), "pattern": f"^{or_prefix}", "title": titles[1]}
            schema["anyOf"] = [{"type": "string", "enum": list(parts), "title": titles[0]}, others]
        else:
            schema["enum"] = list(parts)
        said = "; ".join(f"{name}: {is_}" for name, part in parts.items() if (is_ := getattr(part, "is_", "")))
        schema["description"] = f"{schema.get('description', '')} {said}.".strip()

    return extend


def names_of(kind: str) -> tuple[str, ...]:
    """The names in the registry of that kind; () if no room has made one yet."""
    return tuple(_REGISTRIES.get(kind, ()))
