"""In which languages a run reads and asks, and what its rules do not check in them."""

from ragset.settings.languages import is_language, language_name
from ragset.text.rules import LANGUAGES


def notice(language: str) -> str | None:
    """One line on what is not checked in queries and documents of that language; None where there are rules."""
    if language in LANGUAGES:
        return None
    named = f"{language_name(language)} ({language})" if is_language(language) else f"the language {language}"
    ruled = [language_name(code) for code in LANGUAGES]
    return (
        f"No rules for {named}, only for {', '.join(ruled[:-1])} and {ruled[-1]}: "
        'queries are not checked for leaning on the passage ("according to the text") or for pronouns; two questions in one are '
        "noticed by a second question mark alone; near-duplicates are looked for without knowing which words name nothing; "
        "contents, menus and reference lists are known by the words of these four; "
        "the offline rules write no queries. Models are asked to see to it all the same."
    )


def settle_languages(detected: str, documents: str = "", queries: str = "") -> tuple[str, str, list[str]]:
    """The languages of documents and queries, and notices for a person, a line each.

    Each is as named, else as `detected` (empty: not known), else that of the other, else English.
    """
    spoken = documents or detected or queries or "en"
    asked = queries or spoken
    notices = [said for language in dict.fromkeys((spoken, asked)) if (said := notice(language))]
    if not (documents or detected or queries):
        notices = ["The documents' language cannot be told, or they are in several: taken for English."]
    return spoken, asked, notices
