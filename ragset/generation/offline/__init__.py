"""Plain rules that stand in for a language model, one for each prompt: no key, no network, no cost.

They show the pipeline and do not make test sets. They are deterministic, what they write is grounded and extractive, and it
is labelled `offline` wherever a model is named. Rules that serve real runs as well live in `ragset.text.rules`.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from ragset.errors import PromptError
from ragset.generation.offline.answer import answer_multi, answer_query, judge_sufficiency, relevant_chunks
from ragset.generation.offline.chunks import judge_chunk, score_chunk
from ragset.generation.offline.critique import (
    critique,
    groundedness,
    judge_answer,
    judge_faithfulness,
    judge_support,
    relevance,
)
from ragset.generation.offline.draft import draft, draft_keyphrase, draft_multi, draft_unanswerable, evolve_multi
from ragset.generation.offline.evolve import broaden, compress, judge_evolution, leave, same_query
from ragset.generation.offline.queries import clarity, judge_query, rewrite_query, split_query
from ragset.generation.offline.reading import answer_closed_book, read_passages, rerank_passages
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import Reply
from ragset.settings import OFFLINE

_Rule = Callable[[Mapping[str, Any]], Reply]
"""Of the inputs of a prompt: texts, and tuples of texts."""

_LEFT = "generalise reasoning conditional constraints deepen concretise more_steps complicate_input".split()  # noqa: SIM905
"""Evolutions that the rules leave alone."""

RULES: dict[str, _Rule] = {
    "judge_chunk": lambda given: judge_chunk(given["chunk"]),
    "score_chunk": lambda given: score_chunk(given["chunk"]),
    "draft_open_query": lambda given: draft(given["chunk"], "open"),
    "draft_factoid_query": lambda given: draft(given["chunk"], "factoid"),
    "draft_exam_query": lambda given: draft(given["chunk"], "exam"),
    "draft_keyphrase_query": lambda given: draft_keyphrase(given["chunk"]),
    "draft_unanswerable": lambda given: draft_unanswerable(given["chunk"]),
    "draft_multi_query": lambda given: draft_multi(_several(given["chunks"]), given["shape"]),
    **{f"evolve_{kind}": lambda _: leave() for kind in _LEFT},
    "evolve_broaden": lambda given: broaden(given["chunk"], given["query"]),
    "evolve_compress": lambda given: compress(given["query"]),
    "evolve_multi_context": lambda given: evolve_multi(given["chunk"], given["second"], given["query"]),
    "judge_query": lambda given: judge_query(given["query"]),
    "rewrite_query": lambda _: rewrite_query(),
    "same_query": lambda given: same_query(given["query"], given["evolved"]),
    "judge_evolution": lambda given: judge_evolution(_several(given["chunks"]), given["query"]),
    "split_query": lambda given: split_query(_several(given["chunks"]), given["query"]),
    "relevant_chunks": lambda given: relevant_chunks(_several(given["chunks"]), given["query"]),
    "judge_sufficiency": lambda given: judge_sufficiency(_several(given["chunks"]), given["query"]),
    "answer_query": lambda given: answer_query(given["chunk"], given["query"]),
    "answer_multi_query": lambda given: answer_multi(_several(given["chunks"]), given["query"]),
    "critique_golden": lambda given: critique(given["audience"], given["chunk"], given["query"], given["answer"]),
    "critique_groundedness": lambda given: groundedness(given["chunk"], given["query"], given["answer"]),
    "critique_relevance": lambda given: relevance(given["audience"], given["query"], given["chunk"]),
    "critique_clarity": lambda given: clarity(given["query"]),
    "judge_support": lambda given: judge_support(given["query"], given["answer"], _several(given["chunks"])),
    "read_passages": lambda given: read_passages(_several(given["chunks"]), given["query"]),
    "rerank_passages": lambda given: rerank_passages(_several(given["chunks"]), given["query"]),
    "answer_closed_book": lambda _: answer_closed_book(),
    "judge_answer": lambda given: judge_answer(given["query"], given["reference"], given["answer"]),
    "judge_faithfulness": lambda given: judge_faithfulness(_several(given["chunks"]), given["answer"]),
}
"""A rule for each prompt, by the prompt's name."""


class Offline:
    """An `LLM` made of rules."""

    @property
    def model(self) -> str:
        """`offline`, as it stands in lineage, usage and reports."""
        return OFFLINE

    async def complete(self, request: Request) -> Completion:
        """The rule's reply to the inputs of the request, as JSON; the messages are not looked at.

        Raises:
            PromptError: there is no rule for the prompt, or an input that the rule needs is missing.
        """
        rule = RULES.get(request.prompt)
        if rule is None:
            raise PromptError(
                f"prompt {request.prompt}: the offline rules do not know it; name a model, or use one of "
                + ", ".join(sorted(RULES))
            )
        try:
            reply = rule(_texts(request.inputs))
        except KeyError as error:
            raise PromptError(f"prompt {request.prompt}: the offline rule needs the input {error}") from None
        return Completion(text=reply.model_dump_json(), model=self.model)


def _texts(inputs: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    return {
        name: _several(cast("list[Any]", value)) if isinstance(value, list | tuple) else str(value)
        for name, value in inputs.items()
    }


def _several(texts: Any) -> tuple[str, ...]:
    """One text is a list of one."""
    return (texts,) if isinstance(texts, str) else tuple(str(text) for text in texts)
