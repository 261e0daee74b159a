"""Makes a corpus-wide query of a theme: the claims of its passages, a query with assertions drawn from them, each confirmed."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ragset.generation.stage import Case, Question
from ragset.generation.stages.draft import drafted
from ragset.generation.stages.judge_query import complain_of_query
from ragset.llm.ask import Complaint
from ragset.llm.gather import gather_all
from ragset.llm.replies import AssertionVerdicts, CorpusQueryDraft, PassageClaims
from ragset.models import Assertion, Candidate, Chunk
from ragset.settings import ThemeWritingSettings
from ragset.text.context_window import text_of
from ragset.text.quotes import locate, merge, whole_sentences

LIST = Question("list_passage_claims", "generator", PassageClaims)
DRAFT = Question("draft_corpus_query", "generator", CorpusQueryDraft)
JUDGE = Question("judge_assertions", "critic", AssertionVerdicts)
GROUP = 8
"""Passages in one call for claims."""
_REDRAFTS = 2  # times that a draft is mended by what a rule says of it


async def list_claims(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with what its passages claim, each with a quote; claims whose quote is not in the passage are left out."""
    chunks = candidate.chunks
    groups = [chunks[first : first + GROUP] for first in range(0, len(chunks), GROUP)]
    claims = tuple(
        one for found in await gather_all(*(_claims(candidate, one, case) for one in groups)) for one in found
    )
    documents = {document for claim in claims for document in claim.documents}
    if len(documents) < _settings(case).min_documents:
        raise case.refused(candidate, "few_documents", f"{len(claims)} claims of {len(documents)} documents")
    return candidate.grown(case.step(LIST), assertions=claims)


async def draft_corpus_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that its documents answer together, and assertions with the evidence of their claims."""
    claims, settings, language = candidate.assertions, _settings(case), case.language_of(candidate)
    letters = document_letters(candidate)

    def check(draft: CorpusQueryDraft) -> Complaint | None:
        if not (draft.query or "").strip():
            return None
        supports = _supports(draft, claims)
        bare = [number for number, (statement, of) in enumerate(supports, start=1) if not (statement.strip() and of)]
        if bare:
            message = f"Assertion {bare[0]} has no statement, or names no claim by its number, 1 to {len(claims)}."
            return Complaint(reason="wrong_claims", message=message)
        return complain_of_query(draft.query, language) or _complain(
            [_assertion(*one) for one in supports], settings, letters
        )

    inputs = {
        "claims": [claim.statement for claim in claims],
        "documents": [letters[claim.evidence[0].doc_id] for claim in claims],
        "count": str(settings.min_assertions),
        "spread": str(settings.min_documents),
        "audience": case.setup.audience,
    }
    draft = await case.ask(candidate, DRAFT, inputs, check, complaints=_REDRAFTS)
    made = drafted(candidate, case, DRAFT, draft, "corpus-wide", {})
    return made.model_copy(update={"assertions": tuple(_assertion(*one) for one in _supports(draft, claims))})


async def confirm_assertions(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with the assertions that the critic finds proven and called for, each with the quotes that prove it.

    `metadata["dropped_assertions"]` has the others with the critic's reasons. Refused where what is left is too little, or of
    too few documents, or where one document answers most of it.
    """
    settings, letters = _settings(case), document_letters(candidate)
    quotes = [whole_sentences(one.evidence, candidate.chunks) for one in candidate.assertions]
    titles = {chunk.doc_id: chunk.title for chunk in candidate.chunks}
    inputs = {
        "query": candidate.query,
        "assertions": [one.statement for one in candidate.assertions],
        "support": [[text_of(quote, candidate.chunks) for quote in of] for of in quotes],
        "documents": [[f"{letters[quote.doc_id]}: {titles[quote.doc_id]}" for quote in of] for of in quotes],
    }

    def check(reply: AssertionVerdicts) -> Complaint | None:
        if sorted(one.assertion for one in reply.assertions) != [*range(1, len(quotes) + 1)]:
            message = f"assertions: give one entry for each of the numbers from 1 to {len(quotes)}."
            return Complaint(reason="wrong_assertions", message=message)
        wrong = [
            one for one in reply.assertions if not {*one.quotes} <= {*range(1, len(quotes[one.assertion - 1]) + 1)}
        ]
        if not wrong:
            return None
        last = len(quotes[wrong[0].assertion - 1])
        message = f"Assertion {wrong[0].assertion} has the quotes 1 to {last}; name those of them that prove it."
        return Complaint(reason="wrong_quotes", message=message)

    reply = await case.ask(candidate, JUDGE, inputs, check)
    if not reply.whole:
        raise case.refused(candidate, "not_corpus_wide", reply.reason)
    kept: list[Assertion] = []
    dropped: list[dict[str, str]] = []
    for verdict in sorted(reply.assertions, key=lambda one: one.assertion):
        one, of = candidate.assertions[verdict.assertion - 1], quotes[verdict.assertion - 1]
        if verdict.quotes and verdict.vital:
            kept.append(Assertion(statement=one.statement, evidence=merge(of[number - 1] for number in verdict.quotes)))
        else:
            why = "not_called_for" if verdict.quotes else "not_proven"
            dropped.append({"statement": one.statement, "reason": f"{why}: {verdict.reason}"})
    if fault := _complain(kept, settings, letters):
        told = "; ".join([fault.message, *(f"{one['reason']} ({one['statement']})" for one in dropped)])
        raise case.refused(candidate, fault.reason, told)
    used = [span for one in kept for span in one.evidence]
    # Best supported first: a reader of the report sees what the documents agree on.
    kept.sort(key=lambda one: -len(one.documents))
    return candidate.grown(
        case.step(JUDGE, f"{len(kept)} of {len(quotes)}"),
        assertions=tuple(kept),
        answer="\n".join(one.statement for one in kept),
        chunks=tuple(chunk for chunk in candidate.chunks if any(span.overlap(chunk) for span in used)),
        metadata={**candidate.metadata, **({"dropped_assertions": dropped} if dropped else {})},
    )


