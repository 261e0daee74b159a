"""Which goldens are not independent of each other."""

from collections.abc import Hashable, Iterable

from ragset.dataset.labels import labels_of
from ragset.models import Golden


def clusters_of(goldens: Iterable[Golden]) -> dict[str, Hashable]:
    """The document of each golden's first evidence: queries of one document are not independent of each other.

    Of an unanswerable golden that of the passage which nearly answers it; where nothing is known it stands alone.
    """
    return {golden.id: _document_of(golden) for golden in goldens}


def _document_of(golden: Golden) -> str:
    if golden.evidence:
        return golden.evidence[0].doc_id
    near = labels_of(golden).near
    return near.doc_id if near else golden.id
