"""How a dataset shows in a notebook: what it is, and its first goldens with the text of their evidence."""

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragset.dataset.read import Dataset

_GOLDENS = 10
_COLUMNS = ["id", "query", "answer", "evidence", "places", "kind"]
_LONGEST = 300  # characters of a cell


def title(dataset: "Dataset") -> str:
    """The dataset in a line."""
    made, corpus = dataset.manifest, dataset.manifest.corpus
    goldens, rejects = len(dataset.goldens), len(dataset.rejects)
    return (
        f"{dataset.folder}: {goldens:,} golden{'s'[: goldens != 1]} ({made.kind}) of {corpus.name}, {corpus.documents:,} "
        f"document{'s'[: corpus.documents != 1]}, made by {made.models.generator}; {rejects:,} rejected"
    )


def as_html(dataset: "Dataset") -> str:
    """The title, the first goldens as a table, and what must be known of them."""
    import pandas as pd

    shown = dataset.first(_GOLDENS).frame()[_COLUMNS].replace(r"\s+", " ", regex=True)
    with pd.option_context("display.max_colwidth", _LONGEST):
        table = shown.to_html(index=False, escape=True)
    for cell in ("th", "td"):  # notebooks put them on the right, as numbers
        table = table.replace(f"<{cell}>", f'<{cell} style="text-align:left">')
    rest = len(dataset.goldens) - len(shown)
    notices = [f"… and {rest:,} more: frame() has all of them."] if rest > 0 else []
    notices += dataset.manifest.notices
    told = "".join(f"<p>{html.escape(notice)}</p>" for notice in notices)
    return f"<p><b>{html.escape(title(dataset))}</b></p>{table}{told}"
