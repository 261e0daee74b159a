"""Repositories of the Hugging Face Hub: Parquet files, and a card that says what they are; and the same with a task for MTEB."""

import json
import re
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

TASK = "mteb_task.py"
_LANGUAGES = """
    ar=arb-Arab ca=cat-Latn cs=ces-Latn da=dan-Latn de=deu-Latn el=ell-Grek en=eng-Latn es=spa-Latn fa=fas-Arab
    fi=fin-Latn fr=fra-Latn he=heb-Hebr hi=hin-Deva hu=hun-Latn id=ind-Latn it=ita-Latn ja=jpn-Jpan ko=kor-Hang
    nl=nld-Latn no=nob-Latn pl=pol-Latn pt=por-Latn ro=ron-Latn ru=rus-Cyrl sv=swe-Latn th=tha-Thai tr=tur-Latn
    uk=ukr-Cyrl vi=vie-Latn zh=cmn-Hans
"""
"""As MTEB names them: ISO 639-3 and ISO 15924, by ISO 639-1."""
_UNKNOWN = "und-Zyyy"


@exporter("mteb", f"the repository of huggingface, with a task class in {TASK} that mteb runs", keeps=PARTS)
def write_mteb(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """The task evaluates on the split `test`, or on all where that has no judgements."""
    name = "".join(part.capitalize() for part in "".join(c if c.isalnum() else " " for c in given.name).split())
    name = f"Ragset{name}V{given.version}"
    usage = f"""
With mteb, from within this folder:

```python
import mteb
from mteb_task import {name}

results = mteb.evaluate(mteb.get_model("sentence-transformers/all-MiniLM-L6-v2"), [{name}()])
```
"""
    write_repository(given, folder, tags=("mteb",), usage=usage)
    judged = [*given.judged_splits]
    words = {
        "NAME": name,
        "SPLITS": ["test"] if "test" in judged or not judged else judged,
        "LANGUAGE": dict(re.findall(r"(\w\w)=(\S+)", _LANGUAGES)).get(given.language, _UNKNOWN),
        "ANNOTATORS": "algorithmic" if given.manifest.models.generator == OFFLINE else "LM-generated",
        "REVISION": str(given.version),
        "DESCRIPTION": f"Test set {given.name}, version {given.version}, made with ragset.",
    }
    text = (files("ragset.dataset.exporters") / "mteb_task.py.txt").read_text(encoding="utf-8")
    for key, value in words.items():
        # As JSON, so that no name can end its string.
        text = text.replace(f'"${key}"', json.dumps(value)).replace(f"${key}", name)
    (folder / TASK).write_text(text, encoding="utf-8")
    return given.unreached


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
