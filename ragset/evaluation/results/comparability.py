"""What a benchmark was measured on: which documents, and which goldens with which content."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from ragset.documents.corpus import Corpus
from ragset.models import Golden, Model, Span


def golden_digests(goldens: Iterable[Golden], corpus: Corpus) -> dict[str, str]:
    """By id, a digest of what scores depend on: query, answer, kind, and the texts of the evidence and its equivalents.

    Texts, not offsets: evidence that a refresh found again in another place is the same evidence.
    """

    def text(span: Span) -> str:
        return corpus.text(span) if span.doc_id in corpus else span.id

    def digest(golden: Golden) -> str:
        evidence, equivalents = (sorted(map(text, spans)) for spans in (golden.evidence, golden.equivalents))
        content = [golden.query, golden.answer, golden.kind, evidence, equivalents, golden.grades]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    return {golden.id: digest(golden) for golden in goldens}


class Comparability(Model):
    """What two benchmarks have in common of what they were measured on, and what not."""

    corpus_before: str
    """Digest of the documents; empty in results of an earlier version, which do not say it."""
    corpus_after: str
    same: tuple[str, ...]
    """Ids of the goldens that are the same in both."""
    changed: tuple[str, ...]
    """Of those whose query, answer or evidence is another now."""
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def other_corpus(self) -> bool:
        """Whether the documents are known to be others."""
        return bool(self.corpus_before and self.corpus_after) and self.corpus_before != self.corpus_after

    @property
    def differs(self) -> bool:
        """In anything."""
        return self.other_corpus or bool(self.changed or self.removed or self.added)

    @property
    def told(self) -> str:
        """What differs, as a list of phrases."""
        counts = {"removed": self.removed, "added": self.added, "changed": self.changed}
        goldens = ", ".join(f"{len(ids):,} {what}" for what, ids in counts.items() if ids)
        corpora = f"the documents are others (corpus {self.corpus_before} before, {self.corpus_after} after)"
        phrases = [corpora] * self.other_corpus + [f"goldens: {goldens}, {len(self.same):,} the same"] * bool(goldens)
        return "; ".join(phrases)


def comparability(
    before: Mapping[str, str], after: Mapping[str, str], corpus_before: str, corpus_after: str
) -> Comparability:
    """Of the digests of goldens by id; one that is empty is not known, and is taken for the same."""
    both = [golden for golden in before if golden in after]
    changed = tuple(one for one in both if before[one] and after[one] and before[one] != after[one])
    different = set(changed)
    return Comparability(
        corpus_before=corpus_before,
        corpus_after=corpus_after,
        same=tuple(golden for golden in both if golden not in different),
        changed=changed,
        removed=tuple(golden for golden in before if golden not in after),
        added=tuple(golden for golden in after if golden not in before),
    )
