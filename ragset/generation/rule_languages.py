"""Which languages each rule has words for, and what is not checked in any other."""

from functools import lru_cache
from typing import NamedTuple

from ragset.documents import references
from ragset.generation.offline import language as offline
from ragset.text.languages import is_language, language_name
from ragset.text.rules import boilerplate as marks
from ragset.text.rules.phrases import LEANING
from ragset.text.rules.pronouns import PRONOUNS
from ragset.text.rules.question_words import GRAMMARS
from ragset.text.rules.stopwords import SMALL_WORDS


class Table(NamedTuple):
    """A rule that goes by words."""

    languages: tuple[str, ...]
    """That it has words for; sorted."""
    without: str
    """What holds in any other."""


TABLES = {
    "leaning": Table(
        tuple(sorted(LEANING)), 'queries are not checked for leaning on the passage ("according to the text")'
    ),
    "conjoined": Table(
        tuple(sorted(GRAMMARS)), "two questions in one query are noticed by a second question mark alone"
    ),
    "pronouns": Table(tuple(sorted(PRONOUNS)), "pronouns in split queries are not looked at"),
    "duplicates": Table(
        tuple(sorted(SMALL_WORDS)),
        "near-duplicates among queries are looked for without knowing which words name nothing",
    ),
    "content": Table(
        tuple(sorted(marks.LANGUAGES)), "contents, menus and imprints are known by words of the languages with rules"
    ),
    "references": Table(
        tuple(sorted(references.LANGUAGES)), "--drop-references cuts sections with titles in the languages with rules"
    ),
    "offline": Table(tuple(sorted(offline.LANGUAGES)), "the offline rules write no queries"),
}
"""By rule, in the order in which a notice names them."""


def without_rules(language: str) -> tuple[str, ...]:
    """Names of the rules that have no words for the language; () where it has them all."""
    return tuple(name for name, table in TABLES.items() if language not in table.languages)


@lru_cache(maxsize=64)
def notice(language: str) -> str | None:
    """One line on what is not checked in queries and documents of that language; None where there are rules for all.

    Models are asked all the same: what is missing are the checks on what they answer.
    """
    missing = without_rules(language)
    if not missing:
        return None
    ruled = [language_name(code) for code in ("en", "es", "de", "fr")]
    said = "; ".join(TABLES[name].without for name in missing)
    named = f"{language_name(language)} ({language})" if is_language(language) else f"the language {language}"
    return (
        f"No rules for {named}, only for {', '.join(ruled[:-1])} and {ruled[-1]}: {said}. "
        "Models are asked to see to it all the same."
    )


class Languages(NamedTuple):
    """Of a run."""

    documents: str
    queries: str
    notices: tuple[str, ...]
    """What a person should know of it, a line each."""


def settle_languages(detected: str, documents: str = "", queries: str = "") -> Languages:
    """The languages of documents and queries: as named, else as `detected` (empty: not known), and queries as documents.

    Where nothing tells the documents' language, it is that of the queries or English, and a notice says so. Rules look at queries, prompts are loaded in their language, and `written_in` says it to the
    model where documents are in another.
    """
    found = documents or detected or queries
    notices = [] if found else ["The documents' language cannot be told, or they are in several: taken for English."]
    spoken = found or "en"
    asked = queries or spoken
    notices += [said for language in dict.fromkeys((spoken, asked)) if (said := notice(language))]
    return Languages(spoken, asked, tuple(notices))
