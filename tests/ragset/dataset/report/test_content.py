from pathlib import Path
from typing import Any

from ragset.dataset.report.content import page_data
from ragset.models import Document, Golden, Reject, Span, Step
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, map_of, multi_of, reject_of

# 20 sentences of 20 characters
LONG = Document.of("Twenty signs long.  " * 20, source="long.txt", title="Long")


def data_of(folder: Path, goldens: list[Golden], rejects: list[Reject] | None = None) -> dict[str, Any]:
    corpus = corpus_of(folder, TEA, LONG)
    return page_data(goldens, rejects or [], map_of(goldens), corpus, ["rules", "judge", "critique"])


def test_marks_count_utf_16_units_as_the_script_does(tmp_path: Path) -> None:
    emoji = Document.of("😀😀 tea 😀 hot", source="e.txt")
    # "tea" begins at character 3; the two emoji before it are two units each, so at unit 5
    golden = golden_of(document=emoji, evidence=((3, 6), (9, 12)))
    data = page_data([golden], [], map_of([golden]), corpus_of(tmp_path, emoji), [])
    [passage] = data["goldens"][0]["passages"]
    assert passage["marks"] == [(5, 8), (12, 15)]


def test_evidence_that_overlaps_is_marked_once(tmp_path: Path) -> None:
    [golden] = data_of(tmp_path, [golden_of(evidence=((20, 40), (0, 9), (10, 30)))])["goldens"]
    assert golden["passages"][0]["marks"] == [(0, 9), (10, 40)]


def test_a_passage_widens_to_hold_evidence_that_reaches_out_of_the_chunk(tmp_path: Path) -> None:
    golden = golden_of(chunk=chunk_of(TEA, 10, 35), evidence=((6, 20),))
    data = data_of(tmp_path, [golden])
    assert (data["passages"][0]["start"], data["passages"][0]["end"]) == (6, 35)
    assert data["goldens"][0]["passages"][0]["marks"] == [(0, 14)]


def test_evidence_in_another_document_has_a_passage_of_its_own(tmp_path: Path) -> None:
    golden = golden_of(chunk=chunk_of(LONG, 0, 20), evidence=((0, 9),))
    data = data_of(tmp_path, [golden])
    assert [passage["text"] for passage in data["passages"]] == ["Twenty signs long.  ", "Green tea"]
    assert [shown["marks"] for shown in data["goldens"][0]["passages"]] == [[], [(0, 9)]]


def test_what_stands_around_a_passage_is_cut_between_words(tmp_path: Path) -> None:
    # 240 of the characters before 300 begin at 60, with a word that is whole; those at 305 begin within one
    golden = golden_of(document=LONG, chunk=chunk_of(LONG, 305, 310), evidence=((305, 310),))
    [passage] = data_of(tmp_path, [golden])["passages"]
    assert passage["before"].startswith("…y signs long. ") is False
    assert passage["before"].startswith("…signs long. ")
    assert passage["after"] == LONG.text[310:]


def test_a_passage_and_a_document_are_listed_once_for_all_goldens(tmp_path: Path) -> None:
    data = data_of(tmp_path, [golden_of(), golden_of("What is steeped?")])
    assert len(data["passages"]) == len(data["documents"]) == 1
    assert data["documents"] == [{"title": "Tea", "sources": ("tea.md",)}]


def test_style_and_evolution_come_from_the_metadata_or_else_from_the_lineage(tmp_path: Path) -> None:
    evolve = Step(stage="evolve", kind="compress", prompt="evolve_compress@1#9f6237f95957", model="m")
    bare = golden_of(style="exam")
    bare = bare.model_copy(update={"metadata": {}, "lineage": (*bare.lineage, evolve)})
    data = data_of(tmp_path, [golden_of(), bare])
    assert [(golden["style"], golden["evolution"]) for golden in data["goldens"]] == [
        ("open", "none"),
        ("exam", "compress"),
    ]


def test_rejects_are_counted_by_stage_and_reason_the_largest_group_of_a_stage_first(tmp_path: Path) -> None:
    rejects = [
        reject_of("low_clarity", stage="critique"),
        reject_of("metadata"),
        *[reject_of("not_self_contained")] * 3,
        reject_of("links", stage="rules"),
        reject_of("other", stage="unheard_of"),
    ]
    groups = data_of(tmp_path, [], rejects)["rejects"]
    assert [(group["stage"], group["reason"], group["count"]) for group in groups] == [
        ("rules", "links", 1),
        ("judge", "not_self_contained", 3),
        ("judge", "metadata", 1),
        ("critique", "low_clarity", 1),
        ("unheard_of", "other", 1),
    ]


def test_of_each_reason_fifty_rejects_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    [group] = data_of(tmp_path, [], [reject_of()] * 3214)["rejects"]
    assert (group["count"], len(group["shown"])) == (3214, 50)


def test_a_reject_without_a_chunk_is_shown_without_a_passage(tmp_path: Path) -> None:
    [group] = data_of(tmp_path, [], [Reject(stage="judge", reason="odd", detail="x" * 700)])["rejects"]
    assert group["shown"] == [{"detail": "x" * 600 + "…", "query": "", "answer": "", "text": "", "doc": -1, "more": 0}]


def test_every_golden_points_at_the_dots_of_its_chunks(tmp_path: Path) -> None:
    data = data_of(tmp_path, [golden_of(), golden_of("What is steeped?")])
    assert [golden["dots"] for golden in data["goldens"]] == [[0], [0]]


