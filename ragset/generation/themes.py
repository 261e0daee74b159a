"""Themes: a passage with those of many other documents that are nearest in meaning, which a corpus-wide query is drawn from."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ragset.generation.contexts import Rows
from ragset.generation.links import ChunkTable, Search, differ
from ragset.settings import ThemeWritingSettings

_WIDER = 4
"""Times as many neighbours are looked at as a theme shows: some are of documents that have their share already."""
_SAME = 0.5
"""Share of passages in an earlier theme from which a theme is the same again."""


def find_themes(
    table: ChunkTable,
    search: Search,
    seeds: Sequence[int],
    settings: ThemeWritingSettings,
    *,
    min_chars: int,
    before: Iterable[Rows] = (),
) -> list[Rows]:
    """Rows of a theme for each seed with neighbours in enough documents that is no theme of `before` or of another seed again.

    By cosines alone: rare terms, which link the chunks of a context, are names, and two documents that share one need have no
    theme in common. Of one document a theme has at most as many passages as leave room for twice `min_documents`. Its
    documents stand in the order of their nearest passages.
    """
    if not seeds:
        return []
    allowed = table.ends - table.starts >= min_chars
    most = -(-settings.passages // (2 * settings.min_documents))
    known, found = [frozenset(rows) for rows in before], list[Rows]()
    near = search(np.asarray(table.vectors[np.asarray(seeds)]), min(_WIDER * settings.passages, len(table.ids)))
    for seed, neighbours in zip(seeds, near, strict=True):
        rows, of = [seed], Counter({table.doc_ids[seed]: 1})
        for row, _ in neighbours:
            document = table.doc_ids[row]
            room = len(rows) < settings.passages and of[document] < most and allowed[row]
            if room and all(differ(table, row, other) for other in rows):
                of[document] += 1
                rows.append(row)
        if len(of) < settings.min_documents or any(len(other & {*rows}) > _SAME * len(rows) for other in known):
            continue
        known.append(frozenset(rows))
        documents = [*of]
        found.append(tuple(sorted(rows, key=lambda row: (documents.index(table.doc_ids[row]), table.starts[row]))))
    return found
