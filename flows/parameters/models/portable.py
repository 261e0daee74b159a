"""Values of parameters without the paths of this machine, as manifests and results have them."""

from pathlib import PurePath
from typing import Any, cast
from urllib.parse import urlsplit

from ragset.settings import Names, Settings

_PLACES = {Names.PATH, Names.SOURCE, Names.ADDRESS, Names.STORE}


def portable(settings: Settings, *without: str) -> dict[str, Any]:
    """The values as plain data: of a path its last name, of an address all but its query."""
    values = settings.model_dump(mode="json", exclude=set(without))
    for name, field in type(settings).model_fields.items():
        if name in values:
            is_place = not _PLACES.isdisjoint(field.metadata)
            values[name] = _portable(getattr(settings, name), values[name], is_place=is_place)
    return values


def _portable(value: Any, plain: Any, *, is_place: bool) -> Any:
    if isinstance(value, Settings):
        return portable(value)
    if isinstance(value, tuple):
        items = zip(cast("tuple[Any, ...]", value), plain, strict=True)
        return [_portable(one, other, is_place=is_place) for one, other in items]
    return _last_name(value) if is_place and value else plain


def _last_name(place: str) -> str:
    if "://" not in place:
        return PurePath(place).name or "."
    return urlsplit(place)._replace(query="").geturl()