def test_chunks_of_one_document_stand_together_in_reading_order(tmp_path: Path) -> None:
    golden = multi_of(
        "Which?",
        (chunk_of(LONG, 200, 220), [(200, 206)]),
        (chunk_of(TEA), [(0, 9)]),
        (chunk_of(LONG, 100, 120), [(100, 106), (107, 112)]),
    )
    data = data_of(tmp_path, [golden])
    shown = [(data["passages"][part["at"]], part["marks"]) for part in data["goldens"][0]["passages"]]
    assert [(passage["doc"], passage["start"], marks) for passage, marks in shown] == [
        (0, 100, [(0, 6), (7, 12)]),
        (0, 200, [(0, 6)]),
        (1, 0, [(0, 9)]),
    ]
    assert data["goldens"][0]["chunks"] == 3
    assert data["goldens"][0]["cross"] is True


def test_evidence_over_the_border_of_two_chunks_is_shown_once(tmp_path: Path) -> None:
    # one quote from 10 to 30 over chunks 0-20 and 20-40: ten characters of it in each
    golden = multi_of("Which?", (chunk_of(LONG, 0, 20), [(10, 30)]), (chunk_of(LONG, 20, 40), []))
    data = data_of(tmp_path, [golden])
    assert [(passage["start"], passage["end"]) for passage in data["passages"]] == [(0, 20), (20, 40)]
    assert [part["marks"] for part in data["goldens"][0]["passages"]] == [[(10, 20)], [(0, 10)]]


def test_evidence_that_bridges_the_gap_between_two_chunks_widens_the_first_alone(tmp_path: Path) -> None:
    golden = multi_of("Which?", (chunk_of(LONG, 0, 20), [(10, 50)]), (chunk_of(LONG, 40, 60), []))
    passages = data_of(tmp_path, [golden])["passages"]
    assert [(passage["start"], passage["end"]) for passage in passages] == [(0, 40), (40, 60)]


def test_evidence_outside_the_chunks_comes_after_them_and_is_not_counted_as_one(tmp_path: Path) -> None:
    golden = multi_of("Which?", (chunk_of(LONG, 0, 20), [(0, 6), (300, 306)]), (chunk_of(TEA), [(0, 9)]))
    shown = data_of(tmp_path, [golden])["goldens"][0]
    assert (len(shown["passages"]), shown["chunks"]) == (3, 2)


def test_chunks_left_out_of_the_context_are_told_with_their_reasons(tmp_path: Path) -> None:
    left = [(chunk_of(LONG, 0, 20), "relevant", "About signs."), (chunk_of(TEA), "necessity", "came back")]
    golden = multi_of("Which?", (chunk_of(LONG, 40, 60), [(40, 46)]), (chunk_of(TEA), [(0, 9)]), left_out=left)
    assert data_of(tmp_path, [golden])["goldens"][0]["left_out"] == [
        {"doc": 0, "start": 0, "end": 20, "stage": "relevant", "reason": "About signs."},
    ]


def test_a_golden_of_several_chunks_points_at_all_their_dots(tmp_path: Path) -> None:
    both = multi_of("Which?", (chunk_of(LONG, 0, 20), [(0, 6)]), (chunk_of(TEA), [(0, 9)]))
    goldens = data_of(tmp_path, [both, golden_of()])["goldens"]
    assert len(set(goldens[0]["dots"])) == 2
    assert set(goldens[1]["dots"]) < set(goldens[0]["dots"])


def test_a_reject_tells_how_many_chunks_it_had_besides_the_one_shown(tmp_path: Path) -> None:
    reject = Reject(stage="necessity", reason="odd", chunks=(chunk_of(TEA).id, chunk_of(LONG, 0, 20).id))
    [group] = data_of(tmp_path, [], [reject])["rejects"]
    assert (group["shown"][0]["more"], group["shown"][0]["text"]) == (1, TEA.text)


def test_equivalents_are_passages_of_their_own_with_all_of_them_marked(tmp_path: Path) -> None:
    golden = golden_of().model_copy(update={"equivalents": (Span(doc_id=LONG.id, start=20, end=38),)})
    data = data_of(tmp_path, [golden])
    [shown] = data["goldens"][0]["equivalents"]
    passage = data["passages"][shown["at"]]
    assert (passage["text"], shown["marks"]) == ("Twenty signs long.", [(0, 18)])
    assert data["documents"][passage["doc"]]["title"] == "Long"


def test_labels_are_empty_where_nothing_was_measured(tmp_path: Path) -> None:
    known = {
        "hardness": {"level": "hard", "points": 2.0, "reasons": ["round trip: not found (+2)"]},
        "closed_book": {"known": False},
        "round_trip": {"rank": None, "k": 10, "by": "bm25"},
        "overlap": {"covered": 0.5},
        "persona": "clerk",
    }
    bare, full = data_of(tmp_path, [golden_of(), golden_of().model_copy(update={"metadata": known})])["goldens"]
    names = ("hardness", "reasons", "closed_book", "round_trip", "overlap", "persona", "missing", "split")
    assert [bare[name] for name in names] == ["", [], "", None, None, "", "", "test"]
    assert [full[name] for name in names] == [
        "hard",
        ["round trip: not found (+2)"],
        "not known",
        {"rank": None, "k": 10, "by": "bm25"},
        0.5,
        "clerk",
        "",
        "test",
    ]


def test_an_unanswerable_golden_shows_the_chunk_that_nearly_answers_it_and_what_is_missing(tmp_path: Path) -> None:
    facts = {"unanswerable": {"missing": "The year.", "near": chunk_of(TEA).id}}
    nobody = golden_of().model_copy(update={"kind": "unanswerable", "answer": None, "evidence": (), "metadata": facts})
    [golden] = data_of(tmp_path, [nobody])["goldens"]
    assert golden["missing"] == "The year."
    assert [shown["marks"] for shown in golden["passages"]] == [[]]
