"""Judges a query that a model wrote: free rules say what to mend, and the critic whether it can be sent as it stands."""

from collections.abc import Sequence

from ragset.generation.personas import WritingStyle, complain_of_writing_style
from ragset.generation.stage import Case, Question
from ragset.generation.styles import KEYPHRASE
from ragset.llm.ask import Complaint
from ragset.llm.replies import EvolvedQuery, QueryVerdict
from ragset.models import Candidate
from ragset.settings.languages import language_name
from ragset.text.languages import in_another
from ragset.text.query_forms import QueryForm, form_of
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans

JUDGE = Question("judge_query", "critic", QueryVerdict)
REWRITE = Question("rewrite_query", "generator", EvolvedQuery)
MOST_KEY_WORDS = 7


def complain_of_written(
    query: str | None, language: str, style: WritingStyle, passages: Sequence[str]
) -> Complaint | None:
    """As `complain_of_query`, and of a query that took over more than the style."""
    return complain_of_query(query, language) or complain_of_writing_style(query, style, passages, language or "en")


def complain_of_query(query: str | None, language: str) -> Complaint | None:
    """What to mend: wrong language, words that refer to the passage, two questions. An empty `language` is English."""
    leaning = complain_of_leaning(query, language)
    joint = conjoined(query, language or "en") if query else None
    if leaning or joint is None:
        return leaning
    message = f'The query asks two things (the second from "{joint}" on). Ask the better one of them alone.'
    return Complaint(reason="two_queries", message=message)


def complain_of_leaning(query: str | None, language: str) -> Complaint | None:
    """What to mend: the wrong language, or words that refer to a passage that a searcher does not see."""
    other = in_another(query, language) if query and language else None
    if other:
        named, found = language_name(language), language_name(other)
        return Complaint(reason="wrong_language", message=f"The query is in {found}. Write it in {named}.")
    phrase = leans(query, language or "en") if query else None
    message = f'The query leans on the passage ("{phrase}"). A searcher sees the query alone: name what it is about.'
    return None if phrase is None else Complaint(reason="leans_on_passage", message=message)


def complain_of_form(query: str, language: str, style: str, form: QueryForm | None) -> Complaint | None:
    """What to mend once about a good query that is not typed as it was to be."""
    if not form and style != KEYPHRASE:
        return None
    found = form_of(query, language or "en")
    if form and not form.fits(found):
        message = f"The query has {found.words} words. Write it in the form asked for: {form}."
        return Complaint(reason="other_form", message=message)
    if not form and style == KEYPHRASE and (found.question_mark or not 2 <= found.words <= MOST_KEY_WORDS):
        message = f"Write it as typed into a search box: two to {MOST_KEY_WORDS} words, without a question mark."
        return Complaint(reason="other_form", message=message)
    return None


async def screen_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that passes the critic; the metadata counts `rewrites` and holds all `feedback`."""
    # Rewritten by its chunk, an unanswerable query would come to ask what the chunk does say.
    most = 0 if candidate.unanswerable else case.setup.checks.max_rewrites
    language, style, passages = case.language_of(candidate), case.style_of(candidate), candidate.texts
    feedback: list[str] = []
    while True:
        verdict = await case.ask(candidate, JUDGE, {"query": candidate.query})
        if verdict.verdict and verdict.independent and verdict.clear:
            metadata = {**candidate.metadata, "rewrites": len(feedback)}
            if feedback:
                metadata["feedback"] = feedback
            return candidate.grown(case.step(JUDGE), metadata=metadata)
        if len(feedback) == most:
            reason = "not_standalone" if not verdict.independent else "unclear"
            tried = f"rewritten {len(feedback)} times: " if feedback else ""
            raise case.refused(candidate, reason, tried + verdict.feedback)
        inputs = {"chunk": candidate.text, "title": candidate.section, "query": candidate.query}
        inputs |= {"feedback": verdict.feedback}
        rewritten = await case.ask(
            candidate, REWRITE, inputs, lambda reply: complain_of_written(reply.query, language, style, passages)
        )
        query = (rewritten.query or "").strip()
        if not query or query == candidate.query:
            raise case.refused(candidate, "not_rewritten", f"{verdict.feedback} {rewritten.reason}")
        feedback.append(verdict.feedback)
        candidate = candidate.grown(case.step(REWRITE, "rewrite", query), query=query)
