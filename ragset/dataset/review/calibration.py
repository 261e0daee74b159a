"""The lowest scores of the critic with which a golden is kept, chosen on goldens of the random sample that people judged."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from ragset.dataset.manifest import Manifest
from ragset.dataset.read import Dataset
from ragset.dataset.review.estimates import Share, share_of
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import read_plan, sampled
from ragset.dataset.review.records import Review, by_item, guidelines_used, standing
from ragset.errors import InputError
from ragset.models import Model
from ragset.settings.command_line import command
from ragset.settings.writing import Thresholds

ALPHA = 0.05
"""A threshold rises only if what it drops is worse than what it keeps, by a difference that chance shows less often."""


class Judged(NamedTuple):
    """A golden's scores by the critic, and whether people call it good."""

    scores: Mapping[str, int]
    good: bool


class Kept(Model):
    """What thresholds keep of judged goldens."""

    precision: Share  # of those that are kept, how many are good
    recall: Share  # of the good ones, how many are kept


class Row(Model):
    """What a threshold of one score alone would keep."""

    score: str
    threshold: int
    kept: Kept


class Calibration(Model):
    """Thresholds of the critic's scores, and what they keep of the goldens that people judged."""

    guideline: str  # what people judged by, `name@version`
    others: dict[str, int]  # judgements under other versions of it, which do not count
    tied: int  # goldens of the sample that as many people call good as bad; they are left out
    wanted: float  # the share of good goldens that was asked for
    before: dict[str, int]  # thresholds of the run
    good: Share  # how many of the judged goldens are good
    rows: tuple[Row, ...]  # every score at every level that a judged golden has
    thresholds: dict[str, int]  # recommended
    kept: Kept  # with these

    @property
    def reached(self) -> bool:
        """Whether the share that was asked for is reached."""
        return self.kept.precision.share >= self.wanted


def calibrate(dataset: Dataset, wanted: float, guideline: str | None = None) -> Calibration:
    """Recommend thresholds with which the share `wanted` of the goldens is good, by the judgements beside the dataset.

    `guideline`, as `golden@1`, chooses the judgements; without it, those under its newest version count.
    """
    goldens = {golden.id: golden for golden in dataset.goldens}
    lines = [line for line in read_reviews(dataset.folder).lines if line.item in goldens]
    used = guidelines_used(lines, "golden")
    guideline = guideline or next(iter(used), "")
    sample = sampled(goldens, read_plan(dataset.folder), standing(lines, "golden", guideline)).judged
    said = majority(sample)
    judged = [Judged(goldens[item].scores, good) for item, good in said.items()]
    if not judged:
        under = f" under {guideline}" if guideline else ""
        mend = f"judge its first goldens: {command('review', dataset.folder)}"
        raise InputError(f"{dataset.folder}: people have judged nothing of its random sample{under}; {mend}")
    if not any(one.scores for one in judged):
        raise InputError(
            f"{dataset.folder}: no critic scored the goldens that people judged, so there is nothing to choose"
        )
    before = _thresholds(dataset.manifest)
    thresholds = recommended(judged, before, wanted)
    levels = sorted({level for one in judged for level in one.scores.items()})
    return Calibration(
        guideline=guideline,
        others={name: number for name, number in used.items() if name != guideline},
        tied=len(sample) - len(said),
        wanted=wanted,
        before=before,
        good=share_of(one.good for one in judged),
        rows=tuple(Row(score=name, threshold=least, kept=keep(judged, {name: least})) for name, least in levels),
        thresholds=thresholds,
        kept=keep(judged, thresholds),
    )


def majority(judged: Mapping[str, Iterable[Review]]) -> dict[str, bool]:
    """Whether most people call each item good; without those that as many call bad."""
    shares = {item: fmean(review.good for review in reviews) for item, reviews in judged.items()}
    return {item: share > 0.5 for item, share in shares.items() if share != 0.5}


def judged_goldens(dataset: Dataset, guideline: str) -> dict[str, tuple[bool, tuple[Review, ...]]]:
    """What people say of each golden, also outside of the random sample; with the judgements that are in the majority."""
    judged = by_item(standing(read_reviews(dataset.folder).lines, "golden", guideline))
    said = majority(judged)
    return {item: (good, tuple(one for one in judged[item] if one.good == good)) for item, good in said.items()}


def passes(scores: Mapping[str, int], thresholds: Mapping[str, int]) -> bool:
    """Whether no score is below its threshold. A score that was not asked for has none."""
    return all(scores.get(name, least) >= least for name, least in thresholds.items())


def keep(judged: Sequence[Judged], thresholds: Mapping[str, int]) -> Kept:
    """What these thresholds keep."""
    kept = [one for one in judged if passes(one.scores, thresholds)]
    recall = share_of(passes(one.scores, thresholds) for one in judged if one.good)
    return Kept(precision=share_of(one.good for one in kept), recall=recall)


def recommended(judged: Sequence[Judged], before: Mapping[str, int], wanted: float) -> dict[str, int]:
    """The thresholds `before`, raised one by one until the share `wanted` of what is kept is good, or nothing helps.

    A step must drop worse goldens than it keeps, by Fisher's exact test corrected for the number of possible steps. Of those
    that reach the share, the one that keeps most good goldens is taken; of others, the one with the smallest p.
    """
    from scipy.stats import hypergeom

    thresholds = dict(before)
    while True:
        left = [one for one in judged if passes(one.scores, thresholds)]
        good = sum(one.good for one in left)
        levels = {level for one in left for level in one.scores.items() if level[0] in Thresholds.model_fields}
        steps = [step for step in sorted(levels) if not all(passes(one.scores, dict([step])) for one in left)]
        found: list[tuple[bool, float, str, int]] = []
        for step in steps:
            kept = [one for one in left if passes(one.scores, dict([step]))]
            stay = sum(one.good for one in kept)
            p = float(hypergeom.sf(stay - 1, len(left), good, len(kept)))
            if p < ALPHA / len(steps):
                short = stay < wanted * len(kept)
                found.append((short, p if short else -stay, *step))
        if good >= wanted * len(left) or not found:
            return thresholds
        *_, name, least = min(found)
        thresholds[name] = least


def thresholds_text(found: Calibration, name: str) -> str:
    """The recommended thresholds as the YAML file that runs take; `name` is that of the dataset."""
    judged = f"{found.good.n} goldens of {name} that people judged by {found.guideline}"
    return (
        f"# Lowest scores of the critic, chosen by calibrate-critic on {judged}.\n"
        f"# Good are {percent(found.good)} of them, {percent(found.kept.precision)} of those that these scores keep.\n"
        f"# They keep {percent(found.kept.recall)} of the good ones. For runs: writing: {{thresholds: THIS FILE}}\n"
        + "".join(f"{score}: {least}\n" for score, least in found.thresholds.items())
    )


def percent(share: Share) -> str:
    """With its interval."""
    return f"{share.share:.0%} ({share.low:.0%} to {share.high:.0%})" if share.n else "none"


def _thresholds(manifest: Manifest) -> dict[str, int]:
    """Those of the run that made the goldens; the usual ones if it does not say."""
    given: Any = (manifest.parameters.get("writing") or {}).get("thresholds") or {}
    return Thresholds.model_validate(given).model_dump()
