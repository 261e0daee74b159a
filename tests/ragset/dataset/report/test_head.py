from collections.abc import Sequence
from pathlib import Path

from lxml import html

from ragset.dataset.report import render_report
from ragset.models import Document, Golden
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, manifest_of, map_of, multi_of

COFFEE = Document.of("Coffee is roasted at 200 °C and more. It cracks when ready.", source="coffee.md", title="Coffee")
ACROSS = multi_of("Hotter?", (chunk_of(TEA, 0, 36), [(0, 35)]), (chunk_of(COFFEE), [(0, 27)]), shape="bridge")
WITHIN = multi_of("Longer?", (chunk_of(TEA, 0, 36), [(0, 35)]), (chunk_of(TEA, 36), [(36, 61)]), shape="bridge")


def head_of(folder: Path, goldens: Sequence[Golden], kind: str = "multi-chunk") -> dict[str, str]:
    """Text of the parts of the head, by class."""
    corpus = corpus_of(folder, TEA, COFFEE)
    manifest = manifest_of(corpus, len(goldens)).model_copy(update={"kind": kind})
    page = html.document_fromstring(render_report(goldens, [], manifest, map_of(goldens), corpus))
    return {part.get("class"): " ".join(part.text_content().split()) for part in page.xpath("//header/*[@class]")}


def test_the_head_of_a_multi_chunk_test_set_tells_its_kinds_its_spread_and_its_shapes(tmp_path: Path) -> None:
    head = head_of(tmp_path, [ACROSS, WITHIN, golden_of()])
    assert head["kicker"] == "ragset · multi-chunk test set"
    assert head["census"] == (
        "2 multi-chunk, 1 single-chunk. 1 of the multi-chunk goldens is cross-document (50%), "
        "with evidence in two or more documents."
    )
    assert head["shapes"] == "2 bridge"


def test_the_head_of_a_single_chunk_test_set_has_no_such_lines(tmp_path: Path) -> None:
    head = head_of(tmp_path, [golden_of()], kind="single-chunk")
    assert head["kicker"] == "ragset · single-chunk test set"
    assert not head.keys() & {"census", "shapes"}


def test_a_multi_chunk_test_set_without_goldens_says_so(tmp_path: Path) -> None:
    head = head_of(tmp_path, [])
    assert head["census"] == "0 multi-chunk, 0 single-chunk."
    assert "shapes" not in head
