"""Values of parameters without the paths of this machine, as manifests and results have them."""

from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit


def make_systems_portable(systems: list[dict[str, Any]]) -> None:
    """Leave the last names of the files and folders that other systems name."""
    for system in systems:
        system.update({name: portable(system[name]) for name in ("http", "runs", "chunks") if system[name]})


def make_chunks_portable(values: Any) -> None:
    """Leave the last names of existing chunks, wherever a chunking is among the values."""
    for name, value in values.items() if isinstance(values, dict) else ():
        if name == "existing" and value:
            value |= {where: portable(value[where]) for where in ("file", "milvus") if value[where]}
        for part in value if isinstance(value, list) else (value,):
            make_chunks_portable(part)


def portable(source: str) -> str:
    """The last name of a path; an address without its query."""
    if "://" not in source:
        return PurePath(source).name or "."
    return urlsplit(source)._replace(query="").geturl()
