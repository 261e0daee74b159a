"""The report of a dataset: one HTML page in one file, which loads nothing. The Python here only shapes its data."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from ragset.dataset.completeness import completeness_of
from ragset.dataset.manifest import Manifest, Totals
from ragset.dataset.report.census import query_mix, take_census
from ragset.dataset.report.chunk_map import ChunkMap, make_chunk_map
from ragset.dataset.report.content import page_data
from ragset.dataset.report.funnel import funnel_picture
from ragset.dataset.report.page import HERE, flat, script_of, template_of
from ragset.dataset.report.review import renew_report, review_section
from ragset.dataset.review.figures import Figures
from ragset.documents.corpus import Corpus
from ragset.llm.usage import EMBED
from ragset.models import Golden, Reject
from ragset.settings import OFFLINE

__all__ = ["make_chunk_map", "render_report", "renew_report"]

_SCRIPTS = ("page.js", "list.js", "goldens.js", "map.js", "rejects.js", "next.js")  # in this order they make one script
_ENDED = {
    "complete": "as many as were wanted",
    "corpus used up": "ended early, as the corpus gives hardly any more",
    "budget spent": "ended early, as the budget was spent",
}
_ENDED_ALL = {**_ENDED, "complete": "every one was tried", "corpus used up": "every one was tried"}
_LABELS = {
    "round_trip": "evidence found again by its query",
    "closed_book": "answer known without the passage",
    "equivalents": "passages that answer as fully",
}


def render_report(
    goldens: Sequence[Golden],
    rejects: Iterable[Reject],
    manifest: Manifest,
    chunk_map: ChunkMap | None,
    corpus: Corpus,
    review: Figures | None = None,
) -> str:
    """The page as HTML, without a map where None is given. The same dataset gives the same page.

    Text from documents and models is shown, never run.
    """
    stages = [row.stage for row in manifest.funnel]
    order = [EMBED, *stages]
    script = script_of(HERE / name for name in _SCRIPTS)
    return _template().render(
        manifest=manifest,
        census=take_census(goldens),
        query_mix=query_mix(goldens),
        completeness=completeness_of(goldens),
        labels=_LABELS,
        ended=_ending(manifest),
        by_rules=[role for role in ("generator", "critic") if getattr(manifest.models, role) == OFFLINE],
        funnel=funnel_picture(manifest.funnel),
        chunk_map=chunk_map,
        review=review_section(review),
        style=(HERE / "page.css").read_text(encoding="utf-8"),
        script=script.text,
        script_hash=script.digest,
        data=page_data(goldens, rejects, chunk_map, corpus, stages),
        parameters=list(flat(manifest.parameters)),
        documents=len({span.doc_id for golden in goldens for span in golden.proof}),
        usage=sorted(manifest.usage, key=lambda row: order.index(row.stage) if row.stage in order else len(order)),
        asked=Totals.of(row for row in manifest.usage if row.stage != EMBED),
        cached=sum(row.cached_tokens for row in manifest.usage),
    )


def _ending(manifest: Manifest) -> str:
    if manifest.wanted == "all":
        return _ENDED_ALL[manifest.ended]
    if manifest.ended == "corpus used up" and manifest.kept >= manifest.wanted:
        return "every chunk of the corpus was tried for the mix of hardness asked for"
    return _ENDED[manifest.ended]


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(HERE / "page.html.jinja", {"money": _money})


def _money(cost: float | None) -> str:
    if cost is None:
        return "unknown"
    return "free" if cost == 0 else f"${cost:,.4f}" if cost < 1 else f"${cost:,.2f}"
