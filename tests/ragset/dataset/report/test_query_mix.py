import pytest

from ragset.dataset.report.census import query_mix
from ragset.models import Golden
from ragset.text.overlap import overlap_of
from tests.small_dataset import golden_of

TEXT = "The tower clock of Salisbury was built in 1386."


def made(query: str, style: str, *, labelled: bool = True) -> Golden:
    overlap = {"overlap": overlap_of(query, [TEXT]).model_dump(mode="json")} if labelled else {}
    return golden_of().model_copy(update={"query": query, "metadata": {"style": style, **overlap}})


def test_queries_are_counted_by_style_with_their_length_and_overlap() -> None:
    goldens = [
        made("What tower clock of Salisbury was built in 1386?", "factoid"),
        made("Who made it tick?", "factoid"),
        made("salisbury clock", "keyphrase", labelled=False),
    ]
    factoid, keyphrase = query_mix(goldens)
    # 9 and 4 words; of the first query all 5 words of content stand in the text, of the second none
    assert (factoid.style, factoid.goldens, factoid.words, factoid.question_marks) == ("factoid", 2, 6.5, 1)
    assert (factoid.covered, factoid.copied) == (pytest.approx(0.5), 0.5)
    assert keyphrase == ("keyphrase", 1, 2, 0, None, None)
    assert query_mix([]) == ()