def _settings(case: Case) -> ThemeWritingSettings:
    assert isinstance(case.setup.writing, ThemeWritingSettings)
    return case.setup.writing


def document_letters(candidate: Candidate) -> dict[str, str]:
    """What the models call each document: A to Z, then A1 to Z1 and so on."""
    documents = [*dict.fromkeys(chunk.doc_id for chunk in candidate.chunks)]
    return {document: chr(ord("A") + place % 26) + str(place // 26 or "") for place, document in enumerate(documents)}


async def _claims(candidate: Candidate, chunks: Sequence[Chunk], case: Case) -> list[Assertion]:
    inputs = {"chunks": [chunk.text for chunk in chunks], "titles": [chunk.section for chunk in chunks]}
    reply = await case.ask(candidate, LIST, inputs)
    found: list[Assertion] = []
    for one in reply.claims:
        spans = locate(one.quote, chunks[one.chunk - 1]) if 1 <= one.chunk <= len(chunks) else ()
        if spans and one.claim.strip():
            found.append(Assertion(statement=one.claim.strip(), evidence=spans))
    return found


def _supports(draft: CorpusQueryDraft, claims: Sequence[Assertion]) -> list[tuple[str, list[Assertion]]]:
    """Each statement with the claims that it names."""
    return [
        (one.statement, [claims[n - 1] for n in dict.fromkeys(one.claims) if 1 <= n <= len(claims)])
        for one in draft.assertions
    ]


def _assertion(statement: str, claims: Sequence[Assertion]) -> Assertion:
    return Assertion(statement=statement.strip(), evidence=merge(span for claim in claims for span in claim.evidence))


def _complain(
    assertions: Sequence[Assertion], settings: ThemeWritingSettings, letters: Mapping[str, str]
) -> Complaint | None:
    """What keeps the assertions from being an answer that only many documents give."""
    number, supported = len(assertions), Counter(document for one in assertions for document in one.documents)
    if number < settings.min_assertions:
        message = f"There are {number} assertions, and {settings.min_assertions} are needed."
        return Complaint(reason="few_assertions", message=message)
    if len(supported) < settings.min_documents:
        message = f"They rest on {len(supported)} documents, and {settings.min_documents} are needed."
        return Complaint(reason="few_documents", message=message)
    shared = sum(len(one.documents) > 1 for one in assertions)
    if 2 * shared < number:
        message = f"{shared} of {number} assertions rest on two documents or more, and half of them is the least: say what documents share."
        return Complaint(reason="few_shared", message=message)
    document, most = supported.most_common(1)[0]
    if 2 * most <= number:
        return None
    message = f"Document {letters[document]} bears out {most} of {number} assertions, and half of them is the most: it alone would answer."
    return Complaint(reason="one_document", message=message)
