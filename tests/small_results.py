"""Results of a benchmark: two configurations to work out by hand, and a sample as large as a small benchmark."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.results.facts import DatasetAgreement
from ragset.evaluation.results.model import Comparison, Results, Standing, System
from ragset.evaluation.results.standings import agreements
from ragset.models import Document, Golden, Span
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of

HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> {{ 7 * 7 }} =HYPERLINK("x")'

Score = tuple[str, str, str, float]
"""Configuration, golden, metric, value."""


def frame_of(rows: Sequence[Score]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=["configuration", "golden", "metric", "value"])


def standing_of(name: str, mean: float | None, metric: str = "recall@5", **more: Any) -> Standing:
    low, high = (None, None) if mean is None else (max(0.0, mean - 0.1), min(1.0, mean + 0.1))
    given = Standing(configuration=name, metric=metric, mean=mean, low=low, high=high, n=2)
    return given.model_copy(update=more)


def compared_of(name: str, against: str, difference: float, p: float = 0.5) -> Comparison:
    low, high = difference - 0.1, difference + 0.1
    return Comparison(
        configuration=name,
        against=against,
        metric="recall@5",
        difference=difference,
        low=low,
        high=high,
        p=p,
        p_holm=p,
    )


def alike_of(one: str = "short", other: str = "long", **changes: Any) -> DatasetAgreement:
    fields: dict[str, Any] = {
        "metric": "recall@5",
        "tau_b": 0.8,
        "tau_low": 0.6,
        "tau_high": 0.9,
        "spearman": 0.85,
        "rho_low": 0.65,
        "rho_high": 0.95,
        "configurations": 2,
    }
    return DatasetAgreement(one=one, other=other, **{**fields, **changes})


def in_datasets(goldens: Sequence[Golden], *names: str) -> tuple[Golden, ...]:
    """Golden by golden of the dataset so named."""
    return tuple(
        golden.model_copy(update={"metadata": {**golden.metadata, "dataset": name}})
        for golden, name in zip(goldens, names, strict=True)
    )


def agreeing(results: Results) -> Results:
    """The same with what its scores say of how alike its datasets rank."""
    datasets = {golden.id: str(golden.metadata["dataset"]) for golden in results.goldens}
    found = agreements(results.scores, datasets, clusters_of(results.goldens), results.primary, results.seed)
    return replace(results, agreements=found)


def tea_results(folder: Path, **changes: Any) -> Results:
    """Two goldens of one document; `fine` finds both at once and `coarse` one of them, at rank 3."""
    hot = golden_of("How hot may green tea be?")
    long = golden_of("How long is it steeped?", "Two minutes.", evidence=((36, 61),), style="exam")
    first, second = Hit(f"{TEA.id}:0-35", 0.9), Hit(f"{TEA.id}:36-61", 0.8)
    rows: list[Score] = [
        ("fine", hot.id, "recall@5", 1.0),
        ("fine", long.id, "recall@5", 1.0),
        ("coarse", hot.id, "recall@5", 1.0),
        ("coarse", long.id, "recall@5", 0.0),
        ("fine", hot.id, "gold_rank", 1.0),
        ("fine", long.id, "gold_rank", 1.0),
        ("coarse", hot.id, "gold_rank", 3.0),
        ("coarse", long.id, "gold_rank", float("nan")),
    ]
    fields: dict[str, Any] = {
        "name": "teas",
        "datasets": ("teas",),
        "corpus": corpus_of(folder / "teas"),
        "goldens": (hot, long),
        "systems": (
            System(name="coarse", chunking="token-800", retrieval="dense", embedding="offline-512", chunks=1),
            System(name="fine", chunking="recursive-96", retrieval="dense", embedding="offline-512", chunks=2),
        ),
        "runs": {"fine": {hot.id: [first, second], long.id: [second, first]}, "coarse": {hot.id: [second, first]}},
        "answers": {},
        "scores": frame_of(rows),
        "standings": (standing_of("fine", 1.0), standing_of("coarse", 0.5)),
        "comparisons": (),
        "primary": "recall@5",
        "baseline": "",
        "parameters": {"final": 7},
        "versions": {"ragset": "0.1.0"},
    }
    return Results(**{**fields, **changes})


_SUBJECTS = (
    ("Water clocks", "water-clocks.md"),
    ("Sundials", "sundials.txt"),
    ("The pendulum clock", "pendulum-clock.md"),
    ("Marine chronometers", "marine-chronometer.md"),
    ("Incense clocks", "incense-clocks.txt"),
    ("Leap seconds and the calendar of astronomers", "leap-seconds.md"),
)
_WORDS = (
    "clock",
    "hour",
    "shadow",
    "water",
    "vessel",
    "bronze",
    "keeper",
    "monastery",
    "minute",
    "gear",
    "escapement",
    "pendulum",
    "winter",
    "frost",
    "scale",
    "ship",
    "longitude",
    "voyage",
    "captain",
    "noon",
    "dial",
    "plate",
    "stone",
    "temple",
    "bell",
    "spring",
    "balance",
    "error",
    "day",
    "night",
    "second",
    "rate",
    "market",
)
_CHUNKINGS = (("recursive-128", 128), ("token-256", 256), ("recursive-512", 512), ("semantic-400", 400))
_BUDGETS = (256, 512, 1024, 2048)


def sample_results(
    folder: Path,
    *,
    goldens: int = 30,
    chunkings: Sequence[tuple[str, int]] = _CHUNKINGS,
    retrievals: Sequence[str] = ("dense", "bm25", "hybrid"),
    reader: str = "gpt-5-mini",
    seed: int = 0,
    hostile: str = HOSTILE,
) -> Results:
    """Clocks in a handful of documents, with judgements that could not be had and a query that a run lacks."""
    rng = np.random.default_rng(seed)
    corpus = corpus_of(folder, *(_document(title, source, rng, hostile) for title, source in _SUBJECTS))
    tests = tuple(_golden(list(corpus), number, rng, hostile) for number in range(goldens))
    systems = tuple(
        System(
            name=" / ".join(part for part in (chunking, "" if way == "bm25" else "offline-512", way, reader) if part),
            chunking=chunking,
            embedding="" if way == "bm25" else "offline-512",
            retrieval=way,
            reranker="none",
            reader=reader,
            chunks=sum(len(document.text) // size + 1 for document in corpus),
        )
        for chunking, size in chunkings
        for way in retrievals
    )
    sizes = dict(chunkings)
    skill = {system.name: 0.2 + 0.7 * rng.random() for system in systems}
    hardness = {golden.id: 0.35 * rng.standard_normal() for golden in tests}
    runs: dict[str, dict[str, list[Hit]]] = {}
    answers: dict[str, dict[str, str | None]] = {}
    rows: list[Score] = []
    for system in systems:
        runs[system.name], answers[system.name] = {}, {}
        for golden in tests:
            luck = skill[system.name] + hardness[golden.id] + 0.2 * rng.standard_normal()
            rank = float("nan") if luck < 0.25 else float(1 + rng.poisson(max(0.05, 4 * (1 - luck))))
            runs[system.name][golden.id] = _hits(list(corpus), golden, rank, sizes[system.chunking], rng)
            if reader:
                said = golden.answer if luck > 0.5 else "It is not said." if luck > 0.3 else None
                answers[system.name][golden.id] = f"{said} {hostile}" if said and luck > 1 else said
            rows += [(system.name, golden.id, *score) for score in _scores(rank, luck, bool(reader), rng)]
    del runs[systems[-1].name][tests[0].id]
    scores = frame_of(rows)
    standings = _standings(scores, rng)
    best = max((one for one in standings if one.metric == "recall@5"), key=lambda one: one.mean or 0).configuration
    baseline = systems[0].name
    comparisons = _comparisons(scores, [best, baseline], rng)
    told = {one.configuration for one in comparisons if one.against == best and one.p_holm < 0.05}
    standings = tuple(
        one.model_copy(update={"tied": one.configuration not in told}) if one.metric == "recall@5" else one
        for one in standings
    )
    return Results(
        name="clocks",
        datasets=("clocks-single", "clocks-multi"),
        corpus=corpus,
        goldens=tests,
        systems=systems,
        runs=runs,
        answers=answers,
        scores=scores,
        standings=standings,
        comparisons=comparisons,
        primary="recall@5",
        baseline=baseline,
        seed=seed,
        parameters={
            "grid": {"chunking": [name for name, _ in chunkings], "retrieved": 30, "final": 7},
            "note": hostile,
        },
        versions={"ragset": "0.1.0", "python": "3.11.9", "milvus-lite": "3.2.2"},
    )


def _document(title: str, source: str, rng: np.random.Generator, hostile: str) -> Document:
    sentences = [
        " ".join(rng.choice(_WORDS, size=rng.integers(7, 16))).capitalize() + "." for _ in range(rng.integers(40, 80))
    ]
    sentences[3] = f"🕛 {hostile}"
    paragraphs = [" ".join(sentences[place : place + 5]) for place in range(0, len(sentences), 5)]
    return Document.of("\n\n".join(paragraphs), source=source, title=title)


def _golden(documents: Sequence[Document], number: int, rng: np.random.Generator, hostile: str) -> Golden:
    chosen = rng.choice(len(documents), size=2 if number % 4 == 3 else 1, replace=False)
    spans: list[Span] = []
    for place in chosen:
        text = documents[int(place)].text
        start = text.index(". ", int(rng.integers(0, len(text) - 600))) + 2
        spans.append(Span(doc_id=documents[int(place)].id, start=start, end=text.index(".", start + 40) + 1))
    spans.sort(key=lambda span: (span.doc_id, span.start))
    subject = " and ".join(documents[int(place)].title.lower() for place in chosen)
    asked = " ".join(rng.choice(_WORDS, size=6))
    return Golden(
        id=f"g-{number:012x}",
        query=f"What of {subject}: {asked}?" if number else hostile,
        answer=None if number == 7 else " ".join(rng.choice(_WORDS, size=9)).capitalize() + ".",
        kind="multi-chunk" if len(spans) > 1 else "single-chunk",
        evidence=tuple(spans),
        chunks=tuple(span.id for span in spans),
        metadata={
            "style": ("open", "factoid", "exam")[number % 3],
            "evolution": ("none", "reasoning")[number % 2],
            "dataset": "clocks-multi" if len(spans) > 1 else "clocks-single",
            **({"shape": ("comparison", "bridge")[number // 4 % 2]} if len(spans) > 1 else {}),
        },
    )


def _hits(documents: Sequence[Document], golden: Golden, rank: float, size: int, rng: np.random.Generator) -> list[Hit]:
    gold = golden.evidence[0]
    hits: list[Hit] = []
    score = 1.0
    while len(hits) < 12:
        score *= 0.9 + 0.09 * rng.random()
        if len(hits) + 1 == rank:
            start, doc_id = gold.start - gold.start % size, gold.doc_id
            length = next(len(document.text) for document in documents if document.id == doc_id)
            hits.append(Hit(f"{doc_id}:{start}-{min(max(start + size, gold.end), length)}", score))
            continue
        document = documents[int(rng.integers(len(documents)))]
        start = int(rng.integers(0, len(document.text) // size + 1)) * size
        end = min(start + size, len(document.text))
        span = Span(doc_id=document.id, start=start, end=end) if end > start else None
        if span and not any(span.overlap(evidence) for evidence in golden.evidence):
            hits.append(Hit(span.id, score))
    return hits


def _scores(rank: float, luck: float, read: bool, rng: np.random.Generator) -> list[tuple[str, float]]:
    found = float(rank <= 5)
    share = min(1.0, max(0.0, luck))
    scores = [
        ("hit_rate@5", found),
        ("recall@5", found * (0.5 if rng.random() < 0.2 else 1.0)),
        ("ndcg@5", found / np.log2(rank + 1) if found else 0.0),
        ("mrr", 0.0 if np.isnan(rank) else 1 / rank),
        ("span_recall@5", found * (0.7 + 0.3 * share)),
        ("span_precision@5", 0.12 * share),
        ("span_iou@5", 0.11 * share),
        ("gold_rank", rank),
        *((f"recall@{budget}tokens", min(1.0, share * (0.35 + 0.16 * step))) for step, budget in enumerate(_BUDGETS)),
    ]
    if read:
        lost = rng.random() < 0.06
        scores += [
            ("correctness", float("nan") if lost else round(4 * share) / 4),
            ("faithfulness", float("nan") if lost else min(1.0, share + 0.1)),
            ("token_f1", 0.8 * share),
        ]
    return [(metric, float(value)) for metric, value in scores]


def _standings(scores: pd.DataFrame, rng: np.random.Generator) -> tuple[Standing, ...]:
    found: list[Standing] = []
    for (name, metric), of in scores.groupby(["configuration", "metric"]):
        values = of["value"].to_numpy(dtype=float)
        known = values[~np.isnan(values)]
        if metric == "gold_rank" or not len(known):
            continue
        means = rng.choice(known, size=(2000, len(known))).mean(axis=1)
        found.append(
            Standing(
                configuration=str(name),
                metric=str(metric),
                mean=float(known.mean()),
                low=float(np.quantile(means, 0.025)),
                high=float(np.quantile(means, 0.975)),
                n=len(known),
                missing=len(values) - len(known),
            )
        )
    best: dict[str, float] = {}
    for one in found:
        best[one.metric] = max(best.get(one.metric, 0.0), one.mean or 0.0)
    return tuple(one.model_copy(update={"tied": best[one.metric] - (one.mean or 0) < 0.09}) for one in found)


def _comparisons(scores: pd.DataFrame, against: Sequence[str], rng: np.random.Generator) -> tuple[Comparison, ...]:
    rows: Any = scores[scores["metric"] == "recall@5"].pivot(index="golden", columns="configuration", values="value")
    found: list[Comparison] = []
    for other in dict.fromkeys(against):
        for name in rows.columns:
            if name == other:
                continue
            differences = (rows[name] - rows[other]).to_numpy()
            means = rng.choice(differences, size=(2000, len(differences))).mean(axis=1)
            p = float(min(1.0, 2 * min((means <= 0).mean(), (means >= 0).mean()) + 0.0004))
            found.append(
                Comparison(
                    configuration=str(name),
                    against=other,
                    metric="recall@5",
                    difference=float(differences.mean()),
                    low=float(np.quantile(means, 0.025)),
                    high=float(np.quantile(means, 0.975)),
                    p=p,
                    p_holm=min(1.0, p * (len(rows.columns) - 1)),
                )
            )
    return tuple(found)
