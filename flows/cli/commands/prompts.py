"""Commands about prompt files."""

import asyncio
import sys
from pathlib import Path

from flows.cli.commands.running import DONE, SHORT, guarded
from ragset.errors import InputError
from ragset.settings import Environment


@guarded
def run_prompts_list(*, json: bool) -> int:
    """`prompts list`."""
    from flows.cli import results
    from ragset.llm.prompts import load_prompt, prompt_names

    folder = Environment().ragset_prompts
    prompts = [load_prompt(name, folder=folder) for name in prompt_names(folder)]
    if json:
        listed = [{"id": prompt.id, "reply": prompt.reply, "purpose": prompt.purpose} for prompt in prompts]
        results.print_json({"prompts": listed})
    else:
        results.print_prompts(prompts)
    return DONE


@guarded
def run_prompts_check() -> int:
    """`prompts check`."""
    from ragset.llm.prompts import check_prompts, prompt_names

    folder = Environment().ragset_prompts
    found = check_prompts(folder)
    if found:
        raise InputError("\n".join(found))
    sys.stdout.write(f"{len(prompt_names(folder))} prompts, each as it is pinned\n")
    return DONE


@guarded
def run_prompts_translate(
    to: str, model: str, only: tuple[str, ...], out: Path | None, *, force: bool, json: bool
) -> int:
    """`prompts translate`."""
    from flows.cli import results
    from flows.cli.translating import translate_prompts

    done = asyncio.run(translate_prompts(to, model, only, out, force=force))
    if json:
        results.print_json(done.model_dump(mode="json"))
    else:
        results.print_translated(done)
    return SHORT if done.failed else DONE


@guarded
def run_prompts_pin() -> int:
    """`prompts pin`."""
    from ragset.llm.prompts import write_pins

    pins = write_pins(Environment().ragset_prompts)
    sys.stdout.write(f"{len(pins)} digests pinned\n")
    return DONE
