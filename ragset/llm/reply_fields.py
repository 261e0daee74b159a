"""What replies are made of: closed models, and decisions read in whatever type or case a model writes them."""

import re
from typing import Annotated, Any, Literal, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WithJsonSchema, model_validator


class Reply(BaseModel):
    """Closed, but forgiving of the order of fields, and of null for an empty list."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _null_lists(cls, said: object) -> object:
        if not isinstance(said, dict):
            return said
        lists = {name for name, field in cls.model_fields.items() if get_origin(field.annotation) is tuple}
        values: dict[Any, Any] = said
        return {name: () if value is None and name in lists else value for name, value in values.items()}


class Judgement(Reply):
    """A reply that says how good something is; traces show its verdicts."""


_YES = frozenset({"1", "true", "yes", "y"})
_NO = frozenset({"-1", "0", "false", "no", "n"})


def _spelt(value: object) -> str:
    """A verdict as a model may write it, in lower case: a whole number in whatever type is its digits."""
    if not isinstance(value, str | int | float):
        return ""
    said = str(value).strip(" .!\"'*`").lower()
    if whole := re.fullmatch(r"\+?(-?\d+)(?:\.0*)?", said):
        return whole[1]
    return re.sub(r"(?<=\w)[\s-]+(?=\w)", "_", said)


def _bit(value: object) -> object:
    said = _spelt(value)
    return 1 if said in _YES else 0 if said in _NO else value


def verdict(yes: str, no: str) -> BeforeValidator:
    """Reads `yes` and `no`, in whatever type or case they come, and with or without the s of a plural."""

    def read(value: object) -> object:
        said = _spelt(value)
        if said in _YES or said.removesuffix("s") == yes.removesuffix("s"):
            return yes
        return no if said in _NO or said.removesuffix("s") == no.removesuffix("s") else value

    return BeforeValidator(read)


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    said = _spelt(value)
    return int(said) if said.isdecimal() else value


def _in_halves(value: float) -> float:
    if value not in (0, 0.5, 1):
        raise ValueError("must be 0, 0.5 or 1")
    return value


Bit = Annotated[Literal[0, 1], BeforeValidator(_bit)]  # a decision; models also write it as true, "1", -1 or "yes"
Score = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_number)]
Grade = Annotated[Literal[1, 2, 3], BeforeValidator(_number)]
Relevance = Annotated[Literal[0, 1, 2, 3], BeforeValidator(_number)]
Half = Annotated[float, AfterValidator(_in_halves), WithJsonSchema({"type": "number", "enum": [0, 0.5, 1]})]
# One of several words in whatever case it comes, with blanks or hyphens where it has an underscore.
WORD = BeforeValidator(lambda value: _spelt(value) if isinstance(value, str) else value)
TEXT = BeforeValidator(lambda value: "" if value is None else value)  # reads null as an empty text
