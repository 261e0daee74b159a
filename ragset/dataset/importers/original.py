"""Offsets in a text as somebody gave it, as offsets in the document that it became."""

import unicodedata
from bisect import bisect_left
from functools import cached_property

from ragset.documents import clean_text

_NEAR = 4


class Folded:
    """A text without its white space, and where each character of it came from."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = "".join(text.split())

    @cached_property
    def places(self) -> list[int]:
        """For each character of `folded` its offset in `text`."""
        return [place for place, character in enumerate(self.text) if not character.isspace()]

    def find(self, quote: str) -> list[tuple[int, int]]:
        """All places, rising, that have the words of `quote` with any white space between them."""
        words = quote.split()
        wanted = "".join(words)
        found: list[tuple[int, int]] = []
        at = self.folded.find(wanted) if wanted else -1
        while at >= 0:
            start, end = self.places[at], self.places[at + len(wanted) - 1] + 1
            if self.text[start:end].split() == words:
                found.append((start, end))
            # Beyond it and not one further on: a text of one letter would take the square.
            at = self.folded.find(wanted, at + len(wanted))
        return found


class Original:
    """A text as given, with the normalised text that became of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cleaned = clean_text(text)
        # The stretch that was searched last: questions about a paragraph come one after the other.
        self._part: tuple[int, int, Folded] | None = None

    def find(self, quote: str, start: int | None, *, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """The place of `quote` in `cleaned`, given its offset in the text as given.

        Where it does not stand there, the nearest place that has it word for word counts. None where there is none, or
        where there are several and no `start`. `within` limits the search to these characters of the text as given.
        """
        low, high = within or (0, len(self.text))
        if start is not None and start >= low and quote and self.text.startswith(quote, start, high):
            return self.moved(start, start + len(quote))
        if self._part is None or self._part[:2] != (low, high):
            self._part = low, high, Folded(self.text[low:high])
        found = self._part[2].find(quote)
        if not found or (start is None and len(found) > 1):
            return None
        near = min(found, key=lambda place: abs(low + place[0] - (start or 0)))
        return self.moved(low + near[0], low + near[1])

    def moved(self, start: int, end: int) -> tuple[int, int] | None:
        """Characters `start` to `end` of the text as given, in `cleaned`; None where nothing is left of them.

        Cleaning drops and composes characters but never changes the order of those that can be read, so the n-th of
        them stays the n-th.
        """
        piece = self.text[start:end].strip()
        if self.cleaned == self.text:
            start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
            return (start, start + len(piece)) if piece else None
        (before, places_before), (after, places_after) = self._marks
        if before != after:
            found = Folded(self.cleaned).find(piece)
            return found[0] if len(found) == 1 else None
        low, high = bisect_left(places_before, start), bisect_left(places_before, end)
        if low == high:
            return None
        left, right = places_after[low], places_after[high - 1] + 1
        while right < len(self.cleaned) and unicodedata.combining(self.cleaned[right]):
            right += 1
        # Hyphens are not counted, since cleaning takes some out; those at the ends are there all the same.
        whole = self.cleaned.find(piece, max(0, left - _NEAR), left + len(piece) + _NEAR)
        if 0 <= whole <= left and whole + len(piece) >= right:
            return whole, whole + len(piece)
        return left, right

    @cached_property
    def _marks(self) -> tuple[tuple[str, list[int]], tuple[str, list[int]]]:
        return _signature(self.text), _signature(self.cleaned)


def _signature(text: str) -> tuple[str, list[int]]:
    """The letters, digits and signs that cleaning leaves alone, decomposed, and where each stands."""
    signs: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isascii():
            if character > " " and character not in "-\x7f":
                signs.append(character)
                places.append(place)
            continue
        for sign in unicodedata.normalize("NFD", character):
            if not unicodedata.combining(sign) and unicodedata.category(sign)[0] not in "CZ":
                signs.append(sign)
                places.append(place)
    return "".join(signs), places
