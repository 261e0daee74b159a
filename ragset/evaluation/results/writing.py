"""Results of a benchmark written: tables, runs in TREC format, a manifest, the report."""

import json
import re
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragset.dataset.relevance.qrels import UNALIGNED, places_of
from ragset.dataset.review.file import REVIEWS
from ragset.dataset.review.order import PLAN
from ragset.dataset.swap import check_free, replaced, same_file
from ragset.dataset.table import shielded
from ragset.evaluation.failures import diagnosis_lines
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.results.folder import (
    CORPUS,
    GOLDENS,
    MANIFEST,
    REPORT,
    benchmark_of,
    golden_digests,
    manifest_text,
)
from ragset.evaluation.results.model import OwnChunk, Results, Run

if TYPE_CHECKING:
    import pandas as pd


def check_results(folder: Path) -> None:
    """Return if results can be written to `folder`, as far as can be told before the work is done."""
    check_free(folder, MANIFEST, "results of a benchmark")


def write_results(folder: Path, results: Results, report: str) -> None:
    """Write all files, in place of results that are there already; a reader never sees half of them.

    What people said of answers and passages stays beside them.

    Raises:
        InputError: the folder holds something else, or cannot be written; what was there before is still there.
    """
    import pandas as pd

    runs = {
        system.name: f"runs/{number:02d}-{_tag(system.name)}.trec" for number, system in enumerate(results.systems, 1)
    }
    chunks = {
        one.name: f"chunks/{_tag(one.chunking)}.jsonl" for one in results.systems if one.name in results.own_chunks
    }
    benchmark = benchmark_of(results, runs=runs, chunks=chunks)
    documents, ids = clusters_of(results.goldens), results.scores["golden"]
    scores = results.scores.assign(
        document=ids.map(documents), content=ids.map(golden_digests(results.goldens, results.corpus))
    )
    answers = (
        json.dumps({"configuration": name, "golden": golden, "answer": answer}, ensure_ascii=False) + "\n"
        for name, answers in results.answers.items()
        for golden, answer in answers.items()
    )
    with replaced(folder, MANIFEST, "results of a benchmark", keep=(REVIEWS, PLAN)) as new:
        scores.to_parquet(new / "results.parquet", index=False)
        _write_csv(new / "leaderboard.csv", _leaderboard(results))
        _write_csv(new / "comparisons.csv", pd.DataFrame([one.model_dump() for one in results.comparisons]))
        _write_csv(new / "per_query.csv", _per_query(results, documents))
        (new / "runs").mkdir()
        for name, path in runs.items():
            _write_text(new / path, _trec(results.runs.get(name, {}), name, results.own_chunks.get(name, {})))
        if chunks:
            (new / "chunks").mkdir()
        for path, name in {path: name for name, path in chunks.items()}.items():
            _write_text(new / path, "".join(_chunk_line(*one) for one in results.own_chunks[name].items()))
        _write_text(new / "answers.jsonl", "".join(answers))
        if results.failures:
            lines = diagnosis_lines(results.failures, results.diagnoses)
            _write_text(new / "diagnosis.jsonl", "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines))
        _write_text(new / GOLDENS, "".join(one.model_dump_json() + "\n" for one in results.goldens))
        same_file(results.corpus.path, new / CORPUS)
        _write_text(new / REPORT, report)
        _write_text(new / MANIFEST, manifest_text(benchmark))


def _leaderboard(results: Results) -> "pd.DataFrame":
    import pandas as pd

    rows: dict[str, dict[str, Any]] = {
        system.name: system.model_dump(exclude={"mapping", "efficiency"}) for system in results.systems
    }
    for one in results.standings:
        row, metric = rows[one.configuration], one.metric
        row |= {metric: one.mean, f"{metric} low": one.low, f"{metric} high": one.high}
        if one.bounds:
            row |= {f"{metric} worst": one.bounds.worst, f"{metric} best": one.bounds.best}
    for system in results.systems:
        if took := system.efficiency:
            timed = took.seconds.items()
            rows[system.name] |= {f"{step} seconds {name}": value for step, of in timed for name, value in of}
            rows[system.name] |= {"tokens": took.tokens, "cost": took.cost}
    return pd.DataFrame(list(rows.values()))


def _per_query(results: Results, documents: Mapping[str, Hashable]) -> "pd.DataFrame":
    """A row for each golden with the primary score of every configuration: wins and losses side by side."""
    primary = results.scores[results.scores["metric"] == results.primary]
    wide = primary.pivot_table(index="golden", columns="configuration", values="value", dropna=False, sort=False)
    wide.insert(0, "query", wide.index.map({golden.id: golden.query for golden in results.goldens}))
    wide.insert(1, "document", wide.index.map(documents))
    return wide.reset_index()


def _trec(run: Run, name: str, own: Mapping[str, OwnChunk]) -> str:
    """`qid Q0 docid rank score tag`, the score falling with the rank as it was; existing chunks by their own ids."""
    ids = {place: _own_id(chunk) for place, chunk in own.items()}
    return "".join(
        f"{golden} Q0 {ids.get(hit.id, hit.id)} {rank} {hit.score:.6f} {_tag(name)}\n"
        for golden, hits in run.items()
        for rank, hit in enumerate(hits, start=1)
    )


def _own_id(chunk: OwnChunk) -> str:
    """Without white space, which parts the columns of a run."""
    return "_".join(chunk.id.split())


def _chunk_line(place: str, chunk: OwnChunk) -> str:
    """A line of a file of chunks that a system with runs can name: the place in the documents, or the text."""
    places = places_of(place)
    known = len(places) == 1 and not places[0].doc_id.startswith(UNALIGNED)
    where = {"document": places[0].doc_id, "start": places[0].start, "end": places[0].end}
    return json.dumps({"id": _own_id(chunk), **(where if known else {"text": chunk.text})}, ensure_ascii=False) + "\n"


def _tag(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")[:100]


def _write_csv(path: Path, frame: "pd.DataFrame") -> None:
    def safe(cell: object) -> object:
        return shielded(cell) if isinstance(cell, str) else cell

    cells = frame.map(safe) if len(frame) else frame
    _write_text(path, "\ufeff" + cells.rename(columns=shielded).to_csv(index=False, lineterminator="\r\n"))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
