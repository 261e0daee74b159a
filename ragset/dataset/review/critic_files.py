"""What a calibration is written to: thresholds that runs take, and the critic's prompt with examples, for a person to accept."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.read import Dataset
from ragset.dataset.review.calibration import Calibration, judged_goldens, passes, thresholds_text
from ragset.dataset.review.guidelines import Guideline, load_guideline
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.llm.prompts import Prompt, load_prompt
from ragset.llm.prompts.translate import prompt_text
from ragset.models import Golden, Span
from ragset.settings.writing import ANYBODY
from ragset.text.context_window import surroundings

PROMPT = "critique_golden"
EACH = 2
"""Examples of goldens that the critic would keep and people call bad, and as many of the reverse."""

_SCORES = {
    "groundedness": ("wrong_answer", "incomplete_answer", "evidence_insufficient"),
    "relevance": ("not_worth_asking", "trivial"),
    "clarity": ("unclear", "several_questions", "unnatural"),
}
"""The reasons of the guideline for goldens that speak of each score."""
_BAD, _GOOD = 2, 5
_UNSAID = "Nobody objects."


def with_examples(prompt: Prompt, dataset: Dataset, found: Calibration, guideline: Guideline) -> Prompt | None:
    """The prompt in its next version, with examples at the end; None if there is nothing that it could learn.

    Reasons are the notes of people, or else what the guideline calls the reason. Goldens with notes and short texts come first.
    """
    goldens = {golden.id: golden for golden in dataset.goldens}
    examples: dict[bool, list[tuple[bool, int, str, dict[str, Any]]]] = {True: [], False: []}
    for item, (good, reviews) in judged_goldens(dataset, found.guideline).items():
        golden = goldens.get(item)
        if (
            golden is None
            or not golden.evidence
            or not golden.scores
            or passes(golden.scores, found.thresholds) == good
        ):
            continue
        inputs = _inputs(golden, dataset)
        if reply := _reply(golden, good, reviews, found.thresholds, guideline):
            unsaid = not any(review.note for review in reviews)
            examples[good].append((unsaid, len("".join(inputs["chunks"])), item, {"inputs": inputs, "reply": reply}))
    new = [example for of in examples.values() for *_, example in sorted(of, key=lambda one: one[:3])[:EACH]]
    before = prompt.model_dump()["examples"]
    return prompt.model_copy(update={"version": prompt.version + 1, "examples": (*before, *new)}) if new else None


def _inputs(golden: Golden, dataset: Dataset) -> dict[str, Any]:
    """What the critic was shown, as far as the dataset tells."""
    chunks = [Span.of_id(chunk) for chunk in golden.chunks] or [*golden.evidence]
    titles = dict.fromkeys(dataset.corpus[chunk.doc_id].title for chunk in chunks)
    beside = [surroundings(dataset.corpus[chunk.doc_id].text, chunk) for chunk in chunks]
    title = "; ".join(filter(None, titles))
    return {
        "audience": dataset.manifest.audience or ANYBODY,
        **({"title": title} if title else {}),
        "chunks": [dataset.corpus.text(chunk) for chunk in chunks],
        "before": [before for before, _ in beside],
        "after": [after for _, after in beside],
        "query": golden.query,
        "answer": golden.answer or "",
        "quotes": [dataset.corpus.text(span) for span in golden.evidence],
    }


def _reply(
    golden: Golden,
    good: bool,
    reviews: tuple[Review, ...],
    thresholds: Mapping[str, int],
    guideline: Guideline,
) -> dict[str, Any] | None:
    """The critique that people would have given; None where they do not say which score is wrong."""
    notes = " ".join(dict.fromkeys(review.note.strip() for review in reviews if review.note.strip()))
    reasons = dict.fromkeys(reason for review in reviews for reason in review.reasons)
    wrong: dict[str, str] = {}
    for name in _SCORES:
        said = [guideline.reasons.get(reason, reason) for reason in reasons if reason in _SCORES[name]]
        if good and golden.scores.get(name, _GOOD) < thresholds.get(name, 1):
            wrong[name] = notes or "People call it good as it is."
        elif not good and said:
            wrong[name] = notes or f"{'; '.join(said)}."
    if not wrong:
        return None
    needed = {"groundedness": {"needed": list(range(1, len(golden.evidence) + 1))}}

    def scored(name: str) -> dict[str, Any]:
        score = (_GOOD if good else _BAD) if name in wrong else golden.scores.get(name, _GOOD)
        return {"reason": wrong.get(name, _UNSAID), **needed.get(name, {}), "score": score}

    return {name: scored(name) for name in _SCORES}


_USED = re.compile(rf"{PROMPT}(?:\.([a-z]{{2}}))?@")


class CriticFiles(NamedTuple):
    """The files of a calibration."""

    thresholds: Path
    prompt: Path | None
    """None where people and critic agree, do not say why they differ, or the critic was asked with other prompts."""
    version: str
    """Of the proposed prompt, `name@version`."""


def write_critic_files(found: Calibration, dataset: Dataset, folder: Path, prompts: Path | None = None) -> CriticFiles:
    """Write `thresholds.yaml` and `prompts/critique_golden.md` into `folder`.

    `prompts` is the user's own folder of prompts, which is only read. Raises InputError rather than replace a proposal that
    somebody may have corrected.
    """
    texts = {folder / "thresholds.yaml": thresholds_text(found, dataset.folder.name)}
    if proposed := _proposed(found, dataset, prompts):
        suffix = "" if proposed.language == "en" else f".{proposed.language}"
        texts[folder / "prompts" / f"{proposed.name}{suffix}.md"] = prompt_text(proposed)
    thresholds, *prompt = texts
    try:
        for path in prompt:
            if path.exists() and path.read_text(encoding="utf-8") != texts[path]:
                raise InputError(f"{path}: holds another proposal, or was corrected; name another folder with --out")
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror}); name another folder with --out") from None
    return CriticFiles(thresholds, prompt[0] if prompt else None, proposed.key if proposed else "")


def _proposed(found: Calibration, dataset: Dataset, prompts: Path | None) -> Prompt | None:
    used = [match for golden in dataset.goldens for step in golden.lineage if (match := _USED.match(step.prompt))]
    if not used:
        return None
    prompt = load_prompt(PROMPT, used[0][1] or "en", prompts)
    return with_examples(prompt, dataset, found, load_guideline(found.guideline.partition("@")[0], prompts))
