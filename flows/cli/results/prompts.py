"""Prompt files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from flows.cli.terminal import money, notice, output, say

if TYPE_CHECKING:
    from flows.cli.translating import Translated
    from ragset.llm.prompts import Prompt


def print_prompts(prompts: list[Prompt]) -> None:
    """A line for each prompt."""
    table = Table(box=None, pad_edge=False)
    for name in ("prompt", "digest", "reply", "purpose"):
        table.add_column(name, no_wrap=name != "purpose")
    for prompt in prompts:
        table.add_row(prompt.key, prompt.digest, prompt.reply, prompt.purpose)
    output.print(table)


def print_translated(done: Translated) -> None:
    """What was written, what was not, and what a person should do now."""
    for path in done.written:
        say(str(path))
    for name, reason in done.failed.items():
        notice(f"{name}: not written: {reason}")
    if not done.written and not done.failed:
        output.print("Nothing to do: every prompt has a file in that language (--force writes them again).")
        return
    tokens = done.totals.prompt_tokens + done.totals.completion_tokens
    output.print(f"{done.totals.calls:,} calls, {tokens:,} tokens, {money(done.totals.cost)}")
    if done.written:
        output.print(
            "A model wrote these: somebody who speaks the language should read and correct them. Then take the line "
            "translated_by out, and run `python -m flows prompts pin` where the folder keeps a pins.yaml."
        )
    if done.hint:
        say(done.hint)
