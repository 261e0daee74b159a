"""Which of the languages that there are rules for a text is in."""

from ragset.text import languages as language

LANGUAGES = ("en", "es", "de", "fr")


def guess_language(text: str) -> str | None:
    """`en`, `es`, `de` or `fr`; None for a text in another language, or in none."""
    found = language.guess_language(text)
    return found if found in LANGUAGES else None
