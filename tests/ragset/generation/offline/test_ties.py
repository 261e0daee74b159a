import pytest

from ragset.generation.offline.ties import shared


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        (
            "Norway pays its fishermen by a price that was agreed on with Lofoten, year by year.",
            "Iceland dried its cod a month ahead of Lofoten, which dries its own more slowly.",
            "What do Norway and Iceland each have to do with Lofoten?",
        ),
        (
            "A spring balance weighs a loaf against gravity, and shows less on a mountain.",
            "A gravimeter shows the pull by gravity, and by nothing else.",
            "What do a spring balance and a gravimeter each have to do with gravity?",
        ),
        (
            "Clara Immer sold the patent to Daimler, who never used it.",
            "Otto Brandt wrote a report about Daimler, and was dismissed.",
            "What do Clara Immer and Otto Brandt each have to do with Daimler?",
        ),
    ],
)
def test_two_of_one_sort_that_share_a_thing_are_asked_for_together(first: str, second: str, query: str) -> None:
    assert [found.query for found in shared(first, second)] == [query]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # merely where they are
        ("Bergen lies in Vestland, between seven hills.", "Voss is visited for its rivers in Vestland, by canoe."),
        ("Harbin trades with Russia, and always did.", "Kemi sells its timber to Russia, by sea."),
        ("Otto Brandt painted a picture of the Sun, in red.", "Clara Immer wrote a book about the Sun, in verse."),
        # a person and a firm, a kind and a name
        ("Otto Brandt wrote a report about Daimler, and was dismissed.", "Norway buys its lorries from Daimler, new."),
        (
            "A gravimeter shows the pull by gravity, and by nothing else.",
            "Otto Brandt wrote a report about gravity, in jail.",
        ),
        # what looks like a verb belongs to the subject
        (
            "Layers of river sand deposits near Arles show the floods of Camargue, year by year.",
            "Herds of white horses drink the water of Camargue, and eat its salt grass.",
        ),
    ],
)
def test_what_so_much_has_to_do_with_or_cuts_a_subject_is_left(first: str, second: str) -> None:
    assert list(shared(first, second)) == []
