"""Reranking of retrieved passages, by a cross-encoder on this machine or by a language model."""

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ragset.errors import InputError
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import Ranking
from ragset.retrieval.embedding.local import load_local_model

STAGE, PROMPT = "rerank", "rerank_passages"
MOST = 30  # passages that a language model ranks; the others follow in the order of their retrieval
LONGEST = 2_000  # characters of a passage that a language model is shown

_logger = logging.getLogger(__name__)


class Reranking(NamedTuple):
    """Scores of passages, in the order in which they were given."""

    scores: list[float]  # higher is better; equals stay as they were retrieved
    unfit: Unfit | None = None  # why there is no new order: then the scores are those of the retrieved one


class CrossEncoder:
    """A sentence-transformers cross-encoder by name or folder, loaded once; it cuts texts that are too long for it."""

    def __init__(self, model: str, batch_size: int = 32) -> None:
        self._what = f"reranker cross-encoder:{model}"
        self._model = load_local_model(self._what, "CrossEncoder", model)
        self._batch_size = batch_size
        self._lock = threading.Lock()

    async def rerank(self, query: str, texts: Sequence[str]) -> Reranking:
        """The model's score of each of `texts` with the query."""
        return Reranking(await asyncio.to_thread(self._scores, query, texts) if texts else [])

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        pairs = [(query, text) for text in texts]
        with self._lock:  # tokenizers are not safe to share between threads
            options = {"batch_size": self._batch_size, "show_progress_bar": False, "convert_to_numpy": True}
            scores = np.asarray(self._model.predict(pairs, **options), dtype=np.float64)
        if scores.shape != (len(texts),):
            shape = f"this one gives numbers of shape {scores.shape} for {len(texts)}"
            raise InputError(f"{self._what}: a model with one score a passage is needed; {shape}")
        if not np.isfinite(scores).all():
            raise InputError(f"{self._what}: a score is not a finite number; take another model")
        return scores.tolist()


@dataclass(frozen=True)
class LLMReranker:
    """A language model that is shown the first passages together and ranks them."""

    prompt: Prompt
    llm: LLM

    async def rerank(self, query: str, texts: Sequence[str]) -> Reranking:
        """Scores of `texts`, which come best first: from 1, for the first in the model's order, down to 1/n."""
        shown = [text[:LONGEST] for text in texts[:MOST]]
        retrieved = range(1, len(texts) + 1)
        if len(shown) < 2:
            return Reranking(_falling(retrieved))
        values: dict[str, object] = {"chunks": shown, "query": query}
        check = partial(complain_of_order, count=len(shown))
        ranking = await ask(self.llm, self.prompt, Ranking, values, stage=STAGE, check=check)
        if isinstance(ranking, Unfit):
            _logger.info("%s passages keep the order of their retrieval: %s", len(texts), ranking.reason)
            return Reranking(_falling(retrieved), ranking)
        return Reranking(_falling([*ranking.order, *retrieved[len(shown) :]]))


def complain_of_order(reply: Ranking, count: int) -> Complaint | None:
    """What a model should mend: numbers that are missing, there twice, or of no passage."""
    times, numbers = Counter(reply.order), range(1, count + 1)
    faults = {
        "missing": [number for number in numbers if not times[number]],
        "there more than once": [number for number in numbers if times[number] > 1],
        "of no passage": sorted(number for number in times if number not in numbers),
    }
    found = [f"{', '.join(map(str, wrong))} {fault}" for fault, wrong in faults.items() if wrong]
    if not found:
        return None
    return Complaint(reason="wrong_order", message=f"Give each number from 1 to {count} once: {'; '.join(found)}.")


def _falling(order: Sequence[int]) -> list[float]:
    """A score for each passage by its place in `order`."""
    places = {number: place for place, number in enumerate(order)}
    return [1 - places[number] / len(order) for number in range(1, len(order) + 1)]
