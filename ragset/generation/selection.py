"""Selects goldens from finished candidates: no two ask the same, and there are as many as wanted, of the mix wanted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from ragset.dataset.duplicates.find import Repeat, find_repeats, keep_better
from ragset.dataset.duplicates.reworded import Close, Verdict
from ragset.generation.hardness import METADATA as HARDNESS
from ragset.generation.hardness import choose_mix, hardness_of, level_of, quotas
from ragset.models import Candidate, Golden, Reject
from ragset.retrieval.embedding.vectors import Vectors
from ragset.text.context_window import text_of
from ragset.text.overlap import METADATA as OVERLAP
from ragset.text.overlap import Overlap, overlap_of

STAGE = "keep"
UNDECIDED = "undecided_repeat"
_REASONS = {"exact": "duplicate_query", "near": "near_duplicate", "semantic": "same_meaning"}


def drop_repeats(
    finished: Sequence[Candidate],
    before: Sequence[Golden],
    *,
    how: Literal["exact", "near", "semantic"],
    vectors: Vectors | None = None,
    before_vectors: Vectors | None = None,
    semantic: float = 0.9,
    language: str = "en",
) -> tuple[list[Candidate], list[Reject]]:
    """The candidates, in their order, that repeat neither each other nor `before`, and the others with their reasons.

    The better of two stays; `before` always does. Without vectors (of the queries, a row each) meaning is not compared.
    """
    repeats = find_repeats(
        finished, vectors, earlier=before, earlier_vectors=before_vectors, semantic=semantic, language=language
    )
    choice = keep_better(finished, [repeat for repeat in repeats if how != "exact" or repeat.how == "exact"])
    rejects: list[Reject] = []
    for repeat in choice.dropped:
        of = finished[repeat.of].query if isinstance(repeat.of, int) else repeat.of
        rejects.append(finished[repeat.index].rejected(STAGE, _REASONS[repeat.how], f"{repeat.similarity:.2f}: {of}"))
    return [finished[index] for index in choice.kept], rejects


def drop_reworded(
    finished: Sequence[Candidate], pairs: Sequence[Close], verdicts: Mapping[tuple[str, str], Verdict]
) -> tuple[list[Candidate], list[Reject]]:
    """The candidates without those that ask what a better one asks; undecided pairs stay and are labelled."""
    same = [Repeat(pair.place, pair.of, "judged", pair.cosine) for pair in pairs if verdicts[pair.queries].same]
    choice = keep_better(finished, same)
    labels: dict[int, dict[str, str]] = {place: {} for place in choice.kept}
    for pair in pairs:
        places = [place for place in (pair.place, pair.of) if isinstance(place, int)]
        if verdicts[pair.queries].same is None and labels.keys() >= set(places):
            labels.update({place: {UNDECIDED: _other(pair, finished[place].query)} for place in places})
    kept: list[Candidate] = []
    for place, label in labels.items():
        metadata = {name: value for name, value in finished[place].metadata.items() if name != UNDECIDED}
        kept.append(finished[place].model_copy(update={"metadata": {**metadata, **label}}))
    rejects: list[Reject] = []
    for repeat in choice.dropped:
        other = Golden.of(finished[repeat.of]).id if isinstance(repeat.of, int) else repeat.of
        pair = next(pair for pair in pairs if {pair.place, pair.of} == {repeat.index, repeat.of})
        told = f"{other}: {_other(pair, finished[repeat.index].query)} ({verdicts[pair.queries].reason})"
        rejects.append(finished[repeat.index].rejected(STAGE, "repeats", told))
    return kept, rejects


def labelled(candidate: Candidate, language: str = "en") -> Candidate:
    """The candidate with labels that need no model: its overlap with the evidence, and its hardness; a corpus-wide one has neither."""
    if candidate.assertions:
        return candidate
    texts = [text for span in candidate.evidence if (text := text_of(span, candidate.chunks)).strip()]
    metadata = dict(candidate.metadata)
    if texts:
        metadata[OVERLAP] = overlap_of(candidate.query, texts, language).model_dump(mode="json")
    candidate = candidate.model_copy(update={"metadata": metadata})
    hardness = hardness_of(Golden.of(candidate)).model_dump(mode="json")
    return candidate.model_copy(update={"metadata": {**metadata, HARDNESS: hardness}})


def copied(golden: Golden) -> bool:
    """Whether its query is worded as the evidence, by its label."""
    label = golden.metadata.get(OVERLAP)
    return label is not None and Overlap.model_validate(label).copied


def fitting(
    candidates: Sequence[Candidate], wanted: int | None, mix: Mapping[str, float], there: Sequence[Golden] = ()
) -> int:
    """How many candidates count towards `wanted`: with a mix, no more of each level than it lacks beside `there`."""
    if wanted is None or not mix:
        return len(candidates)
    return sum(min(have, quota) for _, have, quota in _levels(candidates, wanted, mix, there))


def unmet(candidates: Sequence[Candidate], wanted: int, mix: Mapping[str, float], there: Sequence[Golden] = ()) -> str:
    """What the candidates lack of the mix, in a line."""
    levels = _levels(candidates, wanted, mix, there)
    lacking = [f"{quota} {level} goldens wanted and {have} made" for level, have, quota in levels if have < quota]
    return "The mix of hardness is not met: " + ", ".join(lacking)


def _levels(
    candidates: Sequence[Candidate], wanted: int, mix: Mapping[str, float], there: Sequence[Golden]
) -> list[tuple[str, int, int]]:
    """Each level with the number of candidates that have it, and the number wanted."""
    have = Counter(level_of(Golden.of(candidate)) for candidate in candidates)
    return [(level, have[level], quota) for level, quota in quotas(wanted, mix, there).items()]


def unanswerable_shortfall(goldens: Sequence[Golden], share: float) -> str:
    """The warning where less than half of the unanswerable goldens asked for were made; else empty."""
    wanted, made = round(share * len(goldens)), sum(golden.kind == "unanswerable" for golden in goldens)
    if 2 * made >= wanted:
        return ""
    told = f"{made:,} of {len(goldens):,} goldens are unanswerable, and {wanted:,} were to be"
    return f"{told}: few chunks lend themselves to a near miss, or the corpus answers them."


def take(
    candidates: Sequence[Candidate], wanted: int | None, mix: Mapping[str, float], there: Sequence[Golden] = ()
) -> tuple[list[Golden], list[Reject]]:
    """The first `wanted` goldens, or those that with what is `there` make the mix; the other candidates are surplus.

    Without a mix, queries worded as their evidence are left out first.
    """
    goldens = [Golden.of(candidate) for candidate in candidates]
    if wanted is None:
        return goldens, []
    first = choose_mix(goldens, wanted, mix, there) if mix else sorted(goldens, key=copied)[:wanted]
    chosen = {golden.id for golden in first}
    rejects = [
        candidate.rejected(STAGE, "surplus", f"hardness: {level_of(golden)}" if mix else "")
        for candidate, golden in zip(candidates, goldens, strict=True)
        if golden.id not in chosen
    ]
    return [golden for golden in goldens if golden.id in chosen], rejects


def _other(pair: Close, query: str) -> str:
    one, other = pair.queries
    return other if one == query else one
