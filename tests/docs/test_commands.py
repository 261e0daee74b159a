"""What the README and the docs tell a reader to type is there: commands, options, values, files, parameters of YAML."""

import ast
import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from pydantic import ValidationError
from typer.exceptions import TyperException

from flows.__main__ import app
from flows.cli import reference
from flows.parameters.options import OPTIONS
from flows.parameters.table import FLOWS
from tests.docs.commands import PAGES, ROOT, blocks, inline, options_alone, typed

pages = pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
OURS = ("examples/", "deployments/", "benchmarks/")
OTHERS = {"--extra", "--junit-xml", "--max", "--no-deps", "--no-services", "--scale"}
"""Options of other programs that the prose names."""


@cache
def group() -> Any:
    return typer.main.get_command(app)


@cache
def commands() -> dict[str, Any]:
    return reference.commands()


def fault(words: list[str]) -> str | None:
    """What is wrong with a command, as the program itself would see it."""
    program, *given = words
    for word in given:
        if word.startswith(OURS) and not (ROOT / word).exists():
            return f"there is no {word}"
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
        return next((f"no target {one}" for one in given[:1] if one not in targets), None)
    if program != "ragset":
        if not (found := importlib.util.find_spec(program)) or not found.origin:
            return "no such module"
        origin = Path(found.origin)
        files = origin.parent.glob("*.py") if origin.stem == "__init__" else [origin]
        source = "".join(one.read_text(encoding="utf-8") for one in files)
        return next(
            (f"no option {one}" for one in given if one.startswith("--") and one[2:].replace("-", "_") not in source),
            None,
        )
    name = " ".join(given[:2]) if given[0] == "prompts" else given[0]
    if name == "NAME":
        return None
    if name.startswith("--"):
        return None if name in {"--version", "--help", "--install-completion"} else f"no option {name}"
    if name not in commands():
        return f"no command {name}"
    rest = [word.replace("s3://", "") for word in given[len(name.split()) :]]  # only a run looks there
    try:
        context = commands()[name].make_context(name, list(rest), resilient_parsing="--help" in rest)
    except TyperException as error:
        # A page may name a command with its argument left out, but with no option that is not there.
        return None if not rest and "Missing argument" in error.format_message() else error.format_message()
    given_to = context.params if name in {*FLOWS, "estimate"} else {}
    return next(filter(None, (no_choice(*one) for one in given_to.items())), None)


def no_choice(option: str, value: Any) -> str | None:
    """Why a parameter cannot have this value, where it has a list of values."""
    values = [
        one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str) and not one.isupper()
    ]
    known = choices().get(option.rstrip("_")) if values else None
    wrong = [one for one in values if known and not any(re.match(way, one) for way in known)]
    return f"--{option}: {wrong[0]} is none of {known}" if wrong else None


@cache
def choices() -> dict[str, list[str]]:
    """What the values of options match, of those that take no other ones."""
    found: dict[str, list[str]] = {}
    free: set[str] = set()
    for schema in (model.model_json_schema() for model in FLOWS.values()):
        for path, option in OPTIONS.items():
            name, field = option.replace("-", "_"), field_of(schema, path)
            for one in field.get("anyOf", [field.get("items", field)]) if field else []:
                ways = [f"{re.escape(value)}$" for value in one.get("enum", ())] or [one.get("pattern")]
                found[name] = [*found.get(name, []), *filter(None, ways)]
                free |= {name} if ways == [None] and one.get("type") != "null" else set()
    return {name: ways for name, ways in found.items() if name not in free}


def field_of(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """The schema of a parameter, by its dotted name; empty where the flow has none."""
    field: dict[str, Any] = schema
    for part in path.split("."):
        named = next((one["$ref"] for one in (field, *field.get("anyOf", ())) if "$ref" in one), None)
        field = schema["$defs"][named.rpartition("/")[2]] if named else field
        field = field.get("properties", {}).get(part, {})
    return field


@pytest.mark.parametrize(
    "path", [one for one in PAGES if one != reference.PAGE], ids=lambda path: str(path.relative_to(ROOT))
)
def test_every_command_of_a_page_is_one_that_the_program_takes(path: Path) -> None:
    found = [(" ".join(words), fault(words)) for words in typed(path.read_text(encoding="utf-8"))]
    assert [one for one in found if one[1]] == []


@pages
def test_every_option_in_the_prose_is_one_of_some_command(path: Path) -> None:
    known = {
        name for command in commands().values() for one in command.params for name in (*one.opts, *one.secondary_opts)
    }
    plugin = (ROOT / "ragset" / "evaluation" / "pytest_plugin.py").read_text()
    benchmarks = "".join(one.read_text() for one in (ROOT / "benchmarks").rglob("*.py"))
    known |= {
        f"--{name}" for call in re.findall(r" options\((.*)\)", benchmarks) for name in re.findall(r"(\w+)=", call)
    }
    named = set(options_alone(path.read_text(encoding="utf-8"))) - known - OTHERS - {"--help", "--version"}
    assert {one for one in named if f'"{one}"' not in plugin} == set()


@pages
def test_every_parameter_in_the_yaml_of_a_page_is_one_of_a_flow(path: Path) -> None:
    for language, text in blocks(path.read_text(encoding="utf-8")):
        value = yaml.safe_load(text) if language == "yaml" else None
        if isinstance(value, dict) and not {"jobs", True} & set(value):  # a workflow of GitHub
            assert [] in [faults(model, value) for model in FLOWS.values()], text


def faults(model: Any, value: dict[str, Any]) -> list[str]:
    """What a flow would refuse; neither that a page shows a part of a file, nor that a group is in a file."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        return [
            str(one) for one in error.errors() if one["type"] != "missing" and not str(one["input"]).endswith(".yaml")
        ]
    return []


@pages
def test_what_the_python_of_a_page_imports_from_ragset_is_there(path: Path) -> None:
    for language, text in blocks(path.read_text(encoding="utf-8")):
        if language != "python":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ragset":
                module = importlib.import_module(node.module or "")
                assert [one.name for one in node.names if not hasattr(module, one.name)] == []


def test_the_page_of_commands_has_each_of_them() -> None:
    table = " ".join(inline((ROOT / "docs" / "commands.md").read_text(encoding="utf-8")))
    assert [name for name in group().commands if not re.search(rf"(?<!\S){name}(?!\S)", table)] == []


def test_the_page_of_options_is_as_the_commands_are() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run `python -m flows.cli.reference`"


def test_links_of_the_readme_lead_somewhere() -> None:
    for page in PAGES[:3]:
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert "://" in link or (page.parent / link).exists(), link


def test_the_readme_is_read_in_two_minutes() -> None:
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) < 120


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("`ragset singel-chunk docs`", "no command"),
        ("`python -m flows single-chunk docs --chunk-sise 3`", "No such option"),
        ("```\nragset single-chunk docs --chunking sentences  # a remark\n```", "is none of"),
        ("```\n.venv/bin/python -m flows single-chunk docs --seed many | head\n```", "valid integer"),
        ("`ragset benchmark out/demo --config examples/gird.yaml`", "there is no examples/gird.yaml"),
        ("`make dmeo`", "no target"),
        ("`python -m benchmarks.cheks`", "no such module"),
    ],
)
def test_a_command_that_is_not_there_is_found(line: str, wrong: str) -> None:
    (words,) = typed(line)
    assert wrong in (fault(words) or "")
