"""Asks the generator, once for a run, who reads the documents and why, where the user does not say."""

from collections.abc import Callable, Mapping, Sequence

from ragset.llm.ask import Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import AudiencePortrait
from ragset.models import Document, Usage

STAGE = "audience"
PROMPT = "describe_audience"

PASSAGES = 8
_LENGTH = 600  # characters of a passage
_LONGEST = 1_000  # characters of a portrait, as of a description by the user
_OTHERS = "Whoever searches the collection for other topics counts as well."  # eight passages do not show all


def shown_passages(ids: Sequence[str], document: Callable[[str], Document]) -> dict[str, list[str]]:
    """Prompt inputs: passages of about 600 characters of whole words, spread over the documents of `ids`, with their titles."""
    shares = [(2 * number + 1) / (2 * PASSAGES) for number in range(PASSAGES)] if ids else []
    shown = [(document(ids[int(share * len(ids))]), share) for share in shares]
    return {"chunks": [_passage(one.text, share) for one, share in shown], "titles": [one.title for one, _ in shown]}


def _passage(text: str, share: float) -> str:
    """Whole words at that share of the length of the text."""
    start = int(share * max(0, len(text) - _LENGTH))
    words = text[start : start + _LENGTH]
    if start and " " in words:
        words = words.partition(" ")[2]
    if start + _LENGTH < len(text) and " " in words:
        words = words.rpartition(" ")[0]
    return words.strip()


async def describe_audience(inputs: Mapping[str, Sequence[str]], prompt: Prompt, llm: LLM) -> str:
    """The portrait in one line; empty where no reply could be read."""
    reply = await ask(llm, prompt, AudiencePortrait, inputs, stage=STAGE)
    return "" if isinstance(reply, Unfit) else f"{' '.join(reply.audience.split())[:_LONGEST]} {_OTHERS}"


def foreseen(model: str, *, batch: bool) -> Usage:
    """What the call takes, about."""
    tokens = {"prompt_tokens": 1_700, "completion_tokens": 120}
    return Usage(stage=STAGE, prompt=PROMPT, model=model, calls=1, batch=batch, **tokens)
