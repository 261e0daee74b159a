"""Parts of LlamaIndex that settings name: `llamaindex:SentenceSplitter`, or `llamaindex:my_module:MyParser`, with arguments."""

import importlib
import json
import pkgutil
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, JsonValue

from ragset.errors import InputError

LLAMAINDEX = "llamaindex:"
Kind = Literal["node_parser", "embeddings", "readers"]
"""The packages below `llama_index.core` and `llama_index` that hold classes of one kind."""

_SECRET = re.compile(r"(?i)(?:^|_)(?:key|token|secret|password)$")


class ArgumentsDict(dict[str, JsonValue]):
    """Arguments that count as equal, and have one hash, in any order."""

    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return hash(json.dumps(self, sort_keys=True))


def _open(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if secret := next((name for name in arguments if _SECRET.search(name)), None):
        raise ValueError(f"{secret} does not belong into parameters; let the environment hold it")
    return ArgumentsDict(arguments)


def _object(schema: dict[str, Any]) -> None:
    schema["additionalProperties"] = True  # of any kind; the branches of JSON values would fill a form


Arguments = Annotated[dict[str, JsonValue], AfterValidator(_open), Field(json_schema_extra=_object)]
"""Arguments of a class, by name."""


def called(name: str, arguments: Mapping[str, Any]) -> str:
    """The class with its arguments as people read them: `SentenceSplitter(chunk_size=512)`."""
    given = (
        f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in sorted(arguments.items())
    )
    return f"{name}({', '.join(given)})" if arguments else name


def check_class_name(name: str) -> None:
    """Raise ValueError unless `name` is a class, or a module and a class."""
    if not re.fullmatch(r"([A-Za-z_][\w.]*:)?[A-Za-z_]\w*", name):
        raise ValueError(f"write {LLAMAINDEX}Class or {LLAMAINDEX}module:Class")


def find_class(what: str, kind: Kind, name: str) -> Any:
    """The class of that kind: `module:Class`, or `Class` of the core or of an installed integration; errors name `what`."""
    module, colon, attribute = name.rpartition(":")
    if colon:
        found = getattr(_import(what, module), attribute, None)
    else:
        places = [f"llama_index.core.{kind}", *_integrations(kind)]
        found = next(
            (one for place in places if isinstance(one := getattr(_import(what, place), name, None), type)), None
        )
    if not isinstance(found, type):
        mend = f"install its package (pip install llama-index-{kind.replace('_', '-')}-…), or write module:Class"
        raise InputError(
            f"{what}: there is no class {attribute} in {module or 'LlamaIndex as it is installed'}; {mend}"
        )
    return cast("Any", found)


def make(what: str, of: Any, arguments: Mapping[str, Any]) -> Any:
    """An object of the class; what it says of its arguments becomes an InputError."""
    try:
        return of(**arguments)
    except (Exception, SystemExit) as error:  # of a class that is not ours
        raise InputError(f"{what}: cannot be made with these arguments ({said(error)})") from error


def said(error: BaseException) -> str:
    """An error of somebody else in a line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _integrations(kind: Kind) -> list[str]:
    try:
        package = importlib.import_module(f"llama_index.{kind}")
    except ImportError:
        return []
    return sorted(f"{package.__name__}.{one.name}" for one in pkgutil.iter_modules(package.__path__))


def _import(what: str, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise InputError(
            f"{what}: {module} cannot be imported ({said(error)}); install its package, or name the folder that holds the "
            "module in PYTHONPATH"
        ) from error
    except (Exception, SystemExit) as error:  # of a module that is not ours
        raise InputError(f"{what}: {module} cannot be imported ({said(error)})") from error
