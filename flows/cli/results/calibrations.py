"""Prints how the critic's scores compare with people's judgements."""

from flows.cli.terminal import notice, output, say, table
from ragset.dataset.review.calibration import Calibration, percent
from ragset.dataset.review.critic_files import CriticFiles
from ragset.settings.command_line import command


def print_calibration(found: Calibration, files: CriticFiles) -> None:
    """Print what each threshold would keep, those that are recommended, and what to do with the files."""
    say(f"{found.good.n} goldens of the random sample, judged by {found.guideline}: {percent(found.good)} good", "bold")
    for name, number in found.others.items():
        notice(f"{number} judgements by {name} do not count.")
    if found.tied:
        notice(f"{found.tied} goldens are left out, as many people call them good as bad.")
    rows = table("score", right=("at least", "kept", "good of them", "of the good ones"))
    for row in found.rows:
        kept = row.kept.precision
        rows.add_row(row.score, str(row.threshold), str(kept.n), percent(kept), percent(row.kept.recall))
    output.print(rows)
    named = ", ".join(
        f"{name} {least}" + (f" (was {found.before[name]})" if found.before.get(name, least) != least else "")
        for name, least in found.thresholds.items()
    )
    say(f"Recommended: {named}", "bold")
    say(
        f"They keep {percent(found.kept.recall)} of the good goldens; {percent(found.kept.precision)} of what they keep."
    )
    if not found.reached:
        notice(f"No threshold is shown to reach {found.wanted:.0%}: judge more goldens, or lower --precision.")
    say(f"Thresholds: {files.thresholds} (in the file of --config: writing: {{thresholds: {files.thresholds}}})")
    if files.prompt:
        say(
            f"Examples:   {files.prompt} proposes {files.version}. Correct it; RAGSET_PROMPTS={files.prompt.parent} tries it. To keep "
            f"it, copy it into your folder of prompts and run `{command('prompts', 'pin')}`."
        )
