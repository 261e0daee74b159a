"""Offsets in a text as somebody gave it, as offsets in the document that it became."""

import re

from ragset.documents import clean_text


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
        given = [match.span() for match in _words(quote).finditer(self.text)]
        wanted = [place for place in given if low <= place[0] and place[1] <= high]
        cleaned = [match.span() for match in _words(clean_text(quote)).finditer(self.cleaned)]
        if not wanted or not cleaned or (start is None and len(wanted) > 1):
            return None
        nearest = min(wanted, key=lambda place: abs(place[0] - (start or 0)))
        if len(given) == len(cleaned):
            return cleaned[given.index(nearest)]
        # Words that were parted at line ends are whole in the document, and may be more.
        about = nearest[0] * len(self.cleaned) / len(self.text)
        return min(cleaned, key=lambda place: abs(place[0] - about))


def _words(quote: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, quote.split())) or r"(?!)")
