"""What free rules find to mend in a query that a model wrote; the model is asked once more with these words."""

from collections.abc import Sequence

from ragset.generation.personas import WritingStyle, complain_of_writing_style
from ragset.llm.ask import Complaint
from ragset.text.languages import language_name
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from ragset.text.rules.query_language import in_another


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
