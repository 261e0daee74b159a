"""`reviews.jsonl`: every judgement ever made, in order. Lines are only added, and each is on the disk before it is confirmed."""

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from ragset.dataset.review.records import Review
from ragset.errors import InputError, problems_of
from ragset.settings.lock import hold

REVIEWS = "reviews.jsonl"


class Reviews(NamedTuple):
    """What a file holds."""

    lines: tuple[Review, ...]
    """Each id once, in the order of the file, which is the order in which they count."""
    torn: tuple[int, ...]
    """Numbers of the lines that were cut off while they were written, and never confirmed."""

    @property
    def notice(self) -> str:
        """A sentence on torn lines; empty where there are none."""
        if not self.torn:
            return ""
        numbers = ", ".join(map(str, self.torn))
        return (
            f"{REVIEWS}: line {numbers} was cut off by a crash and is not counted; it was never confirmed to anybody."
        )


class ReviewFile:
    """The judgements beside a `manifest.json`. Several processes and threads may have it open; each reads it again only where it has changed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / REVIEWS
        self._lock = threading.Lock()
        self._known: tuple[object, Reviews] = (None, Reviews((), ()))

    def read(self) -> Reviews:
        """Everything that is there now; nothing where there is no file."""
        with self._lock:
            return self._read()

    def append(self, *reviews: Review) -> int:
        """Add lines, and return how many; one whose id is there already is not added again. They are on the disk then."""
        with self._lock:
            file = self._held()
            try:
                known = {review.id for review in self._read().lines}
                new = {review.id: review for review in reviews if review.id not in known}
                if new:
                    self._write(file, [*new.values()])
                os.fsync(file)  # also where a process was killed after it had written these lines
            except OSError as error:
                raise self._fault("written", error) from None
            finally:
                os.close(file)
            return len(new)

    def _held(self) -> int:
        """The file, open and locked; again if another one took its place meanwhile."""
        try:
            while True:
                file = hold(self.path, wait=True)
                if file is None:
                    raise InputError(f"{self.path}: cannot be locked; put the folder on a disk that can lock files")
                if self.path.exists() and os.path.samestat(os.fstat(file), self.path.stat()):
                    return file
                os.close(file)
        except OSError as error:
            raise self._fault("written", error) from None

    def _write(self, file: int, reviews: list[Review]) -> None:
        # A line that a crash cut off gets an end of its own, so that it takes no other with it.
        size = os.lseek(file, 0, os.SEEK_END)
        if size:
            os.lseek(file, -1, os.SEEK_END)
        unfinished = size > 0 and os.read(file, 1) != b"\n"
        lines = [json.dumps(review.model_dump(mode="json"), ensure_ascii=False) + "\n" for review in reviews]
        left = memoryview(("\n" * unfinished + "".join(lines)).encode())
        while left:
            left = left[os.write(file, left) :]
        if not size:
            _sync_folder(self.path.parent)

    def _read(self) -> Reviews:
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                now = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
                if self._known[0] != now:
                    self._known = now, self._parsed(file.read())
                return self._known[1]
        except FileNotFoundError:
            return Reviews((), ())
        except OSError as error:
            raise self._fault("read", error) from None

    def _parsed(self, content: bytes) -> Reviews:
        lines: dict[str, Review] = {}
        torn: list[int] = []
        for number, line in enumerate(content.split(b"\n"), start=1):
            try:
                review = Review.model_validate_json(line) if line.strip() else None
            except ValidationError as error:
                if error.errors()[0]["type"] != "json_invalid":
                    what = f"line {number} is no review ({problems_of(error)})"
                    raise InputError(f"{self.path}: {what}; mend the line, or take it out") from None
                torn.append(number)
            else:
                if review:
                    lines.setdefault(review.id, review)
        return Reviews(tuple(lines.values()), tuple(torn))

    def _fault(self, what: str, error: OSError) -> InputError:
        return InputError(f"{self.path}: cannot be {what} ({error.strerror})")


def _sync_folder(folder: Path) -> None:
    """Put the name of a new file on the disk too, where folders can be opened."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def read_reviews(folder: Path) -> Reviews:
    """The judgements beside the `manifest.json` of this folder."""
    return ReviewFile(folder).read()
