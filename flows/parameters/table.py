"""Writes docs/parameters.md from the models: `python -m flows.parameters.table`."""

from typing import Any

from flows import ROOT
from flows.parameters import models
from flows.parameters.faults import groups
from flows.parameters.options import ARGUMENTS, OPTIONS
from ragset.settings import Settings

PAGE = ROOT / "docs" / "parameters.md"
FLOWS: dict[str, type[Settings]] = {
    "single-chunk": models.SingleChunkParameters,
    "multi-chunk": models.MultiChunkParameters,
    "corpus-wide": models.CorpusWideParameters,
    "label": models.LabelParameters,
    "refresh": models.RefreshParameters,
    "review": models.ReviewParameters,
    "benchmark": models.BenchmarkParameters,
    "index": models.IndexParameters,
    "export": models.ExportParameters,
    "train-data": models.TrainDataParameters,
    "train-adapter": models.TrainAdapterParameters,
    "train-reranker": models.TrainRerankerParameters,
}
_KINDS = {"number": "number", "integer": "whole number", "boolean": "yes or no", "object": "weights"}
_LIMITS = {
    "minimum": "from {}",
    "exclusiveMinimum": "above {}",
    "maximum": "up to {}",
    "minItems": "at least {}",
    "maxLength": "up to {} characters",
}


def page() -> str:
    """The text of the page: a table for each flow, and one for each group of parameters."""
    lines = [
        "# Parameters",
        "",
        "`python -m flows.parameters.table` generates this page from the models in `flows/parameters/models/` and",
        "`ragset/settings/`. A YAML file (`--config`) takes these names. Some parameters also have a command-line option, in brackets.",
        "`python -m flows config` writes such a file, with every parameter in comments (`config benchmark`: that of another command).",
        "Some groups have a short form, as in `documents: docs` and `chunking: sentence`, and one value may stand for a list of one.",
    ]
    parts: dict[str, dict[str, Any]] = {}
    tables: list[tuple[str, dict[str, Any]]] = []
    for name, model in FLOWS.items():
        schema = model.model_json_schema()
        parts.update(schema.pop("$defs", {}))
        if issubclass(model, models.Parameters):
            schema["properties"] = {field: schema["properties"][field] for field in model.in_order()}
        tables.append((name, schema))
    for name, schema in (*tables, *sorted(parts.items())):
        said = schema.get("description", "")
        if name in groups() and (short := groups()[name].stands_for):
            said = f"{said} Short form: the value of `{short}` alone."
        lines += ["", f"## {name}", "", said, ""]
        lines += ["| name | is | values | default |", "| --- | --- | --- | --- |"]
        lines += (_row(key, field, parts, options=name in FLOWS) for key, field in schema["properties"].items())
    return "\n".join(lines) + "\n"


def _row(name: str, field: dict[str, Any], groups: dict[str, dict[str, Any]], *, options: bool) -> str:
    option = f" (`--{OPTIONS[name]}`)" if options and name in OPTIONS and name not in ARGUMENTS else ""
    default = field.get("default")
    shown = "" if default is None or default in ("", []) or isinstance(default, dict) else f"`{default}`"
    group = groups.get(field.get("$ref", "").rpartition("/")[2], {})
    cells = (f"`{name}`{option}", field.get("description") or group.get("description", ""), values(field), shown)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def values(field: dict[str, Any]) -> str:
    """The kind and the limits of the values of a field of a JSON schema."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join("empty" if one.get("type") == "null" else values(one) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{one}`" for one in field["enum"])
    if "items" in field:
        return f"list of {values(field['items'])}"
    kind = _KINDS.get(field.get("type", ""), "text")
    if field.get("additionalProperties") is True:
        kind = "names with values"
    if "properties" in field:
        kind += " of " + ", ".join(f"`{one}`" for one in field["properties"])
    limits = [said.format(field[limit]) for limit, said in _LIMITS.items() if limit in field]
    return ", ".join([kind, *limits])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
