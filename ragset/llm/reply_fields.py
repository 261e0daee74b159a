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


_YES = frozenset({"1", "true", "yes", "y"})
_NO = frozenset({"-1", "0", "false", "no", "n"})


def _spelt(value: object) -> str:
    """A verdict as a model may write it, in lower case: a whole number in whatever type is its digits."""
    if not isinstance(value, str | int | float):
        return ""
    said = str(value).strip(" .!\"'*`").lower()
    if whole := re.fullmatch(r"\+?(-?\d+)\.0*|\+?(-?\d+)", said):
        return whole[1] or whole[2]
    return re.sub(r"(?<=\w)[\s-]+(?=\w)", "_", said)


def _bit(value: object) -> object:
    said = _spelt(value)
    return 1 if said in _YES else 0 if said in _NO else value


Bit = Annotated[Literal[0, 1], BeforeValidator(_bit)]
"""A decision; models also write it as true, "1", -1 or "yes"."""


def verdict(yes: str, no: str) -> BeforeValidator:
    """Reads `yes` and `no`, in whatever type or case they come, and with or without the s of a plural.

    Anything else is an error and asked for again.
    """

    def read(value: object) -> object:
        said = _spelt(value)
        alike = said.removesuffix("s")
        if said in _YES or alike == yes.removesuffix("s"):
            return yes
        return no if said in _NO or alike == no.removesuffix("s") else value

    return BeforeValidator(read)


def _word(value: object) -> object:
    return _spelt(value) if isinstance(value, str) else value


WORD = BeforeValidator(_word)
"""Reads one of several words in whatever case it comes, with blanks or hyphens where it has an underscore."""


def _none(value: object) -> object:
    return "" if value is None else value


TEXT = BeforeValidator(_none)
"""Reads null as an empty text, where an empty one is allowed."""


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    said = _spelt(value)
    return int(said) if said.isdecimal() else value


_NUMBER = BeforeValidator(_number)
"""Reads "4", 4.0 and "4.0" as 4; true, which Python takes for 1, is no number."""

Score = Annotated[Literal[1, 2, 3, 4, 5], _NUMBER]


Grade = Annotated[Literal[1, 2, 3], _NUMBER]


def _in_halves(value: float) -> float:
    if value not in (0, 0.5, 1):
        raise ValueError("must be 0, 0.5 or 1")
    return value


Half = Annotated[float, AfterValidator(_in_halves), WithJsonSchema({"type": "number", "enum": [0, 0.5, 1]})]
