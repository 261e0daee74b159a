"""Candidates and prompts that the tests of the steps share."""

from ragset.llm.prompts import Prompt, load_prompt
from ragset.models import Candidate, Chunk

TEXT = (
    "The tower clock of Salisbury was built in 1386 by three smiths from Delft. Its foliot swings once in four seconds, "
    "and a heavier weight makes it run fast."
)
CHUNK = Chunk(doc_id="d" * 16, start=100, end=100 + len(TEXT), text=TEXT, title="Tower clocks")
QUERY = "Who built the tower clock of Salisbury?"


def candidate(query: str = "", answer: str = "", chunk: Chunk = CHUNK) -> Candidate:
    return Candidate(chunks=(chunk,), query=query, answer=answer)


def prompts(*names: str) -> dict[str, Prompt]:
    return {name: load_prompt(name) for name in names}


def _chunk(document: str, start: int, text: str) -> Chunk:
    return Chunk(doc_id=document * 16, start=start, end=start + len(text), text=text)


TRAMS = (
    _chunk("a", 0, "The Aldmoor tramway opened in 1902 with horse-drawn trams."),
    _chunk("b", 40, "The electric tramway of Brill opened in 1899."),
    _chunk("a", 900, "The depot of Aldmoor burnt down in 1911."),
)
"""Three similar chunks of two documents."""
