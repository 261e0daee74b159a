"""Translates prompts into another language with a model."""

from pathlib import Path

from ragset.dataset import Totals
from ragset.errors import InputError, PromptError
from ragset.llm.ask import Unfit
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt, builtin_folder, load_prompt
from ragset.llm.prompts.translate import PROMPT, translate_prompt, untranslated, variant_folder, write_variant
from ragset.llm.usage import Meter, Metered, load_prices
from ragset.models import Model
from ragset.settings import OFFLINE, Budget, Environment, ModelSettings
from ragset.settings.languages import is_language, language_code
from tasks.run.models import Account, asking, connected


class Translated(Model):
    """The translations that were written, and those that failed."""

    written: tuple[str, ...]
    failed: dict[str, str]
    """Prompts whose translations lost their form, with the reason."""
    totals: Totals
    hint: str | None


async def translate_prompts(to: str, model: str, only: tuple[str, ...], out: Path | None, *, force: bool) -> Translated:
    """Write variants in language `to` of the prompts that have none, or of those named, each as soon as it is done."""
    try:
        code = language_code(to)
    except InputError as error:
        raise InputError(f"--to: {error}") from None
    if code == "en" or not is_language(code):
        raise InputError(f"--to: {to!r} is no language to translate into; give another, such as German or de")
    to = code
    if model == OFFLINE:
        raise InputError("--model: the offline rules cannot translate; name a model, such as --model gpt-4.1")
    env = Environment()
    users = env.ragset_prompts
    folder = variant_folder(out, users)
    prompts = _chosen(to, only, folder, users, force=force)
    meter = Meter(load_prices(env.ragset_prices))
    written: list[str] = []
    failed: dict[str, str] = {}
    if prompts:
        # A reply holds all texts of a prompt at once, and some scripts take several tokens a word.
        settings = ModelSettings(model=model, max_tokens=8192)
        async with connected((settings,), Budget()):
            llm = Metered(asking(settings, Account(run=f"prompts translate {to}")), meter)
            translator = load_prompt(PROMPT, folder=users)

            async def one(prompt: Prompt) -> None:
                variant = await translate_prompt(prompt, to, translator, llm)
                if isinstance(variant, Unfit):
                    failed[prompt.name] = f"{variant.reason}: {variant.detail}"
                else:
                    written.append(str(write_variant(variant, folder, force=force)))

            # If one fails, the others are still written.
            await gather_all(*map(one, prompts))
    used = folder.resolve() in {place.resolve() for place in (users, builtin_folder()) if place}
    hint = f"To use them: {'' if used else f'RAGSET_PROMPTS={folder}, and '}--language {to}." if written else None
    totals = Totals.of(meter.rows())
    return Translated(written=tuple(sorted(written)), failed=dict(sorted(failed.items())), totals=totals, hint=hint)


def _chosen(to: str, only: tuple[str, ...], folder: Path, users: Path | None, *, force: bool) -> list[Prompt]:
    """The prompts to translate: those named, or all without a file in the language; never the translator's own."""
    if not only:
        return [prompt for prompt in untranslated(to, folder, users, again=force) if prompt.name != PROMPT]
    chosen = [load_prompt(name, folder=users) for name in dict.fromkeys(only)]
    there = [path for prompt in chosen if (path := folder / f"{prompt.name}.{to}.md").exists()]
    if there and not force:
        raise PromptError(
            f"{there[0]}: is there already; --force writes it again, and what was corrected in it is lost"
        )
    return chosen
