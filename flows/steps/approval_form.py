"""What a person is asked before money is spent: an estimate above a limit, as a form and in words."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

from prefect.input import RunInput
from pydantic import Field, create_model

from ragset.dataset.manifest import Totals
from ragset.models import Model, Usage
from ragset.settings import ApprovalSettings

Decision = Literal["go on", "lower n", "cancel"]


class Question(Model):
    """What a person is asked about: the calls that cost, and the limits that they are above."""

    what: str
    """That is to be made, such as `100 goldens`."""
    rows: tuple[Usage, ...]
    """Of models that cost; None as `cost` where no price is known."""
    basis: str
    settings: ApprovalSettings
    most: int = 1
    """The number of goldens asked for; a lower one can be chosen from 2 on."""
    foreseen: int = 1
    """Of goldens, in the estimate: a corpus may give fewer than are asked for."""

    @property
    def totals(self) -> Totals:
        """Of all rows."""
        return Totals.of(self.rows)

    @property
    def needed(self) -> bool:
        """Whether the estimate is above a limit, or might be for all that is known of prices."""
        return bool(self.totals.calls) and (self.calls_above or self.cost_above)

    @property
    def calls_above(self) -> bool:
        """Whether there are more calls than the limit."""
        limit = self.settings.above_calls
        return limit is not None and self.totals.calls > limit

    @property
    def cost_above(self) -> bool:
        """Whether they cost more than the limit, or might for all that is known of prices."""
        limit = self.settings.above_cost
        return limit is not None and (self.totals.cost is None or self.totals.cost > limit)

    @property
    def within(self) -> int:
        """The largest number of goldens whose estimate is not above the limits, as far as that is known; at least 1."""
        totals, limits = self.totals, self.settings
        shares = [1.0]
        if limits.above_calls is not None and totals.calls:
            shares.append(limits.above_calls / totals.calls)
        if limits.above_cost is not None and totals.cost:
            shares.append(limits.above_cost / totals.cost)
        return max(1, min(self.most - 1, int(self.foreseen * min(shares))))


def above(question: Question) -> str:
    """The estimate in a line, with the limits that it is above."""
    totals, limits = question.totals, question.settings
    calls, cost = f"{totals.calls:,} calls", _cost(totals.cost)
    if question.calls_above:
        calls += f" (above the limit of {limits.above_calls:,})"
    if question.cost_above:
        told = "it may be above" if totals.cost is None else "above"
        cost += f" ({told} the limit of {_money(limits.above_cost or 0)})"
    return f"The estimate is {calls} and {cost}"


def form(question: Question, wrong: str = "") -> type[RunInput]:
    """The form for `question`, below what was `wrong` with the answer before.

    What may be typed is in its schema, so that the server refuses the rest and waits on.
    """
    fields: dict[str, Any] = {}
    lower = question.most > 1
    choices = get_args(Decision) if lower else ("go on", "cancel")
    fields["decision"] = (
        Literal[choices],
        Field(
            default="go on",
            title="Decision",
            description="`go on` as estimated"
            + (", `lower n` and go on," if lower else ",")
            + " or `cancel` the run, which has asked no model anything yet.",
        ),
    )
    if lower:
        fields["n"] = (
            int,
            Field(
                default=question.within,
                ge=1,
                le=question.most - 1,
                title="Lower n",
                description=f"Goldens to make instead, 1 to {question.most - 1:,}; counts with the decision `lower n` alone.",
            ),
        )
    made = create_model("Approval", __base__=RunInput, **fields)
    return made.with_initial_data(description=explain(question, wrong))


def contradiction(question: Question, answer: Any) -> str:
    """What is wrong with a form in which a lower number was typed and the decision left as it was; empty: nothing.

    Whoever typed a number wants no more than that spent.
    """
    if answer.decision != "go on" or question.most == 1 or answer.n == question.within:
        return ""
    return (
        f"You typed {answer.n:,} as the lower n, and decided to go on with {question.what}. For {answer.n:,} decide `lower "
        f"n`; for {question.what} leave the number at {question.within:,}."
    )


def explain(question: Question, wrong: str = "") -> str:
    """The estimate as Markdown: what is asked, a table of calls, tokens and cost by stage, and what it rests on."""
    totals, limits = question.totals, question.settings
    calls = f"{totals.calls:,} calls of models"
    if limits.above_calls is not None:
        calls += f" (limit: {limits.above_calls:,})"
    cost = _cost(totals.cost)
    if limits.above_cost is not None:
        cost += f" (limit: {_money(limits.above_cost)})"
    whole = Usage(stage="**all**", prompt="", model="", **totals.model_dump())
    lines = [
        *([f"**{wrong}**", ""] if wrong else []),
        f"This run is about to make **{question.what}**, at an estimate of **{calls}** and **{cost}**.",
        "",
        "| Stage | Calls | Tokens | Cost | Model |",
        "| --- | ---: | ---: | ---: | --- |",
        *(_line(row) for row in (*_by_stage(question.rows), whole)),
        "",
        question.basis,
        "Replies that an earlier run was given are in the journal and cost nothing: what is really spent may be less.",
    ]
    unpriced = sorted({row.model for row in question.rows if row.cost is None and row.prompt_tokens})
    if unpriced:
        lines.append(
            f"The price of {', '.join(unpriced)} is unknown: write it into a YAML file, and let RAGSET_PRICES name the file."
        )
    lines += ["", f"Without an answer the run ends after {limits.wait_hours:g} hours."]
    return "\n".join(lines)


def _by_stage(rows: Sequence[Usage]) -> list[Usage]:
    """A row for each stage and model, in order."""
    parts: dict[tuple[str, str], list[Usage]] = {}
    for row in rows:
        parts.setdefault((row.stage, row.model), []).append(row)
    sums: list[Usage] = []
    for (stage, model), of_it in parts.items():
        totals = Totals.of(of_it)
        sums.append(Usage(stage=stage, prompt="", model=model, **totals.model_dump()))
    return sums


def _line(row: Usage) -> str:
    tokens = row.prompt_tokens + row.completion_tokens
    counted = f"{tokens:,}" if tokens or not row.calls else "–"
    cells = (row.stage, f"{row.calls:,}", counted, "unknown" if row.cost is None else _money(row.cost), row.model)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _cost(cost: float | None) -> str:
    return "an unknown cost" if cost is None else f"a cost of {_money(cost)}"


def _money(cost: float) -> str:
    return f"${cost:,.2f}" if cost >= 0.095 or cost == 0 else f"${cost:.4f}"
