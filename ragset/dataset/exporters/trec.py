"""TREC: topics, judgements, and the runs of benchmarked systems."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import one_line, write_json_lines
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.results import Ranked, read_run, read_runs
from ragset.dataset.relevance.qrels import places_of
from ragset.errors import InputError


@exporter(
    "trec",
    "topics.tsv, qrels.SPLIT.txt and a collection.jsonl as Pyserini reads it; with results of a benchmark also runs/NAME.trec",
    keeps=("queries", "unanswerable", "evidence", "grades", "equivalents", "splits", "documents"),
    results="may",
)
def write_trec(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """Unanswerable queries are topics without judgements."""
    topics = (f"{golden.id}\t{one_line(golden.query)}\n" for golden in given.goldens)
    _write(folder / "topics.tsv", topics)
    write_json_lines(
        folder / "collection.jsonl",
        ({"id": one.id, "title": one.title, "contents": one.text} for one in given.passages),
    )
    for split in given.splits:
        lines = (f"{query} 0 {passage} {grade}\n" for query, passage, grade in given.judgements(split))
        _write(folder / f"qrels.{split}.txt", lines)
    return given.unreached | (_write_runs(given, given.results, folder / "runs") if given.results else {})


def _write_runs(given: ExportSet, results: Path, folder: Path) -> dict[str, int]:
    """The runs over the chunking of the export; over whole documents any run, each document at its best passage."""
    lost: Counter[str] = Counter()
    known = {golden.id for golden in given.goldens}
    folder.mkdir()
    for system, path in read_runs(results, given.corpus.hash):
        if given.chunking and system.chunking != given.chunking:
            lost[f"runs over other passages than those of {given.chunking}"] += 1
            continue
        lines = [line for line in read_run(path, system) if line.golden in known]
        ranked = groupby(lines if given.chunking else _by_document(lines), key=lambda line: line.golden)
        numbered = ((rank, line) for _, ranking in ranked for rank, line in enumerate(ranking, start=1))
        _write(
            folder / path.name,
            (f"{line.golden} Q0 {line.passage} {rank} {line.score} {path.stem}\n" for rank, line in numbered),
        )
    return dict(lost)


def _by_document(lines: Iterable[Ranked]) -> Iterator[Ranked]:
    seen: set[tuple[str, str]] = set()
    for line in lines:
        with suppress(InputError):  # a passage of a system of somebody else that is in no document
            doc_id = places_of(line.passage)[0].doc_id
            if (line.golden, doc_id) not in seen:
                seen.add((line.golden, doc_id))
                yield line._replace(passage=doc_id)


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
