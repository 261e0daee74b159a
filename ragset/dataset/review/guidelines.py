"""What reviewers are told to judge by: `prompts/guidelines/NAME.md`, a text with a version, shown in the page.

A file of that name in `guidelines/` of the folder RAGSET_PROMPTS stands before the built-in one.
"""

import hashlib
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, model_validator

from ragset.dataset.review.records import GRADES, Kind, Review
from ragset.errors import InputError, problems_of
from ragset.models import Model
from ragset.settings.yaml_text import read_headed

FOLDER = "guidelines"


class Guideline(Model):
    """One version of a text, with the reasons or grades that it lists."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(ge=1)  # raised whenever anything below changes
    kind: Kind
    title: str = Field(min_length=1)
    reasons: dict[str, str] = Field(
        default_factory=dict
    )  # what is shown for each code, in the order of their keys 1 to 9
    grades: dict[int, str] = Field(default_factory=dict)  # what each grade means; empty where a verdict is given
    text: str = Field(min_length=1)  # Markdown of paragraphs and lists

    @property
    def key(self) -> str:
        """`name@version`, as judgements carry it."""
        return f"{self.name}@{self.version}"

    @property
    def digest(self) -> str:
        """First 12 hexadecimal digits of the SHA-256 of all that a reviewer sees."""
        seen = self.model_dump_json(exclude={"name", "version"})
        return hashlib.sha256(seen.encode()).hexdigest()[:12]

    def check(self, review: Review) -> None:
        """Raise an InputError if the review does not fit: another text, or a reason that this one does not list."""
        if (review.guideline, review.kind) != (self.key, self.kind):
            raise InputError(
                f"guideline: is {review.guideline} for {review.kind}, and {self.key} is shown; load the page again"
            )
        if unknown := [reason for reason in review.reasons if reason not in self.reasons]:
            raise InputError(f"reasons: {self.key} has no {', '.join(unknown)}, only {', '.join(self.reasons)}")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if len(self.reasons) > 9:
            raise ValueError("reasons: are chosen by the keys 1 to 9, so there are 9 at most")
        scale = GRADES.get(self.kind)
        if sorted(self.grades) != ([*range(scale[0], scale[1] + 1)] if scale else []):
            told = f"{scale[0]} to {scale[1]}, each with its meaning" if scale else "none, as goldens get a verdict"
            raise ValueError(f"grades: are {told}")
        return self


def load_guideline(name: str, folder: Path | None = None) -> Guideline:
    """The guideline `name` in `folder`, a folder of prompts, or else the built-in one.

    Raises InputError for a file that breaks a rule, and for a text that changed under a version that is pinned.
    """
    from ragset.llm.prompts.pins import check_pins, read_pins

    places = [*([folder / FOLDER] if folder else []), _folder(None)]
    for place in places:
        if (path := place / f"{name}.md").is_file():
            guideline = read_guideline(path)
            if faults := check_pins({guideline.key: guideline.digest}, read_pins(places[-1]), path):
                raise InputError(faults[0])
            return guideline
    raise InputError(f"there is no guideline {name} in {' or '.join(map(str, places))}")


def read_guideline(path: Path) -> Guideline:
    """The guideline of one file."""
    try:
        head, text = read_headed(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    try:
        guideline = Guideline.model_validate({**head, "text": text.strip()})
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}") from None
    if path.stem != guideline.name:
        raise InputError(f"{path}: name: is {guideline.name}, so the file must be {guideline.name}.md")
    return guideline


def read_guidelines(folder: Path | None = None) -> tuple[Guideline, ...]:
    """All guidelines of a folder of prompts, sorted by name."""
    return tuple(read_guideline(path) for path in sorted(_folder(folder).glob("*.md")))


def check_guidelines(folder: Path | None = None) -> list[str]:
    """A line for each guideline of a folder of prompts, or of the built-in ones, that is not as it is pinned."""
    from ragset.llm.prompts.pins import PINS, check_pins, read_pins

    place = _folder(folder)
    return check_pins(_digests(folder), read_pins(place), place / PINS) if place.is_dir() else []


def pin_guidelines(folder: Path | None = None) -> dict[str, str]:
    """Pin the guidelines as they are; the pins of earlier versions stay."""
    from ragset.llm.prompts.pins import write_pins

    place = _folder(folder)
    return write_pins(place, _digests(folder)) if place.is_dir() else {}


def _digests(folder: Path | None) -> dict[str, str]:
    return {guideline.key: guideline.digest for guideline in read_guidelines(folder)}


def _folder(folder: Path | None) -> Path:
    # What prompts import is not needed to read judgements.
    from ragset.llm.prompts.files import builtin_folder

    return (folder or builtin_folder()) / FOLDER
