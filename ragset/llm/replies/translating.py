"""Prompts in another language."""

from pydantic import Field

from ragset.llm.replies.base import Reply


class TranslatedText(Reply):
    """One of several texts in another language."""

    number: int
    """Its own, from 1."""
    text: str


class Translation(Reply):
    """Texts in another language."""

    reason: str
    """How the words are rendered that come again and again."""
    texts: tuple[TranslatedText, ...] = Field(max_length=400)
