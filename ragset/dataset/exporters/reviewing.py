"""Tools in which people judge goldens: Argilla and Label Studio. `import-review` brings back what they said."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.review.exchange import argilla, label_studio
from ragset.dataset.review.exchange.excerpts import Excerpt
from ragset.dataset.review.guidelines import Guideline, load_guideline
from ragset.dataset.review.order import queue_goldens
from ragset.models import Golden
from ragset.settings import Environment

KEEPS = ("queries", "unanswerable", "answers", "evidence", "spans", "equivalents")


@exporter("argilla", "a folder that Argilla 2 loads, for people to judge the goldens there", keeps=KEEPS)
def write_argilla(given: ExportSet, folder: Path) -> None:
    """Write the folder that `Dataset.from_disk` reads: settings, and a record for each golden."""
    guideline = _guideline()
    settings = argilla.settings_of(guideline)
    hidden = folder / ".argilla"
    hidden.mkdir()
    _write(hidden / "dataset.json", {"name": f"{given.name}-v{given.version}", "guidelines": settings["guidelines"]})
    _write(hidden / "settings.json", settings)
    records = [argilla.record_of(golden, excerpt, guideline) for golden, excerpt in _in_turn(given)]
    _write(folder / "records.json", records)


@exporter("label-studio", "a folder for a project of Label Studio, for people to judge the goldens there", keeps=KEEPS)
def write_label_studio(given: ExportSet, folder: Path) -> None:
    """Write the tasks, the labelling configuration and the instructions of a project."""
    guideline = _guideline()
    tasks = [label_studio.task_of(golden, excerpt, guideline) for golden, excerpt in _in_turn(given)]
    _write(folder / "tasks.json", tasks)
    (folder / "labels.xml").write_text(label_studio.labels_of(guideline), encoding="utf-8")
    (folder / "instructions.md").write_text(f"# {guideline.title}\n\n{guideline.text}\n", encoding="utf-8")


def _guideline() -> Guideline:
    return load_guideline("golden", Environment().ragset_prompts)


def _in_turn(given: ExportSet) -> Iterator[tuple[Golden, Excerpt]]:
    """The goldens with what is shown of the documents, in the order in which they are to be judged."""
    goldens = {golden.id: golden for golden in given.goldens}
    for turn in queue_goldens(given.goldens, given.plan):
        yield goldens[turn.item], Excerpt.of(goldens[turn.item], given.corpus)


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
