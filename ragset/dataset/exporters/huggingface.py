"""Repositories of the Hugging Face Hub: Parquet files, and a card that says what they are."""

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import write_parquet
from ragset.dataset.exporters.registry import PARTS, exporter
from ragset.dataset.exporters.tables import columns, parquet_rows
from ragset.settings import OFFLINE

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}


@exporter(
    "huggingface", "a repository of the Hub: corpus, queries, qrels and goldens as Parquet, and a card", keeps=PARTS
)
def write_huggingface(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """`datasets` loads the configurations `corpus`, `queries`, `default` (the judgements) and `goldens`."""
    write_repository(given, folder, tags=())
    return given.unreached


def write_repository(given: ExportSet, folder: Path, *, tags: tuple[str, ...], usage: str = "") -> None:
    """Write the files and the card, with further tags and how else to use it."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    for name in ("qrels", "goldens"):
        (folder / name).mkdir()
    write_parquet(
        folder / "corpus.parquet",
        {"_id": text, "title": text, "text": text, "sources": texts},
        ({"_id": one.id, "title": one.title, "text": one.text, "sources": one.sources} for one in given.passages),
    )
    write_parquet(
        folder / "queries.parquet",
        {"_id": text, "text": text, "answer": text, "kind": text},
        ({"_id": one.id, "text": one.query, "answer": one.answer, "kind": one.kind} for one in given.goldens),
    )
    judgement = {"query-id": text, "corpus-id": text, "score": pa.int32()}
    for split in given.judged_splits:  # `datasets` refuses a split without rows
        judged = (dict(zip(judgement, one, strict=True)) for one in given.judgements(split))
        write_parquet(folder / "qrels" / f"{split}.parquet", judgement, judged)
    for split in given.splits:
        write_parquet(folder / "goldens" / f"{split}.parquet", columns(), parquet_rows(given, split))
    head = yaml.safe_dump(_head(given, tags), allow_unicode=True, sort_keys=False)
    (folder / "README.md").write_text(f"---\n{head}---\n\n{_card(given, usage)}", encoding="utf-8")


def _head(given: ExportSet, tags: tuple[str, ...]) -> dict[str, Any]:
    def configured(name: str, **paths: str) -> dict[str, Any]:
        return {"config_name": name, "data_files": [{"split": split, "path": path} for split, path in paths.items()]}

    def split_files(name: str, folder: str, splits: Iterable[str]) -> dict[str, Any]:
        return configured(name, **{split: f"{folder}/{split}.parquet" for split in splits})

    number, asked = len(given.goldens), [] if given.manifest.drawn_from == "queries" else ["synthetic"]
    return {
        "pretty_name": given.name,
        "language": [given.language],
        "license": "unknown",  # of the documents; whoever publishes the set knows it
        "size_categories": [next((size for limit, size in _SIZES.items() if number < limit), "n>1M")],
        "task_categories": ["text-retrieval", "question-answering"],
        "tags": ["rag", "retrieval", "evaluation", *asked, "ragset", *tags],
        "configs": [
            *([split_files("default", "qrels", given.judged_splits)] if given.judged_splits else ()),
            *(configured(name, **{name: f"{name}.parquet"}) for name in ("corpus", "queries")),
            split_files("goldens", "goldens", given.splits),
        ],
    }


def _card(given: ExportSet, usage: str) -> str:
    """The card in Markdown, without the YAML head; `usage` is a section on how else to load it."""
    from jinja2 import Environment, StrictUndefined

    manifest = given.manifest
    checks: dict[str, Any] = manifest.parameters.get("checks") or {}
    template = (files("ragset.dataset.exporters") / "card.md.jinja").read_text(encoding="utf-8")
    markdown = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    return markdown.from_string(template).render(
        given=given,
        manifest=manifest,
        usage=usage,
        kinds=Counter(golden.kind for golden in given.goldens),
        splits=Counter(golden.split for golden in given.goldens),
        graded=sum(bool(golden.grades) for golden in given.goldens),
        judgements=sum(1 for _ in given.judgements()),
        checks={name: _cell(on) for name, on in checks.items() if on not in (None, False, "", [], "none", "off")},
        offline=OFFLINE in (manifest.models.generator, manifest.models.critic),
        cell=_cell,
    )


def _cell(value: object) -> str:
    """A text that ends no cell or line of a Markdown table, and opens no tag."""
    said = "yes" if value is True else ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(said.split()).replace("|", "\\|").replace("<", "&lt;")
