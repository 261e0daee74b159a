"""Commands about prompt files."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Json, prompts_app
from flows.cli.exits import DONE, SHORT
from ragset.errors import InputError


@prompts_app.command("list")
def list_prompts(json: Json = False) -> None:
    """List every prompt with its version, digest and purpose."""
    from flows.cli.terminal import output, print_json, table
    from ragset.llm.prompts import load_prompt, prompt_names
    from ragset.settings import Environment

    folder = Environment().ragset_prompts
    prompts = [load_prompt(name, folder=folder) for name in prompt_names(folder)]
    if json:
        listed = [{"id": prompt.id, "reply": prompt.reply, "purpose": prompt.purpose} for prompt in prompts]
        print_json({"prompts": listed})
        return
    rows = table("prompt", "digest", "reply", "purpose")
    for prompt in prompts:
        rows.add_row(prompt.key, prompt.digest, prompt.reply, prompt.purpose)
    output.print(rows)


@prompts_app.command()
def check() -> None:
    """Load every prompt file and every guideline for reviewers, compare them with their pins, and list those of RAGSET_PROMPTS."""
    from ragset.dataset.review.guidelines import check_guidelines, read_guidelines
    from ragset.llm.prompts import check_prompts, prompt_names
    from ragset.llm.prompts.pins import overrides
    from ragset.settings import Environment
    from ragset.settings.command_line import command

    own = Environment().ragset_prompts
    folders = dict.fromkeys((None, own))
    if found := [line for folder in folders for line in (*check_prompts(folder), *check_guidelines(folder))]:
        raise InputError("\n".join(found))
    built_in = f"{len(prompt_names())} built-in prompts and {len(read_guidelines())} guidelines, each as it is pinned"
    lines = [built_in, *overrides(own)]
    if any("not pinned" in line for line in lines):
        lines.append(f"Pin them with: {command('prompts', 'pin')}")
    sys.stdout.write("\n".join(lines) + "\n")


@prompts_app.command()
def translate(
    to: Annotated[
        str, typer.Option("--to", help="Language, by name or code, such as German or de.", show_default=False)
    ],
    model: Annotated[str, typer.Option("--model", help="Model that translates.", metavar="NAME")] = "offline",
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", help="Prompt; repeat the option for more. (default: all without a file in this language)"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder. (default: RAGSET_PROMPTS, or prompts/)", show_default=False)
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that exist; corrections in them are lost.")
    ] = False,
    json: Json = False,
) -> int:
    """Translate the prompts with a model, into files to read and correct."""
    from flows.cli.terminal import money, notice, print_json, say
    from flows.cli.translating import translate_prompts
    from ragset.settings.command_line import command

    done = asyncio.run(translate_prompts(to, model, tuple(only or ()), out, force=force))
    code = SHORT if done.failed else DONE
    if json:
        print_json(done)
        return code
    for path in done.written:
        say(path)
    for name, reason in done.failed.items():
        notice(f"{name}: not written: {reason}")
    if not done.written and not done.failed:
        say("Nothing to do: every prompt has a file in that language (--force writes them again).")
        return code
    tokens = done.totals.prompt_tokens + done.totals.completion_tokens
    say(f"{done.totals.calls:,} calls, {tokens:,} tokens, {money(done.totals.cost)}")
    if done.written:
        say(
            "A model wrote these: somebody who speaks the language should read and correct them. Then take the line "
            f"translated_by out, and run `{command('prompts', 'pin')}` where the folder keeps a pins.yaml."
        )
    if done.hint:
        say(done.hint)
    return code


@prompts_app.command()
def pin() -> None:
    """Write the digests of all prompt files and guidelines to pins.yaml. A changed text needs a new version first."""
    from ragset.dataset.review.guidelines import pin_guidelines
    from ragset.llm.prompts import write_pins
    from ragset.settings import Environment

    folder = Environment().ragset_prompts
    sys.stdout.write(f"{len(write_pins(folder)) + len(pin_guidelines(folder))} digests pinned\n")
