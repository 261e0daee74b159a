"""Drafts the first query of a chunk, in one of several styles, with its answer."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ragset.errors import InputError
from ragset.generation.personas import PERSONA, SAMPLES, complain_of_writing_style
from ragset.generation.stage import Case, Question, RefusedError
from ragset.generation.stages.answer import with_answer_of_draft
from ragset.generation.stages.judge_query import complain_of_form, complain_of_query, complain_of_written
from ragset.generation.styles import FACTOID, SHAPE_PROMPT, STYLES
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint
from ragset.llm.prompts import Prompt
from ragset.llm.replies import KeyphraseDraft, NearMiss, Reply
from ragset.models import UNANSWERABLE, Candidate, Chunk
from ragset.settings import OFFLINE, AnyWriting, WritingSettings
from ragset.text.query_forms import QueryForm
from ragset.text.rules.tables import small_words
from ragset.text.sentences import below_headings, sure_sentences
from ragset.text.words import MARKS, tokenise

NOTHING = "nothing_to_ask"
KEPT_OF_TITLED = 0.5
"""The share that is kept of the queries that name their document by its whole title.

Any embedding finds the document by it. Models name it more often than people do, and such queries rank systems worse
(docs/validity.md).
"""
_WORD = re.compile(rf"[\w{MARKS}]+(?:[-.,'’][\w{MARKS}]+)*")
NEAR_MISS = Question("draft_unanswerable", "generator", NearMiss)


def styled(style: str) -> Question[Reply]:
    """The question for a query of that style."""
    return Question(STYLES[style].prompt, "generator", Reply)


def check_style_inputs(prompts: Mapping[str, Prompt], writing: AnyWriting) -> None:
    """Return if every drafting prompt can show the personas and samples asked for.

    Raises:
        InputError: a prompt of the user's own, or a language variant, cannot; the message says what to write into it.
    """
    wanted = [PERSONA] * bool(writing.personas) + [SAMPLES] * bool(writing.samples)
    drafting = {SHAPE_PROMPT, *(style.prompt for style in STYLES.values())}
    for prompt in (prompt for name, prompt in prompts.items() if name in drafting):
        if missing := [field for field in wanted if field not in (*prompt.inputs, *prompt.optional)]:
            raise InputError(
                f"prompt {prompt.key}: has no place for {' and '.join(missing)}, which writing asks for; name them in "
                "`optional` and show them, as the built-in prompt in English does"
            )


async def draft_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that its chunk answers, or nearly answers; seed and chunk decide style and kind."""
    setup, first = case.setup, candidate.chunks[0].id
    assert isinstance(setup.writing, WritingSettings)
    weights = {"near miss": setup.unanswerable, "query": 1 - setup.unanswerable}
    if choose(weights, setup.seed, "unanswerable", first) == "near miss":
        try:
            return await draft_near_miss(candidate, case)
        except RefusedError as refused:
            # A chunk that lends itself to no near miss is asked about like any other.
            if refused.reject.reason != NOTHING:
                raise
    style, form = setup.style(first), setup.form(first)
    try:
        return await draft_in_style(candidate, case, style, form)
    except RefusedError as refused:
        # A passage that explains nothing may still state a fact.
        if refused.reject.reason != NOTHING or style == FACTOID or not setup.styles(first).get(FACTOID):
            raise
    return await draft_in_style(candidate, case, FACTOID)


async def draft_in_style(candidate: Candidate, case: Case, style: str, form: QueryForm | None = None) -> Candidate:
    """The candidate with a query that its first chunk alone answers and that stands without it, and with its answer.

    A query that is not in the form asked for is asked for once more, and kept if it stays so.
    """
    imitated, language = case.style_of(candidate), case.language_of(candidate)
    form_to_mend = case.models.generator.model != OFFLINE  # rules cannot

    def check(reply: Reply) -> Complaint | None:
        nonlocal form_to_mend
        complaint = complain_of_written(query_of(reply), language, imitated, candidate.texts[:1])
        # One or two key phrases leave no choice, and more than five are no key.
        if not complaint and isinstance(reply, KeyphraseDraft) and reply.query and not 3 <= len(reply.keyphrases) <= 5:
            message = f"You gave {len(reply.keyphrases)} key phrases. Give three to five."
            complaint = Complaint(reason="keyphrases", message=message)
        if not complaint and query_of(reply) and form_to_mend:
            complaint = complain_of_form(query_of(reply), language, style, form)
        form_to_mend = False
        return complaint

    inputs = {**_shown(candidate, case), **imitated.inputs, **({"form": str(form)} if form else {})}
    draft = await case.ask(candidate, styled(style), inputs, check)
    facts: dict[str, Any] = {"style": style, **imitated.metadata}
    if isinstance(draft, KeyphraseDraft):
        facts["keyphrases"] = list(draft.keyphrases)
    made = drafted(candidate, case, styled(style), draft, style, facts)
    _thin_out_titled(made, case)
    return with_answer_of_draft(made, case, styled(style), draft)


