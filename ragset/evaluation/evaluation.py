"""What `ragset.evaluate` found: scores with intervals, a row for each golden, the report, and what changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ragset.errors import InputError
from ragset.evaluation.metrics.registry import find_metric, has_mean, in_order
from ragset.evaluation.results.comparing import Compared, compare
from ragset.evaluation.results.folder import as_stored, read_results
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.sentences import by_rules, html_table, many
from ragset.evaluation.results.writing import write_results
from ragset.evaluation.thresholds import check_least
from ragset.models import CORPUS_WIDE

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_AT = {"chunks": 5, "spans": 5, "tokens": 512}
"""Of the cut-offs and budgets, the nearest to this is shown; `scores` has all."""


@dataclass(frozen=True, repr=False)
class Evaluation:
    """One system measured on one test set."""

    results: Results
    """As a benchmark of this one system would have them."""

    @property
    def name(self) -> str:
        """Of the system."""
        return self.results.systems[0].name

    @cached_property
    def scores(self) -> "pd.DataFrame":
        """A row for each metric: mean, its 95 % interval (low, high), goldens (n), those not judged, and bounds of the mean.

        The bounds, `worst` and `best`, are what the mean could be by what is not known; the primary metric comes first.
        """
        import pandas as pd

        floats = dict.fromkeys(("mean", "low", "high", "worst", "best"), float)
        frame = pd.DataFrame([one.model_dump() for one in self.results.standings]).set_index("metric")
        bounds = [{"worst": one.mean, "best": one.mean, **dict(one.bounds or ())} for one in self.results.standings]
        frame = frame[["mean", "low", "high", "n", "missing"]].join(pd.DataFrame(bounds, index=frame.index))
        return frame.loc[list(in_order(frame.index, self.results.primary))].astype(floats)

    @cached_property
    def frame(self) -> "pd.DataFrame":
        """A row for each golden: query, kind, reference, answer, the number of passages, where it fails, and every metric."""
        import pandas as pd

        results = self.results
        run, answers = results.runs[self.name], results.answers.get(self.name, {})
        failures = results.failures.get(self.name, {})
        rows = (
            (
                one.id,
                one.query,
                one.kind,
                one.answer,
                answers.get(one.id),
                len(run[one.id]) if one.id in run else None,
                failures.get(one.id),
            )
            for one in results.goldens
        )
        columns = ["golden", "query", "kind", "reference", "answer", "passages", "fails_at"]
        about = pd.DataFrame(rows, columns=columns).set_index("golden")
        values = results.scores.pivot(index="golden", columns="metric", values="value")
        return about.join(values[list(in_order(map(str, values.columns), results.primary))])

    def report(self, path: str | Path = "report.html") -> Path:
        """Write the report, one page without links to anything, and return where it is."""
        file = Path(path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(render_results(self.results, stored=False), encoding="utf-8", newline="")
        except OSError as error:
            raise InputError(f"{file}: cannot be written ({error.strerror})") from None
        return file

    def write(self, folder: str | Path) -> Path:
        """Write a folder of results, as `benchmark` does: `compare` and `review` read it."""
        write_results(Path(folder), self.results, render_results(self.results))
        return Path(folder)

    def compare(self, before: "Evaluation | str | Path", *metrics: str, across_corpora: bool = False) -> Compared:
        """What changed since an earlier evaluation, or since a folder of results with the same configuration.

        Of `metrics`, or else the primary one of `before`; see `ragset.evaluation.results.comparing.compare`.
        """
        after = as_stored(self.results)
        if not isinstance(before, Evaluation):
            return compare(read_results(Path(before)), after, metrics, across_corpora=across_corpora)
        earlier = as_stored(before.results)
        # Another function, measured on the same goldens, is what one wants to compare.
        named = earlier.scores.assign(configuration=self.name)
        earlier = type(earlier)(earlier.folder, earlier.benchmark, named, earlier.documents, earlier.contents)
        return compare(earlier, after, metrics, across_corpora=across_corpora)

    def assert_at_least(self, metric: str, least: float, *, surely: bool = False) -> None:
        """Raise AssertionError if the mean is below `least` by more than noise, or `surely`, if it could be below by noise.

        That is, if the 95 % interval lies below `least` whatever unknown scores are; `surely`, if any part of it does.
        """
        table = self.results.scores
        rows = table[table["metric"] == metric]
        if not len(rows) or not has_mean(metric):
            known = ", ".join(map(str, self.scores.index))
            raise InputError(f"{metric}: nothing was scored in this metric; choose one of {known}")
        if failed := check_least(metric, least, rows, as_stored(self.results).documents, surely=surely):
            raise AssertionError(f"{self.name}: {failed}")

    def notices(self) -> Iterator[str]:
        """What a reader of the scores must know, a sentence each."""
        external = self.results.systems[0].external
        if external:
            yield from (f"{self.name} {notice}" for notice in external.notices)
        wide = sum(golden.kind == CORPUS_WIDE for golden in self.results.goldens)
        if wide:
            scored = "assertions_met" in set(self.results.scores["metric"])
            why = (
                "scored by assertions_met alone"
                if scored
                else "in no metric: a critic (critic=…) grades answers to them"
            )
            yield f"{wide:,} corpus-wide {'golden is' if wide == 1 else 'goldens are'} {why}."
        if rules := by_rules(self.results.made_by_rules, len(self.results.goldens)):
            yield rules
        if self.results.problems:
            yield f"{len(self.results.problems):,} records of the test set could not be used."

    def __repr__(self) -> str:
        """The title, the metrics at one cut-off with their intervals, and what must be known of them."""
        rows = [f"  {name:<24} {mean}  {between}" for name, mean, between in self.shown()]
        return "\n".join([self._title, *rows, *self.notices()])

    def _repr_html_(self) -> str:
        """The same as `repr`, for notebooks."""
        return html_table(self._title, ("metric", "mean", "95 % interval"), self.shown(), self.notices())

    @property
    def _title(self) -> str:
        goldens = len(self.results.goldens)
        return f"{self.name} on {self.results.name}: {many(goldens, 'golden')}"

    def shown(self) -> Iterator[tuple[str, str, str]]:
        """Metric, mean and interval of the metrics at one cut-off and token budget."""
        nearest: dict[str, int] = {}
        for name in map(str, self.scores.index):
            metric, size = find_metric(name) or (None, 0)
            if metric and size and metric.needs in _SHOWN_AT:
                aim = _SHOWN_AT[metric.needs]
                known = nearest.setdefault(metric.name, size)
                nearest[metric.name] = min(known, size, key=lambda one: abs(one - aim))
        for one in self.results.standings:
            metric, size = find_metric(one.metric) or (None, 0)
            if one.metric != self.results.primary and metric and size != nearest.get(metric.name, size):
                continue
            mean = "not judged" if one.mean is None else f"{one.mean:.3f}"
            yield one.metric, mean, "" if one.low is None or one.high is None else f"{one.low:.3f}–{one.high:.3f}"
