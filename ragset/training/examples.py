"""Training examples: a query of a golden, the chunks that answer it, and hard negatives that do not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ragset.dataset.completeness import METADATA as JUDGED
from ragset.dataset.completeness import RELEVANT
from ragset.dataset.relevance.qrels import Gold, Layout, place_of, places_of, qrels
from ragset.errors import RagsetError
from ragset.generation.stages.support import CONTRADICTED, PARTIAL
from ragset.models import Golden, Model
from ragset.training.held_out import HeldOut
from ragset.training.negatives import HardNegative, NegativeSettings, Ranking, hard_negatives

Rank = Callable[[Sequence[str], Sequence[Sequence[str]]], Sequence[Sequence[Ranking]]]
"""For queries and the ids of their positives, the rankings of each query."""


class TrainingExample(Model):
    """One query of the train side."""

    golden: str
    """Id of the golden."""
    document: str
    """Id of the document of its first evidence."""
    query: str
    positives: tuple[str, ...]
    """Ids of the chunks that answer it, in the order of the evidence; at least one."""
    negatives: tuple[HardNegative, ...] = ()
    """Hardest first of each search, the searches in turn."""
    avoided: tuple[str, ...] = ()
    """Ids of chunks that are neither: they touch evidence, or the golden says that they answer in part or differently."""


class ExampleSet(Model):
    """The examples of a train side, in the order of its goldens."""

    examples: tuple[TrainingExample, ...]
    left_out: dict[str, int]
    """Goldens that make no example, by reason."""


class _Known(NamedTuple):
    """What is known of a golden before anything is searched for."""

    golden: Golden
    positives: tuple[str, ...]
    avoided: tuple[str, ...]


def make_examples(
    goldens: Iterable[Golden],
    gold: Gold,
    chunk_ids: Sequence[str],
    held_out: HeldOut,
    rank: Rank,
    settings: NegativeSettings,
) -> ExampleSet:
    """The examples of goldens of the train side over these chunks; `gold` has at least these goldens.

    Raises:
        RagsetError: an example would hold a passage that is held out, which is a fault of ragset.
    """
    layout, left_out = Layout(chunk_ids), Counter[str]()
    known: list[_Known] = []
    goldens = tuple(goldens)
    relevant = qrels({golden.id: gold[golden.id] for golden in goldens}, chunk_ids)
    for golden in goldens:
        found = list(dict.fromkeys(chunk for chunks in relevant.get(golden.id, ()) for chunk in chunks))
        positives = tuple(chunk for chunk in found if not held_out.holds(chunk))
        if positives:
            avoided = dict.fromkeys(_doubtful(golden, gold, layout))
            known.append(_Known(golden, positives, tuple(chunk for chunk in avoided if chunk not in found)))
        else:
            left_out[_why_none(golden, found)] += 1
    queries = [one.golden.query for one in known]
    rankings = rank(queries, [one.positives for one in known]) if known else []
    examples = tuple(
        _example(one, relevant[one.golden.id], found, held_out, settings)
        for one, found in zip(known, rankings, strict=True)
    )
    if leaked := next(iter(leaks(examples, held_out)), None):
        raise RagsetError(f"chunk {leaked} is of the test side and in the training data; report this fault of ragset")
    return ExampleSet(examples=examples, left_out=dict(left_out))


def leaks(examples: Iterable[TrainingExample], held_out: HeldOut) -> list[str]:
    """Ids of chunks in the examples that are held out; there should be none."""
    shown = (chunk for one in examples for chunk in shown_chunks(one))
    return [chunk for chunk in dict.fromkeys(shown) if held_out.holds(chunk)]


def shown_chunks(example: TrainingExample) -> list[str]:
    """Ids of the chunks that a model sees with the example."""
    return [*example.positives, *(negative.chunk for negative in example.negatives)]


def _example(
    known: _Known,
    relevant: Sequence[Mapping[str, int]],
    rankings: Sequence[Ranking],
    held_out: HeldOut,
    settings: NegativeSettings,
) -> TrainingExample:
    refused = {*known.avoided, *(chunk for chunks in relevant for chunk in chunks)}
    golden = known.golden
    return TrainingExample(
        golden=golden.id,
        document=golden.evidence[0].doc_id,
        query=golden.query,
        positives=known.positives,
        negatives=hard_negatives(rankings, lambda chunk: chunk in refused or held_out.holds(chunk), settings),
        avoided=known.avoided,
    )


def _doubtful(golden: Golden, gold: Gold, layout: Layout) -> Iterator[str]:
    """Chunks that share a character with the evidence, a copy, an equivalent, or a passage of which the golden says so."""
    places = [place_of(span.id) for pieces in gold[golden.id] for spans in pieces for span in spans]
    named = [one["chunk"] for key in (CONTRADICTED, PARTIAL, "left_out") for one in _listed(golden, key, "chunk")]
    named += [one["passage"] for one in _listed(golden, JUDGED, "passage") if one.get("grade", RELEVANT) >= RELEVANT]
    for place in (*places, *(place for name in named for place in places_of(name))):
        yield from (chunk.id for chunk in layout.overlapping(place))


def _listed(golden: Golden, key: str, of: str) -> Iterator[Mapping[str, Any]]:
    """The entries of a list in its metadata that name a chunk; a refresh or a person may have changed the others."""
    for one in golden.metadata.get(key) or ():
        if isinstance(one, Mapping) and of in one:
            yield one


def _why_none(golden: Golden, found: Sequence[str]) -> str:
    if not golden.evidence:
        return "without evidence"
    return "evidence shares a passage with the test side" if found else "evidence in no chunk"
