"""Offsets in a text as somebody gave it, as offsets in the document that it became."""

import re
import unicodedata
from bisect import bisect_left
from functools import cached_property

from ragset.documents import clean_text

_NEAR = 4


class Original:
    """A text as given, with the normalised text that became of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cleaned = clean_text(text)

    def find(self, quote: str, start: int | None, *, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """The place of `quote` in `cleaned`, given its offset in the text as given.

        Where it does not stand there, the nearest place that has it word for word counts. None where there is none, or
        where there are several and no `start`. `within` limits the search to these characters of the text as given.
        """
        low, high = within or (0, len(self.text))
        if start is not None and start >= low and quote and self.text.startswith(quote, start, high):
            return self.moved(start, start + len(quote))
        words = re.compile(r"\s+".join(map(re.escape, quote.split())) or r"(?!)")
        found = [match.span() for match in words.finditer(self.text, low, high)]
        if not found or (start is None and len(found) > 1):
            return None
        return self.moved(*min(found, key=lambda place: abs(place[0] - (start or 0))))

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Characters `start` to `end` of the text as given, in `cleaned`; None where nothing is left of them."""
        piece = self.text[start:end].strip()
        if self.cleaned == self.text:
            start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
            return (start, start + len(piece)) if piece else None
        (before, places_before), (after, places_after) = self._signs
        low, high = bisect_left(places_before, start), bisect_left(places_before, end)
        if low == high or before != after:
            return None
        left, right = places_after[low], places_after[high - 1] + 1
        while right < len(self.cleaned) and unicodedata.combining(self.cleaned[right]):
            right += 1
        # Hyphens are not counted, since cleaning takes some out; those at the ends are there all the same.
        whole = self.cleaned.find(piece, max(0, left - _NEAR), left + len(piece) + _NEAR)
        return (whole, whole + len(piece)) if 0 <= whole <= left and whole + len(piece) >= right else (left, right)

    @cached_property
    def _signs(self) -> tuple[tuple[str, list[int]], tuple[str, list[int]]]:
        return _signs_of(self.text), _signs_of(self.cleaned)


def _signs_of(text: str) -> tuple[str, list[int]]:
    """The letters, digits and signs that cleaning leaves alone, decomposed, and where each stands."""
    signs: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for sign in character if character.isascii() else unicodedata.normalize("NFD", character):
            if sign != "-" and not unicodedata.combining(sign) and unicodedata.category(sign)[0] not in "CZ":
                signs.append(sign)
                places.append(place)
    return "".join(signs), places