def _thin_out_titled(candidate: Candidate, case: Case) -> None:
    """Raises the refusal of a query with all words of the document's title, for some of the chunks."""
    title, first = candidate.chunks[0].title, candidate.chunks[0].id
    words = {*tokenise(title)}
    if not words or not words <= {*tokenise(candidate.query)}:
        return
    weights = {"keep": KEPT_OF_TITLED, "drop": 1 - KEPT_OF_TITLED}
    if choose(weights, case.setup.seed, "title", first) == "drop":
        raise case.refused(candidate, "names_title", f'It names "{title}"; of such queries only some are kept.')


async def draft_near_miss(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that its chunk nearly answers, and `metadata["unanswerable"]` on what is missing."""
    chunk = candidate.chunks[0]
    imitated, language = case.style_of(candidate), case.language_of(candidate)

    def check(reply: NearMiss) -> Complaint | None:
        complaint = complain_of_query(reply.query, language)
        if not complaint and query_of(reply) and not reply.missing.strip():
            message = "Say in `missing` what the passage lacks to answer the query."
            complaint = Complaint(reason="nothing_missing", message=message)
        passages = (chunk.text, reply.missing)
        return complaint or complain_of_writing_style(reply.query, imitated, passages, language or "en")

    draft = await case.ask(candidate, NEAR_MISS, {**_shown(candidate, case), **imitated.inputs}, check)
    facts = {UNANSWERABLE: {"missing": draft.missing.strip(), "near": chunk.id}, **imitated.metadata}
    return drafted(candidate, case, NEAR_MISS, draft, "near_miss", facts)


def _shown(candidate: Candidate, case: Case) -> dict[str, str]:
    chunk, setup, language = candidate.chunks[0], case.setup, case.language_of(candidate)
    audience = setup.writing.audience or setup.portrait
    focus = _focus(chunk, language, setup.seed)
    point = _point(focus, language, setup.seed, chunk.id)
    shown = {"chunk": chunk.text, "title": chunk.section, "focus": focus, "point": point}
    return {**shown, **({"audience": audience} if audience else {})}


def _focus(chunk: Chunk, language: str, seed: int) -> str:
    """The sentence at a random place of the chunk, not of a block of code; empty where there is one alone.

    Without it models ask for what a passage says most, while people also ask for details, which are harder to find.
    """
    edges = [0, *sure_sentences(chunk.text, language or "en"), len(chunk.text)]
    parts = (chunk.text[below_headings(chunk.text, start, end) : end].strip() for start, end in pairwise(edges))
    sentences = [part for part in parts if part and "```" not in part]
    if len(sentences) < 2:
        return ""
    return _drawn(sentences, map(len, sentences), seed, "focus", chunk.id)


def _point(sentence: str, language: str, seed: int, key: str) -> str:
    """A random word of the sentence, but no function word where there are others: what it tells there is asked for.

    Without it models ask for what a sentence is about, while people also ask for what it tells in passing.
    """
    table = small_words(language)
    words = [word for word in _WORD.findall(sentence) if word.casefold() not in table.function | table.empty]
    words = words or [sentence]
    return _drawn(words, [1] * len(words), seed, "point", key)


def _drawn(texts: Sequence[str], weights: Iterable[float], *case: object) -> str:
    """One of the texts, by weight, the same for the same case; some may be there twice."""
    return texts[int(choose({str(at): weight for at, weight in enumerate(weights)}, *case))]


def query_of(reply: Any) -> str:
    """The query of a draft; empty where there is none."""
    return (reply.query or "").strip()


def drafted(
    candidate: Candidate, case: Case, question: Question[Any], draft: Any, kind: str, facts: Mapping[str, Any]
) -> Candidate:
    """The candidate with the query of the draft, and `facts` in its metadata; refused where there is none."""
    query = query_of(draft)
    if not query:
        raise case.refused(candidate, NOTHING, draft.reason)
    metadata = {**candidate.metadata, **facts}
    return candidate.grown(case.step(question, kind, query), query=query, metadata=metadata)
