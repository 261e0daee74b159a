"""The end of a run of pytest: means with intervals, thresholds, and what changed since the last run."""

from collections.abc import Generator
from typing import Any

import pytest

Rows = dict[str, dict[str, Any]]
"""By golden, its query, document, digest and scores."""
_CACHE = "ragset/scores"
_LISTED = 10


class Summary:
    """Collects the scores that reports bring. The last ones of each golden are kept in pytest's cache."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tests: dict[str, Rows] = {}
        self._least: dict[str, dict[str, float]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a report brings."""
        if found := getattr(report, "ragset", None):
            self._tests.setdefault(found["test"], {}).update(found["rows"])
            self._least.setdefault(found["test"], {}).update(found["at_least"])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Report each threshold as a test of its own, so that the exit code, the summary and JUnit know it."""
        done = yield
        for test, least in self._least.items():
            for metric, value in least.items():
                self._report(session, f"{test}[{metric} >= {value:g}]", self._short(test, metric, value))
        return done

    def _report(self, session: pytest.Session, nodeid: str, failed: str) -> None:
        path = nodeid.partition("::")[0]
        for when in ("call", "teardown"):
            outcome: Any = "failed" if failed and when == "call" else "passed"
            told = failed if outcome == "failed" else None
            report = pytest.TestReport(
                nodeid,
                (path, None, nodeid.partition("::")[2]),
                {},
                outcome,
                told,
                when,
                duration=0.0,
                start=0.0,
                stop=0.0,
            )
            session.config.hook.pytest_runtest_logreport(report=report)

    def _short(self, test: str, metric: str, least: float) -> str:
        from ragset.evaluation.metrics.scores import with_bounds
        from ragset.evaluation.thresholds import check_least

        table = _table(self._tests[test])
        if metric not in table.columns:
            return f"{metric} was not scored; there is {', '.join(map(str, table.columns)) or 'nothing'}"
        scores = table[metric].dropna().rename("value").rename_axis("golden").reset_index()
        documents = {golden: row["document"] for golden, row in self._tests[test].items()}
        return check_least(metric, least, with_bounds(scores), documents)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the means of each test and what changed, and keep the scores."""
        cache = getattr(self._config, "cache", None)
        before: dict[str, Rows] = (cache.get(_CACHE, None) or {}) if cache else {}
        if self._tests:
            terminalreporter.section("ragset")
        for test, rows in self._tests.items():
            terminalreporter.write_line(f"{test}: {len(rows):,} golden{'s'[: len(rows) != 1]}")
            for line in _lines(rows, before.get(test, {})):
                terminalreporter.write_line(f"  {line}")
        if cache and self._tests:
            cache.set(
                _CACHE, {**before, **{test: {**before.get(test, {}), **rows} for test, rows in self._tests.items()}}
            )


def _lines(rows: Rows, before: Rows) -> Generator[str]:
    from ragset.evaluation.metrics.resample import intervals

    table = _table(rows)
    labels = [rows[golden]["document"] for golden in table.index]
    changes = dict(_changes(rows, before))
    for metric, one in zip(table.columns, intervals(table.to_numpy(dtype=float).T, labels), strict=True):
        between = "" if one.low != one.low else f"{one.low:.3f}–{one.high:.3f}"
        yield f"{metric:<20} {one.mean:.3f}  {between:<13} {changes.get(metric, '')}".rstrip()
    yield from _changed(rows, before)


def _changes(rows: Rows, before: Rows) -> Generator[tuple[str, str]]:
    """By metric, the change since the last run over the goldens that are the same in both."""
    from ragset.evaluation.metrics.paired import KnownScores, differences

    same = [golden for golden, row in rows.items() if before.get(golden, {}).get("content") == row["content"]]
    if not same:
        return
    now, last = _table({id_: rows[id_] for id_ in same}), _table({id_: before[id_] for id_ in same})
    metrics = [metric for metric in now.columns if metric in last.columns]
    if not metrics:
        return
    after, before_it = (KnownScores.of(side.loc[same, metrics].to_numpy(dtype=float).T) for side in (now, last))
    found = differences(after, before_it, [rows[golden]["document"] for golden in same])
    for metric, one in zip(metrics, found, strict=True):
        if not one.n:
            continue
        noise = f"p {one.p_holm:.3f}"
        told = (
            f"{'rose' if one.mean > 0 else 'fell'} by more than noise ({noise})"
            if one.told
            else f"within noise ({noise})"
        )
        alike = one.mean == 0 and one.low == one.high == 0
        partly = "" if one.n == len(rows) else f", on {one.n:,} of the goldens"
        yield metric, "as in the last run" if alike else f"{one.mean:+.3f} since the last run: {told}{partly}"


def _changed(rows: Rows, before: Rows) -> Generator[str]:
    """The goldens whose scores changed, those that fell furthest first."""
    moved = [
        (row["scores"][name] - earlier, name, earlier, row["scores"][name], row["query"])
        for golden, row in rows.items()
        if (last := before.get(golden)) and last["content"] == row["content"]
        for name, earlier in last["scores"].items()
        if name in row["scores"] and abs(row["scores"][name] - earlier) > 1e-9
    ]
    for _, name, earlier, now, query in sorted(moved)[:_LISTED]:
        yield f"{earlier:.2f} → {now:.2f} {name}: {query}"
    if len(moved) > _LISTED:
        yield f"and {len(moved) - _LISTED:,} more scores that changed"


def _table(rows: Rows) -> Any:
    import pandas as pd

    return pd.DataFrame.from_dict({golden: row["scores"] for golden, row in rows.items()}, orient="index")
