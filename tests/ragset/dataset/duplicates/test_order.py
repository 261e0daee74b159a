import pytest

from ragset.dataset.duplicates.order import interchangeable
from ragset.text.rules.content_words import wording_of


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("How does a lute differ from a cittern?", "How does a cittern differ from a lute?", "en", True),
        ("What do zinc and brine do to steel?", "What do brine and zinc do to steel?", "en", True),
        ("Why do the old and the new mill stand?", "Why do the new and the old mill stand?", "en", True),
        ("Was Ghent burned before Bruges was flooded?", "Was Bruges flooded before Ghent was burned?", "en", True),
        ("Did the dam come before the mill?", "Did the mill come before the dam?", "en", True),
        ("May a lender sue a borrower before trial?", "May a borrower sue a lender before trial?", "en", False),
        ("When was Ghent burned before Bruges?", "When was Bruges burned before Ghent?", "en", False),
        ("Under the act, who may appeal?", "Who may appeal under the act?", "en", True),
        ("Who swam for Malta at Split?", "Who swam at Split for Malta?", "en", True),
        ("Who rides to the king from the queen?", "Who rides from the queen to the king?", "en", True),
        ("Who rides to the king from the queen?", "Who rides to the queen from the king?", "en", False),
        ("How many pints are in a gallon?", "How many gallon are in a pints?", "en", False),
        ("May a horse bite a dog?", "May a dog bite a horse?", "en", False),
        ("¿Qué tienen el cobre y el zinc?", "¿Qué tienen el zinc y el cobre?", "es", True),
        ("¿Cuándo venció Roma a Cartago?", "¿Cuándo venció Cartago a Roma?", "es", False),
        ("Was kosten Brot und Salz?", "Was kosten Salz und Brot?", "de", True),
        ("Wann biss der Hund den Mann?", "Wann biss der Mann den Hund?", "de", False),
        ("Que coûtent le pain ou le sel ?", "Que coûtent le sel ou le pain ?", "fr", True),
        ("Qui a suivi Paul avec Anne ?", "Qui a suivi Anne avec Paul ?", "fr", False),
        ("राम या श्याम", "श्याम या राम", "hi", False),  # nothing is known of the language
    ],
)
def test_words_change_places_where_it_makes_no_difference(one: str, other: str, language: str, same: bool) -> None:
    wordings = [wording_of(query, language, frozenset()) for query in (one, other)]
    assert interchangeable(*wordings) == interchangeable(*wordings[::-1]) == same
