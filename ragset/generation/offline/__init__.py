"""Plain rules that stand in for a language model, one for each prompt: no key, no network, no cost.

They show the pipeline and do not make test sets. They are deterministic, what they write is grounded and extractive, and it
is labelled `offline` wherever a model is named. Rules that serve real runs as well live in `ragset.text.rules`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, signature
from typing import Any

from ragset.errors import PromptError
from ragset.generation.evolutions import EVOLUTIONS, WIDENING
from ragset.generation.offline import answer, critique, draft, queries
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import Reply
from ragset.settings import OFFLINE

RULES: dict[str, Callable[..., Reply]] = {
    "judge_chunk": critique.judge_chunk,
    "score_chunk": critique.score_chunk,
    "draft_open_query": partial(draft.draft, style="open"),
    "draft_factoid_query": partial(draft.draft, style="factoid"),
    "draft_exam_query": partial(draft.draft, style="exam"),
    "draft_keyphrase_query": draft.draft_keyphrase,
    "draft_unanswerable": draft.draft_unanswerable,
    "draft_multi_query": draft.draft_multi,
    **{evolution.prompt: queries.leave for evolution in (*EVOLUTIONS.values(), *WIDENING.values())},
    "evolve_compress": queries.compress,
    "judge_query": queries.judge_query,
    "rewrite_query": queries.leave,
    "same_query": queries.same_query,
    "judge_evolution": queries.judge_evolution,
    "split_query": queries.split_query,
    "compare_answers": answer.compare_answers,
    "answer_query": answer.answer_query,
    "answer_multi_query": answer.answer_multi,
    "critique_golden": critique.critique,
    "critique_query": critique.critique_query,
    "judge_support": critique.judge_support,
    "grade_passage": critique.grade_passage,
    "read_passages": answer.read_passages,
    "rerank_passages": answer.rerank_passages,
    "answer_closed_book": answer.answer_closed_book,
    "judge_answer": critique.judge_answer,
    "judge_faithfulness": critique.judge_faithfulness,
}
"""A rule for each prompt, by the prompt's name; its parameters are inputs of the prompt."""


def reply_by_rule(prompt: str, inputs: Mapping[str, Any]) -> Reply:
    """The rule's reply to the inputs of a prompt.

    Raises:
        PromptError: there is no rule for the prompt, or an input that the rule needs is missing.
    """
    if (rule := RULES.get(prompt)) is None:
        known = ", ".join(sorted(RULES))
        raise PromptError(f"prompt {prompt}: the offline rules do not know it; name a model, or use one of {known}")
    needed = [name for name, one in signature(rule).parameters.items() if one.default is Parameter.empty]
    if missing := next((name for name in needed if name not in inputs), None):
        raise PromptError(f"prompt {prompt}: the offline rule needs the input {missing!r}")
    return rule(**{name: tuple(inputs[name]) if isinstance(inputs[name], list) else inputs[name] for name in needed})


class Offline:
    """An `LLM` made of rules."""

    @property
    def model(self) -> str:
        """`offline`, as it stands in lineage, usage and reports."""
        return OFFLINE

    async def complete(self, request: Request) -> Completion:
        """As `reply_by_rule`, as JSON; the messages are not looked at."""
        return Completion(text=reply_by_rule(request.prompt, request.inputs).model_dump_json(), model=self.model)
