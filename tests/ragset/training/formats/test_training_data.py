from ragset.training.examples import shown_chunks
from tests.training_sample import EXAMPLES, TEXTS, example, sample

IDS = [*TEXTS]


def test_lists_have_the_length_at_which_they_hold_most_negatives() -> None:
    # Rows have 3, 2, 2 (two positives) and 1 negatives: 1 x 4 = 4, 2 x 3 = 6, 3 x 1 = 3.
    assert sample().ways == 2
    assert sample(example("g-1", "q", "0", "")).ways == 0


def test_there_is_a_row_for_each_positive_with_as_many_negatives_as_asked_for() -> None:
    rows = sorted(sample().rows(2), key=lambda row: (row.golden, row.positives))
    assert [(row.golden, shown_chunks(row)) for row in rows] == [
        ("g-1", [IDS[0], IDS[3], IDS[4]]),
        ("g-2", [IDS[0], IDS[4], IDS[2]]),
        ("g-2", [IDS[3], IDS[4], IDS[2]]),
    ]
    assert [len(shown_chunks(row)) for row in sample().rows(0)] == [1] * 4


def test_a_row_has_the_scores_of_what_it_shows() -> None:
    data = sample()
    # g-2 shows chunks 0, 3, 4, 2 with 1, 0.9, 0.8, 0.7.
    (row,) = [row for row in data.rows(2) if row.golden == "g-2" and row.positives == (IDS[3],)]
    assert data.scores_of(row) == [0.9, 0.8, 0.7]


def test_rows_stand_in_batches_in_which_nothing_answers_another_query() -> None:
    rows = sample(*EXAMPLES[:2], batch=2).rows(0)
    # Chunk 0 answers both queries and chunk 3 the second, so no two rows that go together are left.
    assert len(rows) == 3
    apart = [example("g-1", "a", "0", ""), example("g-2", "b", "1", ""), example("g-3", "c", "0", "")]
    first, second, _ = sample(*apart, batch=2).rows(0)
    assert {first.golden, second.golden} in ({"g-1", "g-2"}, {"g-2", "g-3"})
