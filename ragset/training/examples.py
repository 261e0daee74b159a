"""Training examples: a query of a golden, the chunks that answer it, and hard negatives that do not."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ragset.dataset.completeness import METADATA as JUDGED
from ragset.dataset.completeness import RELEVANT
from ragset.dataset.relevance.qrels import Gold, Layout, place_of, places_of, qrels
from ragset.generation.stages.support import CONTRADICTED, PARTIAL
from ragset.models import Golden, Model
from ragset.training.negatives import HardNegative, NegativeSettings, Ranking, hard_negatives
from ragset.training.sides import HeldOut

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


def make_examples(
    goldens: Iterable[Golden],
    gold: Gold,
    chunk_ids: Sequence[str],
    held_out: HeldOut,
    rank: Rank,
    settings: NegativeSettings,
) -> ExampleSet:
    """The examples of goldens of the train side over these chunks, none of them held out; `gold` has at least these goldens."""
    layout, left_out = Layout(chunk_ids), Counter[str]()
    found: list[TrainingExample] = []
    goldens = tuple(goldens)
    relevant = qrels({golden.id: gold[golden.id] for golden in goldens}, chunk_ids)
    for golden in goldens:
        answering = list(dict.fromkeys(chunk for chunks in relevant.get(golden.id, ()) for chunk in chunks))
        positives = tuple(chunk for chunk in answering if not held_out.holds(chunk))
        if not positives:
            why = "evidence shares a passage with the test side" if answering else "evidence in no chunk"
            left_out[why if golden.evidence else "without evidence"] += 1
            continue
        avoided = dict.fromkeys(chunk for chunk in _doubtful(golden, gold, layout) if chunk not in answering)
        found.append(
            TrainingExample(
                golden=golden.id,
                document=golden.evidence[0].doc_id,
                query=golden.query,
                positives=positives,
                avoided=tuple(avoided),
            )
        )
    rankings = rank([one.query for one in found], [one.positives for one in found]) if found else []

    def mined(one: TrainingExample, ranked: Sequence[Ranking]) -> TrainingExample:
        refused = {*one.avoided, *(chunk for chunks in relevant[one.golden] for chunk in chunks)}
        negatives = hard_negatives(ranked, lambda chunk: chunk in refused or held_out.holds(chunk), settings)
        return one.model_copy(update={"negatives": negatives})

    return ExampleSet(examples=tuple(map(mined, found, rankings)), left_out=dict(left_out))


def shown_chunks(example: TrainingExample) -> list[str]:
    """Ids of the chunks that a model sees with the example."""
    return [*example.positives, *(negative.chunk for negative in example.negatives)]


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
