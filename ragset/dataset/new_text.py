"""The lines of a corpus that an earlier one did not have."""

import re
from collections.abc import Iterator

from ragset.documents.corpus import Corpus
from ragset.models import Span

_LINE = re.compile(r"[^\n]+")


def new_text(before: Corpus, after: Corpus) -> Iterator[Span]:
    """Stretches of `after` whose lines stand in no document that is gone or changed since `before`; white space apart."""
    gone = (before[doc_id].text for doc_id in before.ids if doc_id not in after)
    known = {hash(" ".join(line.split())) for text in gone for line in text.splitlines()}
    for doc_id in after.ids:
        if doc_id in before:
            continue
        start = end = 0
        for match in _LINE.finditer(after[doc_id].text):
            if not match[0].strip():
                continue
            if hash(" ".join(match[0].split())) not in known:
                start, end = (start if end else match.start()), match.end()
            elif end:
                yield Span(doc_id=doc_id, start=start, end=end)
                start = end = 0
        if end:
            yield Span(doc_id=doc_id, start=start, end=end)
