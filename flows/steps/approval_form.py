"""The form that asks a person before money is spent: an estimate above a limit, and the decision."""

from typing import Any, Literal

from prefect.input import RunInput
from pydantic import Field, create_model

from ragset.dataset.manifest import Totals
from ragset.models import Model, Usage
from ragset.settings import ApprovalSettings


class Question(Model):
    """The calls that a person is asked to approve, and the limits."""

    what: str
    """What is to be made, such as `100 goldens`."""
    rows: tuple[Usage, ...]
    """Calls that are paid for; their `cost` is None if no price is known."""
    basis: str
    limits: ApprovalSettings
    most: int = 1
    foreseen: int = 1
    """The number of goldens in the estimate: a corpus may give fewer than are asked for."""

    @property
    def totals(self) -> Totals:
        """Sums over all rows."""
        return Totals.of(self.rows)

    @property
    def needed(self) -> bool:
        """Whether the estimate is above a limit. An unknown cost is above every limit."""
        return bool(self.totals.calls) and any(amount is None or amount > limit for amount, limit in self._limited)

    @property
    def within(self) -> int:
        """The largest number of goldens whose estimate stays within the limits, at least 1; unknown costs do not count."""
        shares = (limit / amount for amount, limit in self._limited if amount)
        return max(1, min(self.most, int(self.foreseen * min([1.0, *shares]))))

    @property
    def _limited(self) -> list[tuple[float | None, float]]:
        """Calls and cost, each with its limit, where it has one."""
        totals, limits = self.totals, self.limits
        pairs = ((totals.calls, limits.above_calls), (totals.cost, limits.above_cost))
        return [(amount, limit) for amount, limit in pairs if limit is not None]

    @property
    def spending(self) -> str:
        """Calls and cost of the estimate, each with its limit."""
        totals, limits = self.totals, self.limits
        calls = f"{totals.calls:,} calls of models"
        if limits.above_calls is not None:
            calls += f" (limit: {limits.above_calls:,})"
        cost = "an unknown cost" if totals.cost is None else f"a cost of {_money(totals.cost)}"
        if limits.above_cost is not None:
            cost += f" (limit: {_money(limits.above_cost)})"
        return f"{calls} and {cost}"


def form(question: Question) -> type[RunInput]:
    """The form. Its schema limits the values, so that the server refuses others and waits on."""
    said = "`go on`, or `cancel` the run, which has asked no model anything yet."
    decision = Field(default="go on", title="Decision", description=said)
    fields: dict[str, Any] = {"decision": (Literal["go on", "cancel"], decision)}
    if (most := question.most) > 1:
        said = f"How many goldens to make, 1 to {most:,}. {question.within:,} stay within the limits."
        fields["n"] = (int, Field(default=most, ge=1, le=most, title="Goldens", description=said))
    made = create_model("Approval", __base__=RunInput, **fields)
    return made.with_initial_data(description=explain(question))


def explain(question: Question) -> str:
    """The estimate as Markdown: the question, a table of calls, tokens and cost by stage, and its basis."""
    by_stage: dict[tuple[str, str], list[Usage]] = {}
    for row in question.rows:
        by_stage.setdefault((row.stage, row.asked), []).append(row)
    lines = [
        f"This run is about to make **{question.what}**, at an estimate of **{question.spending}**.",
        "",
        "| Stage | Calls | Tokens | Cost | Model |",
        "| --- | ---: | ---: | ---: | --- |",
        *(_line(*stage, Totals.of(rows)) for stage, rows in by_stage.items()),
        _line("**all**", "", question.totals),
        "",
        question.basis,
        "Replies that an earlier run was given are in the journal and cost nothing: what is really spent may be less.",
    ]
    unpriced = sorted({row.model for row in question.rows if row.cost is None and row.prompt_tokens})
    if unpriced:
        lines.append(
            f"The price of {', '.join(unpriced)} is unknown: write it into a YAML file, and let RAGSET_PRICES name the file."
        )
    lines += ["", f"Without an answer the run ends after {question.limits.wait_hours:g} hours."]
    return "\n".join(lines)


def _line(stage: str, model: str, totals: Totals) -> str:
    tokens = totals.prompt_tokens + totals.completion_tokens
    cost = "unknown" if totals.cost is None else _money(totals.cost)
    cells = (stage, f"{totals.calls:,}", f"{tokens:,}" if tokens else "–", cost, model)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _money(cost: float) -> str:
    return f"${cost:,.2f}" if cost >= 0.095 or cost == 0 else f"${cost:.4f}"
