"""What a calibration is written to: thresholds that runs take, and a version of the critic's prompt for a person to accept."""

import re
from pathlib import Path
from typing import NamedTuple

from ragset.dataset.read import Dataset
from ragset.dataset.review.calibration import Calibration, thresholds_text
from ragset.dataset.review.few_shots import PROMPT, with_examples
from ragset.dataset.review.guidelines import load_guideline
from ragset.errors import InputError
from ragset.llm.prompts import Prompt, load_prompt
from ragset.llm.prompts.variants import prompt_text

_USED = re.compile(rf"{PROMPT}(?:\.([a-z]{{2}}))?@")


class CriticFiles(NamedTuple):
    """The files of a calibration."""

    thresholds: Path
    prompt: Path | None
    """None where people and critic agree, do not say why they differ, or the critic was asked with other prompts."""
    version: str
    """Of the proposed prompt, `name@version`."""


def write_critic_files(found: Calibration, dataset: Dataset, folder: Path, prompts: Path | None = None) -> CriticFiles:
    """Write `thresholds.yaml` and `prompts/critique_golden.md` into `folder`.

    `prompts` is the user's own folder of prompts, which is only read. Raises InputError rather than replace a proposal that
    somebody may have corrected.
    """
    texts = {folder / "thresholds.yaml": thresholds_text(found, dataset.folder.name)}
    if proposed := _proposed(found, dataset, prompts):
        suffix = "" if proposed.language == "en" else f".{proposed.language}"
        texts[folder / "prompts" / f"{proposed.name}{suffix}.md"] = prompt_text(proposed)
    thresholds, *prompt = texts
    try:
        for path in prompt:
            if path.exists() and path.read_text(encoding="utf-8") != texts[path]:
                raise InputError(f"{path}: holds another proposal, or was corrected; name another folder with --out")
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror}); name another folder with --out") from None
    return CriticFiles(thresholds, prompt[0] if prompt else None, proposed.key if proposed else "")


def _proposed(found: Calibration, dataset: Dataset, prompts: Path | None) -> Prompt | None:
    used = [match for golden in dataset.goldens for step in golden.lineage if (match := _USED.match(step.prompt))]
    if not used:
        return None
    prompt = load_prompt(PROMPT, used[0][1] or "en", prompts)
    return with_examples(prompt, dataset, found, load_guideline(found.guideline.partition("@")[0], prompts))
