"""What replies are made of: closed models, and decisions read in whatever type or case they come."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WithJsonSchema


class Reply(BaseModel):
    """Closed, but forgiving of the order of fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


_YES = frozenset({"1", "true", "yes", "y"})
_NO = frozenset({"-1", "0", "false", "no", "n"})


def _spelt(value: object) -> str:
    """A verdict as a model may write it, in lower case: a whole number in whatever type is its digits."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return re.sub(r"(?<=\w)[\s-]+(?=\w)", "_", str(value).strip(" .!\"'")).lower()


def _bit(value: object) -> object:
    said = _spelt(value)
    return 1 if said in _YES else 0 if said in _NO else value


Bit = Annotated[Literal[0, 1], BeforeValidator(_bit)]
"""A decision; models also write it as true, "1", -1 or "yes"."""


def verdict(yes: str, no: str) -> BeforeValidator:
    """Reads `yes` and `no`, in whatever type or case they come; anything else is an error and asked for again."""

    def read(value: object) -> object:
        said = _spelt(value)
        return yes if said in _YES or said == yes else no if said in _NO or said == no else value

    return BeforeValidator(read)


Score = Literal[1, 2, 3, 4, 5]


Grade = Literal[1, 2, 3]


def _in_halves(value: float) -> float:
    if value not in (0, 0.5, 1):
        raise ValueError("must be 0, 0.5 or 1")
    return value


Half = Annotated[float, AfterValidator(_in_halves), WithJsonSchema({"type": "number", "enum": [0, 0.5, 1]})]
