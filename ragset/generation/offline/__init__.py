"""Plain rules that stand in for a language model, one for each prompt: no key, no network, no cost.

They are deterministic, and what they write is grounded and extractive; it is labelled `offline` wherever a
model is named.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from ragset.errors import PromptError
from ragset.generation.offline.answer import answer_query
from ragset.generation.offline.context_answer import answer_multi, judge_sufficiency, relevant_chunks
from ragset.generation.offline.context_draft import draft_multi, evolve_multi
from ragset.generation.offline.critique import clarity, critique, groundedness, relevance
from ragset.generation.offline.draft import draft, draft_keyphrase
from ragset.generation.offline.evolve import evolve
from ragset.generation.offline.evolved import judge_evolution, same_query
from ragset.generation.offline.judge import judge_chunk
from ragset.generation.offline.judging import (
    answer_closed_book,
    judge_answer,
    judge_faithfulness,
    read_passages,
    rerank_passages,
)
from ragset.generation.offline.scoring import score_chunk
from ragset.generation.offline.screening import judge_query, rewrite_query
from ragset.generation.offline.split import split_query
from ragset.generation.offline.support import judge_support
from ragset.generation.offline.unanswerable import draft_unanswerable
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import Reply
from ragset.settings import OFFLINE

_Rule = Callable[[Mapping[str, Any]], Reply]
"""Of the inputs of a prompt: texts, and tuples of texts."""

RULES: dict[str, _Rule] = {
    "judge_chunk": lambda given: judge_chunk(given["chunk"]),
    "score_chunk": lambda given: score_chunk(given["chunk"]),
    "draft_open_query": lambda given: draft(given["chunk"], "open"),
    "draft_factoid_query": lambda given: draft(given["chunk"], "factoid"),
    "draft_exam_query": lambda given: draft(given["chunk"], "exam"),
    "draft_keyphrase_query": lambda given: draft_keyphrase(given["chunk"]),
    "evolve_generalise": lambda given: evolve(given["chunk"], given["query"], "generalise"),
    "evolve_reasoning": lambda given: evolve(given["chunk"], given["query"], "reasoning"),
    "evolve_conditional": lambda given: evolve(given["chunk"], given["query"], "conditional"),
    "evolve_constraints": lambda given: evolve(given["chunk"], given["query"], "constraints"),
    "evolve_deepen": lambda given: evolve(given["chunk"], given["query"], "deepen"),
    "evolve_concretise": lambda given: evolve(given["chunk"], given["query"], "concretise"),
    "evolve_more_steps": lambda given: evolve(given["chunk"], given["query"], "more_steps"),
    "evolve_complicate_input": lambda given: evolve(given["chunk"], given["query"], "complicate_input"),
    "evolve_broaden": lambda given: evolve(given["chunk"], given["query"], "broaden"),
    "evolve_compress": lambda given: evolve(given["chunk"], given["query"], "compress"),
    "judge_query": lambda given: judge_query(given["query"]),
    "rewrite_query": lambda given: rewrite_query(given["chunk"], given["query"]),
    "same_query": lambda given: same_query(given["query"], given["evolved"]),
    "judge_evolution": lambda given: judge_evolution(_several(given["chunks"]), given["query"]),
    "answer_query": lambda given: answer_query(given["chunk"], given["query"]),
    "critique_golden": lambda given: critique(given["audience"], given["chunk"], given["query"], given["answer"]),
    "critique_groundedness": lambda given: groundedness(given["chunk"], given["query"], given["answer"]),
    "critique_relevance": lambda given: relevance(given["audience"], given["query"], given["chunk"]),
    "critique_clarity": lambda given: clarity(given["query"]),
    "draft_multi_query": lambda given: draft_multi(_several(given["chunks"]), given["shape"]),
    "split_query": lambda given: split_query(_several(given["chunks"]), given["query"]),
    "relevant_chunks": lambda given: relevant_chunks(_several(given["chunks"]), given["query"]),
    "judge_sufficiency": lambda given: judge_sufficiency(_several(given["chunks"]), given["query"]),
    "answer_multi_query": lambda given: answer_multi(_several(given["chunks"]), given["query"]),
    "evolve_multi_context": lambda given: evolve_multi(given["chunk"], given["second"], given["query"]),
    "judge_support": lambda given: judge_support(given["query"], given["answer"], _several(given["chunks"])),
    "draft_unanswerable": lambda given: draft_unanswerable(given["chunk"]),
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
