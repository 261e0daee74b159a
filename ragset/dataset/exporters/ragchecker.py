"""RAGChecker: what each configuration of a benchmark retrieved and answered, beside the reference answers."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.results import chunks_read, read_answers, read_run, read_runs
from ragset.dataset.relevance.qrels import places_of
from ragset.errors import InputError


@exporter(
    "ragchecker",
    "a file for RAGChecker (RAGResults.from_json) for each configuration of a benchmark that answers",
    keeps=("queries", "answers"),
    results="must",
)
def write_ragchecker(given: ExportSet, folder: Path) -> dict[str, int]:
    """Queries with a reference answer that a configuration answered, with the chunks that its reader was given."""
    assert given.results is not None
    answers, final = read_answers(given.results), chunks_read(given.results)
    asked = [golden for golden in given.goldens if golden.answer]
    unanswered = unresolved = 0
    for system, path in read_runs(given.results, given.corpus.hash):
        said = answers.get(system.name, {})
        if not (answered := [golden for golden in asked if golden.id in said]):
            continue
        run = defaultdict[str, list[str]](list)
        for line in read_run(path, system):
            run[line.golden].append(line.passage)
        # Somebody else's system answered from all that it retrieved.
        read = {golden.id: run[golden.id][: final if system.reader else None] for golden in answered}
        results: list[dict[str, Any]] = [
            {
                "query_id": golden.id,
                "query": golden.query,
                "gt_answer": golden.answer,
                "response": said[golden.id],
                "retrieved_context": [*_passages(given, read[golden.id])],
            }
            for golden in answered
        ]
        unanswered += len(asked) - len(answered)
        unresolved += sum(len(read[one["query_id"]]) - len(one["retrieved_context"]) for one in results)
        # Escaped to ASCII, because RAGChecker reads files in the encoding of the computer.
        content = json.dumps({"results": results}, indent=1) + "\n"
        (folder / path.with_suffix(".json").name).write_text(content, encoding="ascii")
    if not any(folder.iterdir()):
        mend = "run it with a reader (grid.reader), or with systems that answer"
        raise InputError(f"{given.results}: no configuration of this benchmark answered a query of the dataset; {mend}")
    return {"queries that a configuration did not answer": unanswered, "passages that no document has": unresolved}


def _passages(given: ExportSet, ids: Sequence[str]) -> Iterator[dict[str, str]]:
    """Those that are places of documents: the results do not hold the texts of others."""
    for id_ in ids:
        try:
            text = "\n".join(given.corpus.text(place.span) for place in places_of(id_))
        except InputError:
            continue
        yield {"doc_id": id_, "text": text}
