"""A prompt: what a model is asked, checked when it is loaded, known by a digest of what the model sees."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, Self

import jinja2.meta
import jinja2.sandbox
from pydantic import Field, ValidationError, field_validator, model_validator

import ragset.llm.replies
from ragset.errors import PromptError, problems_of
from ragset.llm.protocol import Message
from ragset.llm.replies import Reply
from ragset.models import Model

_TAG = re.compile(r"</?\s*([A-Za-z][\w-]*)")
_ENCLOSED = re.compile(r"<([A-Za-z][\w-]*)(?: [^<>\0]*)?>(?:(?!<\1[ >]).)*?</\1>", re.DOTALL)
# What may stand between `<` and a name for a model still to read a tag.
_BREAKS = r"[\s/\\\u00ad\u200b-\u200f\u2060\ufeff]*"
_LABELS = {
    "en": ("Example", "Bad", "Because"),
    "de": ("Beispiel", "Schlecht", "Weil"),
    "es": ("Ejemplo", "Mal", "Porque"),
    "fr": ("Exemple", "Mauvais", "Parce que"),
}


def _joined(value: Any) -> Any:
    return "\n".join(map(str, value)) if isinstance(value, list | tuple) else value


_JINJA = jinja2.sandbox.ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_joined
)


class Example(Model):
    """A case with the reply wanted, and replies not wanted."""

    inputs: dict[str, Any]
    reply: dict[str, Any]
    avoid: tuple[dict[str, Any], ...] = ()  # fields in which bad replies differ, and under `reason` what is bad


class Prompt(Model):
    """What a model is asked, with everything but the case itself."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(ge=1)  # raised whenever the digest changes
    purpose: str = Field(min_length=1)  # for people; the model does not see it
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    translated_by: str | None = None  # the model that wrote this language variant
    translated_from: str | None = None  # `name@version#digest` of the prompt that it is a variant of
    ordered: str = ""  # the language that `written_in` orders queries and answers in; empty: that of the passages
    inputs: tuple[str, ...] = Field(min_length=1)
    optional: tuple[str, ...] = ()  # inputs that may be missing or empty: `{% if persona %}`
    reply: str  # name of a class in `ragset.llm.replies`
    examples: tuple[Example, ...] = ()
    system: str = Field(min_length=1)
    user: str = Field(min_length=1)

    @property
    def key(self) -> str:
        """`name@version`, and `name.de@version` in a language other than English: what pins are kept by."""
        variant = "" if self.language == "en" else f".{self.language}"
        return f"{self.name}{variant}@{self.version}"

    @property
    def id(self) -> str:
        """`name@version#digest`: what lineage carries."""
        return f"{self.key}#{self.digest}"

    @cached_property
    def digest(self) -> str:
        """First 12 hexadecimal digits of the SHA-256 of all that a model sees, the case apart."""
        turns = [message.content for message in self._turns]
        seen = [self.system, self._avoided, turns, self.user, self.reply_type.model_json_schema()]
        return hashlib.sha256(json.dumps(seen, ensure_ascii=False).encode()).hexdigest()[:12]

    @property
    def reply_type(self) -> type[Reply]:
        """The class that replies are read into."""
        return _reply_type(self.reply)

    def render(self, inputs: Mapping[str, Any]) -> tuple[Message, ...]:
        """System message, examples as past turns, and the case as the last message.

        Inputs are texts, numbers, or lists of them (printed an item a line); undeclared ones are ignored. A `<` that would
        open or close a tag of the prompt becomes `‹`. Raises PromptError if an input is missing or of another type.
        """
        values = self._data(inputs)
        system = self._constant_system or self._system(values)
        return (system, *self._turns, Message(role="user", content=_render(self.user, values)))

    def _system(self, values: Mapping[str, Any]) -> Message:
        return Message(role="system", content=_render(self.system, values) + self._avoided)

    @cached_property
    def _constant_system(self) -> Message | None:
        """The system message where no input stands in it."""
        return None if jinja2.meta.find_undeclared_variables(_JINJA.parse(self.system)) else self._system({})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:  # noqa: ARG002
        """A copy that is checked like any prompt, and has a digest of its own."""
        return type(self).model_validate({**self.model_dump(), **(update or {})})

    @cached_property
    def _turns(self) -> tuple[Message, ...]:
        turns: list[Message] = []
        for example in self.examples:
            reply = self.reply_type.model_validate(example.reply)
            turns.append(Message(role="user", content=_render(self.user, self._data(example.inputs))))
            turns.append(Message(role="assistant", content=reply.model_dump_json()))
        return tuple(turns)

    @cached_property
    def _avoided(self) -> str:
        """Bad replies to the examples, as the end of the system message: the turns show good ones alone."""
        word, bad, because = _LABELS.get(self.language, _LABELS["en"])
        lines = [
            f"{word} {number}. {bad}: {json.dumps(_bad_fields(avoid), ensure_ascii=False)} {because}: {avoid['reason']}"
            for number, example in enumerate(self.examples, start=1)
            for avoid in example.avoid
        ]
        return "\n\n" + "\n".join(lines) if lines else ""

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        """A `<` that a model could read as the start of a tag of this prompt, or of a chat template token."""
        tags = sorted({tag.lower() for tag in _TAG.findall(self.system + self.user)})
        names = "|".join([*map(re.escape, tags), r"\|"])
        return re.compile(rf"[<＜﹤](?={_BREAKS}(?:{names}))", re.IGNORECASE)

    def _data(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        if missing := [name for name in self.inputs if name not in inputs]:
            raise PromptError(f"{self.name}: input {', '.join(missing)} is missing")
        given = {**dict.fromkeys(self.optional, ""), **inputs}
        return {name: self._datum(name, given[name]) for name in (*self.inputs, *self.optional)}

    def _datum(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return self._opening.sub("‹", value)
        if isinstance(value, int | float):
            return value
        if isinstance(value, list | tuple):
            return [self._datum(name, item) for item in value]
        raise PromptError(f"{self.name}: input {name} is {type(value).__name__}, not text, a number or a list")

    @field_validator("reply")
    @classmethod
    def _known_reply(cls, reply: str) -> str:
        return _reply_type(reply).__name__

    @model_validator(mode="after")
    def _templates_fit_inputs(self) -> Self:
        declared = (*self.inputs, *self.optional)
        used: set[str] = set()
        for field, template in (("system", self.system), ("user", self.user)):
            try:
                used |= jinja2.meta.find_undeclared_variables(_JINJA.parse(template))
                bare = _ENCLOSED.sub("", _render(template, dict.fromkeys(declared, "\0")))
            except (jinja2.TemplateError, PromptError, TypeError) as error:
                raise ValueError(f"{field}: {error}") from None
            if "\0" in bare:
                raise ValueError(f"{field}: an input must stand between tags: <chunk>{{{{ chunk }}}}</chunk>")
        if unused := [name for name in declared if name not in used]:
            raise ValueError(f"inputs: neither system nor user has a place for {', '.join(unused)}")
        if twice := sorted({name for name in declared if declared.count(name) > 1}):
            raise ValueError(f"inputs and optional: {', '.join(twice)} is there twice")
        return self

    @model_validator(mode="after")
    def _examples_fit(self) -> Self:
        for number, example in enumerate(self.examples):
            where = f"examples.{number}"
            if not set(self.inputs) <= set(example.inputs) <= {*self.inputs, *self.optional}:
                raise ValueError(f"{where}.inputs: must be {', '.join(self.inputs)}")
            self._check_reply(f"{where}.reply", example.reply)
            for place, avoid in enumerate(example.avoid):
                if not isinstance(avoid.get("reason"), str) or len(avoid) < 2:
                    raise ValueError(f"{where}.avoid.{place}: give the bad fields, and under `reason` what is bad")
                self._check_reply(f"{where}.avoid.{place}", {**example.reply, **_bad_fields(avoid)})
        return self

    def _check_reply(self, where: str, reply: Mapping[str, Any]) -> None:
        try:
            self.reply_type.model_validate(reply)
        except ValidationError as error:
            raise ValueError(problems_of(error, where)) from None


def _bad_fields(avoid: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in avoid.items() if field != "reason"}


def _render(source: str, values: Mapping[str, Any]) -> str:
    try:
        return _template(source).render(values)
    except jinja2.UndefinedError as error:
        raise PromptError(str(error)) from None


@lru_cache(maxsize=256)
def _template(source: str) -> jinja2.Template:
    return _JINJA.from_string(source)


def _reply_type(name: str) -> type[Reply]:
    found = getattr(ragset.llm.replies, name, None)
    if not (isinstance(found, type) and issubclass(found, Reply) and found is not Reply):
        raise ValueError(f"there is no {name} in ragset.llm.replies")
    return found
