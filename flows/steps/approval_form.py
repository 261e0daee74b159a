"""The form that a person is asked to fill in before money is spent: an estimate above a limit, and the decision."""

from typing import Any, Literal

from prefect.input import RunInput
from pydantic import Field, create_model

from ragset.dataset.manifest import Totals
from ragset.models import Model, Usage
from ragset.settings import ApprovalSettings


class Question(Model):
    """What a person is asked about: the calls that cost, and the limits."""

    what: str
    """That is to be made, such as `100 goldens`."""
    rows: tuple[Usage, ...]
    """Of models that cost; None as `cost` where no price is known."""
    basis: str
    limits: ApprovalSettings
    most: int = 1
    """The number of goldens asked for."""
    foreseen: int = 1
    """The number of goldens in the estimate: a corpus may give fewer than are asked for."""

    @property
    def totals(self) -> Totals:
        """Of all rows."""
        return Totals.of(self.rows)

    @property
    def needed(self) -> bool:
        """Whether the estimate is above a limit. A cost that nobody knows is above every limit."""
        totals, limits = self.totals, self.limits
        calls_above = limits.above_calls is not None and totals.calls > limits.above_calls
        cost_above = limits.above_cost is not None and (totals.cost is None or totals.cost > limits.above_cost)
        return bool(totals.calls) and (calls_above or cost_above)

    @property
    def within(self) -> int:
        """The largest number of goldens whose estimate is not above the limits, as far as that is known; at least 1."""
        totals, limits = self.totals, self.limits
        shares = [1.0]
        if limits.above_calls is not None and totals.calls:
            shares.append(limits.above_calls / totals.calls)
        if limits.above_cost is not None and totals.cost:
            shares.append(limits.above_cost / totals.cost)
        return max(1, min(self.most, int(self.foreseen * min(shares))))

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
    """The form. What may be typed is in its schema, so that the server refuses the rest and waits on."""
    fields: dict[str, Any] = {
        "decision": (
            Literal["go on", "cancel"],
            Field(
                default="go on",
                title="Decision",
                description="`go on`, or `cancel` the run, which has asked no model anything yet.",
            ),
        )
    }
    if question.most > 1:
        fields["n"] = (
            int,
            Field(
                default=question.most,
                ge=1,
                le=question.most,
                title="Goldens",
                description=f"How many goldens to make, 1 to {question.most:,}. {question.within:,} stay within the limits.",
            ),
        )
    made = create_model("Approval", __base__=RunInput, **fields)
    return made.with_initial_data(description=explain(question))


def explain(question: Question) -> str:
    """The estimate as Markdown: what is asked, a table of calls, tokens and cost by stage, and what it rests on."""
    stages = dict.fromkeys((row.stage, row.model) for row in question.rows)
    sums = [
        (stage, model, Totals.of(row for row in question.rows if (row.stage, row.model) == (stage, model)))
        for stage, model in stages
    ]
    lines = [
        f"This run is about to make **{question.what}**, at an estimate of **{question.spending}**.",
        "",
        "| Stage | Calls | Tokens | Cost | Model |",
        "| --- | ---: | ---: | ---: | --- |",
        *(_line(*row) for row in (*sums, ("**all**", "", question.totals))),
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
