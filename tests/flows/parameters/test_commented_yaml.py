from pathlib import Path
from typing import Any

import pytest

from flows.parameters.commented_yaml import commented_yaml
from flows.parameters.reading import read_parameters
from flows.parameters.table import FLOWS

# What has no default, as the file sets it.
REQUIRED: dict[str, Any] = {
    "documents": "docs",
    "datasets": "out/single-chunk",
    "dataset": "out/single-chunk",
    "queries": "queries.txt",
    "to": "beir",
}
every_flow = pytest.mark.parametrize("flow", FLOWS)


def read(flow: str, text: str, folder: Path) -> Any:
    file = folder / "ragset.yaml"
    file.write_text(text, encoding="utf-8")
    return read_parameters(FLOWS[flow], file, {})


@every_flow
def test_the_file_as_it_is_written_says_the_defaults(flow: str, tmp_path: Path) -> None:
    model = FLOWS[flow]
    required = {name: REQUIRED[name] for name, field in model.model_fields.items() if field.is_required()}
    assert read(flow, commented_yaml(flow), tmp_path) == model.model_validate(required)


@every_flow
def test_each_parameter_stands_in_the_file_once(flow: str) -> None:
    names = [
        line.lstrip("# ").partition(":")[0]
        for line in commented_yaml(flow).splitlines()
        if line[:2] not in {"# ", "  "}
    ]
    written = [name for name in names if name in FLOWS[flow].model_fields]
    assert sorted(written) == sorted(FLOWS[flow].model_fields)


def test_a_name_whose_mark_is_taken_away_has_its_default(tmp_path: Path) -> None:
    text = commented_yaml("single-chunk")
    for line in ("#n: 100", "  #size: 256", "  #from: passages", "    #clarity: 4"):
        assert f"\n{line}\n" in text
        text = text.replace(f"\n{line}\n", f"\n{line.replace('#', '')}\n")
    assert read("single-chunk", text, tmp_path) == FLOWS["single-chunk"].model_validate({"documents": "docs"})


def test_what_a_person_sets_holds(tmp_path: Path) -> None:
    text = commented_yaml("benchmark").replace("  chunking: [recursive]", "  chunking: [sentence, markdown]")
    asked = read("benchmark", text.replace("#cutoffs: [1, 3, 5, 10]", "cutoffs: 7"), tmp_path)
    assert [one.strategy for one in asked.grid.chunking] == ["sentence", "markdown"]
    assert asked.cutoffs == (7,)
