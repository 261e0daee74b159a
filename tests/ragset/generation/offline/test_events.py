import pytest

from ragset.generation.offline.events import events


def stated(text: str) -> list[tuple[str, str, str]]:
    return [(event.asked, event.stated, event.date) for event in events(text)]


@pytest.mark.parametrize(
    ("sentence", "asked", "said", "date"),
    [
        (
            "The great clock of Westminster started on 31 May 1859.",
            "did the great clock of Westminster start",
            "the great clock of Westminster started",
            "on 31 May 1859",
        ),
        (
            "The first leap second was inserted on 30 June 1972.",
            "was the first leap second inserted",
            "the first leap second was inserted",
            "on 30 June 1972",
        ),
        (
            "The lever escapement, invented by Thomas Mudge about 1755, lets one tooth pass at each tick.",
            "was the lever escapement invented by Thomas Mudge",
            "the lever escapement was invented by Thomas Mudge",
            "about 1755",
        ),
        (
            "The clock in Wells Cathedral dates from about 1390 and has a dial of 24 hours.",
            "was the clock in Wells Cathedral made",
            "the clock in Wells Cathedral was made",
            "in about 1390",
        ),
        (
            "Graham's mercury pendulum of 1721 carries a jar of mercury as its bob.",
            "was Graham's mercury pendulum introduced",
            "Graham's mercury pendulum was introduced",
            "in 1721",
        ),
    ],
)
def test_a_dated_sentence_is_an_event(sentence: str, asked: str, said: str, date: str) -> None:
    assert stated(sentence) == [(asked, said, date)]


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "Warren Marrison built the first quartz clock in New York in 1927.",
            "the first quartz clock was built in New York",
        ),
        ("Hamar opened the Glass Cathedral in 1998.", "the Glass Cathedral was opened"),
        ("Sarah Guppy patented the first chain bridge in 1811.", "the first chain bridge was patented"),
        # one of many, and several
        ("Sarah Guppy patented a chain bridge in 1811.", "Sarah Guppy patented a chain bridge"),
        ("Hamar opened the Glass Baths in 1998.", "Hamar opened the Glass Baths"),
    ],
)
def test_what_somebody_made_is_a_thing_that_came_into_the_world(sentence: str, said: str) -> None:
    assert [one[1] for one in stated(sentence)] == [said]


def test_a_pronoun_is_replaced_by_what_it_stands_for() -> None:
    text = "The Karnak bowl is kept in Cairo. It was found in 1904."
    assert stated(text) == [("was the Karnak bowl found", "the Karnak bowl was found", "in 1904")]
    assert [sentence.text for sentence in events(text)[0].evidence] == [
        "The Karnak bowl is kept in Cairo.",
        "It was found in 1904.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The clock was repaired in 1804.",
        "A pendulum was fitted to it in 1670.",
        "The great clock of Westminster did not start in 1858.",
        "King Charles V of France ordered in 1370 that all bells be rung by his clock.",
        "Galileo had noticed this by 1602.",
        "The Paris revolution of 1848 frightens kings.",
        "The clock in Wells Cathedral strikes every quarter.",
    ],
)
def test_what_is_vague_or_undated_is_none(sentence: str) -> None:
    assert stated(sentence) == []
