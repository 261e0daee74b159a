"""A golden as a test case: what a system returns for it is scored, recorded and asserted."""

import hashlib
import re
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from ragset.dataset.relevance.qrels import gold_of, grades_of
from ragset.errors import InputError
from ragset.evaluation.critic import Judged, in_event_loop, judge_answers, judged_by
from ragset.evaluation.goldens import TestSet
from ragset.evaluation.metrics.registry import find_metric
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.results.folder import golden_digests
from ragset.evaluation.scoring import score_retrieval, token_counter
from ragset.evaluation.systems.alignment import align_replies
from ragset.evaluation.systems.functions import FunctionSystem
from ragset.evaluation.systems.replies import read_reply
from ragset.llm.protocol import LLM
from ragset.models import Golden
from ragset.settings import ModelSettings

Record = Callable[[str, dict[str, float]], None]
"""Takes a golden's id and its scores."""


class GoldenSet:
    """The goldens of a test set, with what scoring them one by one needs once."""

    def __init__(self, of: TestSet, critic: ModelSettings) -> None:
        self.of = of
        self.critic = critic
        self.read = FunctionSystem(_nothing, None, of.corpus).passages
        self.gold = gold_of(of.goldens, of.corpus)
        self.tokens = token_counter(of.corpus)
        self.documents = {golden: str(document) for golden, document in clusters_of(of.goldens).items()}
        """By golden, the document that it is drawn with."""
        self.contents = golden_digests(of.goldens, of.corpus)
        """By golden, a digest of what its scores depend on."""


class GoldenCase:
    """One golden, and what a system makes of it. Each score is recorded for the summary and for JUnit."""

    def __init__(self, golden: Golden, among: GoldenSet, record: Record) -> None:
        self.golden = golden
        self.id, self.query, self.answer, self.kind = golden.id, golden.query, golden.answer, golden.kind
        self._among = among
        self._record = record

    @property
    def passages(self) -> list[str]:
        """The texts of the evidence."""
        return [self._among.of.corpus.text(span) for span in self.golden.evidence]

    def score(
        self, passages: Any, metrics: Collection[str] = ("hit_rate@5", "mrr", "recall@512tokens")
    ) -> dict[str, float]:
        """Metrics of retrieval, of passages as `ragset.evaluate` takes them; none where the golden has no evidence."""
        cutoffs, budgets = [1], list[int]()
        for name in metrics:
            metric, size = find_metric(name) or (None, 0)
            if metric is None or metric.needs not in {"chunks", "spans", "tokens"}:
                raise InputError(
                    f"{name!r} is no metric of retrieval; choose one such as hit_rate@5, mrr, recall@512tokens"
                )
            (budgets if metric.needs == "tokens" else cutoffs).append(size or 1)
        reply = read_reply({"passages": self._among.read(passages)})
        of = self._among.of
        ranked = align_replies({self.id: reply}, [self.golden], of.corpus, {})
        scores = score_retrieval(
            ranked.hits,
            {self.id: self._among.gold[self.id]} if self.golden.evidence else {},
            None,
            cutoffs=cutoffs,
            budgets=budgets,
            tokens=self._among.tokens,
            grades=grades_of([self.golden]),
        )
        return self._recorded({one.metric: one.value for one in scores if one.metric in metrics})

    def score_answer(self, answer: str | None, passages: Any = ()) -> dict[str, float]:
        """Every metric of an answer (None: the system abstained): by words, and by the critic if one is named."""
        reply = read_reply({"passages": self._among.read(passages), "answer": answer})
        of = self._among.of._replace(goldens=(self.golden,))
        ranked = align_replies({self.id: reply}, of.goldens, of.corpus, {})

        def work(llm: LLM | None) -> Awaitable[Judged]:
            return judge_answers(ranked, of, llm, answers=True, diagnosis=False)

        judged = in_event_loop(judged_by(self._among.critic, f"test {of.name}", work))
        return self._recorded({one.metric: one.value for one in judged.scores})

    def assert_hit(self, passages: Sequence[Any], k: int = 5) -> None:
        """Raise AssertionError if no relevant passage is among the first `k`; a golden without evidence asks for none."""
        name = f"hit_rate@{k}"
        if self.score(passages, (name,)).get(name) == 0:
            raise AssertionError(f"none of the first {k} passages holds evidence{self._wanted()}")

    def assert_recall(self, passages: Sequence[Any], tokens: int = 512, at_least: float = 1.0) -> None:
        """Raise AssertionError if the first `tokens` hold less of the evidence; a golden without evidence asks for none."""
        name = f"recall@{tokens}tokens"
        if (found := self.score(passages, (name,)).get(name, 1.0)) < at_least:
            told = f"the first {tokens} tokens hold {found:.0%} of the evidence, and should hold {at_least:.0%}"
            raise AssertionError(told + self._wanted())

    def assert_answer(self, answer: str | None, passages: Any = (), at_least: float = 0.5, metric: str = "") -> None:
        """Raise AssertionError if the answer scores less, in `correctness` with a critic and in `token_f1` without.

        Where the documents hold no answer, one that abstains is right.
        """
        scores = self.score_answer(answer, passages)
        if not scores:
            raise InputError("answers to a corpus-wide query are graded by a critic that is a model; name one")
        known = ("correctness", "token_f1", "abstention", "assertions_met")
        name = metric or next((one for one in known if one in scores), "attempted")
        if name not in scores:
            raise InputError(f"{name!r} is not scored here; choose one of {', '.join(scores)}")
        if scores[name] < at_least:
            wanted = f"the reference: {self.answer!r}" if self.answer else "the documents hold no answer"
            raise AssertionError(
                f"{name} is {scores[name]:.2f}, below {at_least:g}\nquery: {self.query}\nanswer: {answer!r}\n{wanted}"
            )

    def _wanted(self) -> str:
        texts = (" ".join(text.split())[:200] for text in self.passages)
        return "\n".join([f"\nquery: {self.query}", *(f"evidence: {text}" for text in texts)])

    def _recorded(self, scores: dict[str, float]) -> dict[str, float]:
        self._record(self.id, scores)
        return scores

    def __repr__(self) -> str:
        return f"<golden {self.id}: {self.query}>"


def _nothing(_: str) -> list[str]:
    return []


def case_ids(goldens: Sequence[Golden]) -> list[str]:
    """A readable and unique id for each: the words of its query, and of queries alike a part of the golden's id too."""
    slugs = [_slug(golden.query) or golden.id for golden in goldens]
    return [
        slug if slugs.count(slug) == 1 else f"{slug}-{hashlib.sha256(golden.id.encode()).hexdigest()[:6]}"
        for slug, golden in zip(slugs, goldens, strict=True)
    ]


def _slug(query: str) -> str:
    plain = unicodedata.normalize("NFKD", query).encode("ascii", "ignore").decode()
    # In other scripts little would be left.
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:60].strip("-") if 2 * len(plain) > len(query) else ""
