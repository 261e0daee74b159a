"""The report of a dataset: one page in one file, which asks nothing of the network."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ragset.corpus import Corpus
from ragset.dataset.manifest import Manifest
from ragset.models import Golden, Reject
from ragset.report.census import Census, take_census
from ragset.report.chunk_map import ChunkMap, make_chunk_map
from ragset.report.content import page_data
from ragset.report.funnel import funnel_picture
from ragset.settings import OFFLINE

__all__ = ["Census", "ChunkMap", "make_chunk_map", "render_report", "take_census"]

_HERE = Path(__file__).parent
_SCRIPTS = ("page.js", "goldens.js", "map.js", "rejects.js")
"""In this order they make one script."""

_ENDED = {
    "complete": "as many as were wanted",
    "corpus used up": "ended early, as every chunk of the corpus was tried",
    "budget spent": "ended early, as the budget was spent",
}
_ENDED_ALL = {
    "complete": "every one was tried",
    "corpus used up": "every one was tried",
    "budget spent": "ended early, as the budget was spent",
}


def render_report(
    goldens: Sequence[Golden], rejects: Iterable[Reject], manifest: Manifest, chunk_map: ChunkMap, corpus: Corpus
) -> str:
    """The page as HTML. The same dataset gives the same page; text from documents and models is shown, never run."""
    models = manifest.models
    stages = [row.stage for row in manifest.funnel]
    script = _script()
    return _template().render(
        manifest=manifest,
        census=take_census(goldens),
        ended=(_ENDED_ALL if manifest.wanted == "all" else _ENDED)[manifest.ended],
        by_rules=[role for role in ("generator", "critic") if getattr(models, role) == OFFLINE],
        funnel=funnel_picture(manifest.funnel),
        chunk_map=chunk_map,
        style=(_HERE / "page.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=page_data(goldens, rejects, chunk_map, corpus, stages),
        parameters=list(_flat(manifest.parameters)),
        documents=len({span.doc_id for golden in goldens for span in golden.evidence}),
        usage=sorted(manifest.usage, key=lambda row: stages.index(row.stage) if row.stage in stages else len(stages)),
        cached=sum(row.cached_tokens for row in manifest.usage),
    )


@lru_cache(maxsize=1)
def _script() -> str:
    parts = [(_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    return "\n".join(["(() => {", '"use strict";', *parts, "})();"])


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["count"] = "{:,}".format
    environment.filters["words"] = _words
    environment.filters["money"] = _money
    return environment.get_template("page.html.jinja")


def _words(code: str) -> str:
    return code.replace("_", " ")


def _money(cost: float | None) -> str:
    if cost is None:
        return "unknown"
    return "free" if cost == 0 else f"${cost:,.4f}" if cost < 1 else f"${cost:,.2f}"


def _flat(values: Any, name: str = "") -> Iterable[tuple[str, str]]:
    """Parameters by dotted name, as text."""
    if isinstance(values, dict) and values:
        for key, value in values.items():
            yield from _flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(values, list | tuple):
        yield name, ", ".join(map(str, values))
    else:
        yield name, "–" if values in (None, {}, "") else str(values)
