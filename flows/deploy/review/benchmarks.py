"""The answers and passages of a benchmark as items to judge. Nothing in them tells which system gave them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flows.deploy.review.passages import Passages
from ragset.dataset.relevance.qrels import is_hit_relevant
from ragset.dataset.review.guidelines import Guideline, load_guideline
from ragset.dataset.review.order import read_plan
from ragset.dataset.review.records import Kind
from ragset.errors import InputError
from ragset.evaluation.results.folder import StoredResults, read_results
from ragset.evaluation.review.pool import Pool, read_pool
from ragset.models import Span
from ragset.settings import Environment


class BenchmarkItems:
    """The items of the results in a folder."""

    def __init__(self, folder: Path) -> None:
        self._pool = read_pool(folder, read_plan(folder))
        if not self._pool.items:
            raise InputError(f"{folder}: holds no answer and no passage to judge")
        self.name = folder.resolve().name
        self.corpus = self._pool.corpus
        self.order = self._pool.order
        self.kinds: dict[str, Kind] = {id_: item.kind for id_, item in self._pool.items.items()}
        there: dict[Kind, None] = dict.fromkeys(self.kinds[one.item] for one in self.order)
        self.guidelines: dict[Kind, Guideline] = {
            kind: load_guideline(kind, Environment().ragset_prompts) for kind in there
        }
        self._passages = Passages(self.corpus)
        self._scores = _scores(read_results(folder), self._pool)

    def view(self, item: str) -> dict[str, Any]:
        """The query, the reference, and the answer with the evidence or the passage in its document."""
        asked = self._pool.items[item]
        golden = self._pool.goldens[asked.golden]
        marked = asked.spans or golden.evidence
        shown = {"query": golden.query, "reference": golden.answer, "tags": [], "near": False}
        if asked.kind == "answer":
            shown["answer"] = asked.answer
        marks = [{"doc": span.doc_id, "start": span.start, "end": span.end, "kind": "evidence"} for span in marked]
        return {**shown, "marks": marks, "passages": self._passages.around(marked)}

    def critic(self, item: str) -> Sequence[tuple[str, str]]:
        """What the critic gave the answer, or whether the passage holds the evidence of the test set."""
        asked = self._pool.items[item]
        if asked.kind == "answer":
            score = self._scores.get(item)
            return [] if score is None else [("correctness by the critic", f"{score:.3g} of 5")]
        golden = self._pool.goldens[asked.golden]
        holds = any(is_hit_relevant(asked.passage, span) for span in (*golden.evidence, *golden.equivalents))
        return [("evidence of the test set", "yes" if holds else "no")]

    def near(self, item: str, query: str) -> Sequence[Span]:
        """Nothing: what other systems found is judged by itself."""
        del item, query
        return ()


def _scores(stored: StoredResults, pool: Pool) -> dict[str, float]:
    """What the critic gave each answer, from 1 to 5; of several configurations that gave it the first."""
    rows = stored.scores.loc[stored.scores["metric"] == "correctness", ["configuration", "golden", "value"]].dropna()
    known: Any = {(name, golden): value for name, golden, value in rows.itertuples(index=False)}
    asked = reversed([*pool.asked["answer"].items()])
    return {item: 1 + 4 * known[key] for key, (item, *_) in asked if item and key in known}
