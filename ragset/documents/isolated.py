"""Files read and cleaned in a process of their own, which the kernel ends when one takes too long or too much memory.

A thread could not be stopped in a regular expression, a parser or a decompressed page.
"""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, NamedTuple

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, is_table, read_file
from ragset.documents.formats.llamaindex import read_with_llamaindex
from ragset.documents.pages import METADATA as PAGES
from ragset.documents.pages import take_page_marks
from ragset.errors import DocumentError, Stopped
from ragset.settings import FileReader

_MEMORY = 4 << 30  # bytes of address space of the process that reads
_TOO_MUCH = f"needs more than {_MEMORY >> 30} GB of memory to be read; split the file"
_LOOK = 0.2  # seconds after which a thread that waits can be interrupted


class Job(NamedTuple):
    """What to read, and how."""

    place: str | bytes  # a path, or what a page holds
    source: str
    kind: str
    charset: str | None
    drop_references: bool
    max_bytes: int
    text_field: str
    reader: FileReader | None  # that the settings name for its extension
    seconds: float  # for a document: a file, or a row of a table


class Readers:
    """Reads one file at a time, each in the process of the one before unless that had to be ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection

    def read(self, job: Job) -> Generator[Read | DocumentError]:
        """The cleaned texts of a file, with errors for what could not be read; the last one may have ended the process."""
        if self._process is None:
            self._start()
        rows, whole = 0, False
        try:
            self._pipe.send(job)
            while (found := _receive(self._pipe)) is not None:
                rows += 1
                yield Read(*found) if len(found) > 2 else DocumentError(*found)
            whole = True
        except (EOFError, OSError):
            from_here = f"its rows from number {rows + 1} on: " if is_table(job.kind) else ""
            assert self._process is not None
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            yield DocumentError(job.source, from_here + _why(self._process.returncode, job.seconds))
        finally:
            if not whole:
                self.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start(self) -> None:
        self._pipe, theirs = Pipe()
        package = str(Path(__file__).parents[2])
        paths = filter(None, (package, os.environ.get("PYTHONPATH")))
        self._process = subprocess.Popen(  # noqa: S603 (Python, and our own code)
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({theirs.fileno()})"],
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        theirs.close()


def _receive(pipe: Connection) -> Any:
    while not pipe.poll(_LOOK):
        pass
    return pipe.recv()


def _why(code: int | None, seconds: float) -> str:
    if code == -signal.SIGALRM:
        return f"not read within {seconds:g} s; raise `read_timeout`, or split or mend the file"
    if code in {-signal.SIGINT, -signal.SIGTERM}:
        raise Stopped("Stopped while documents were read; run the same command again")
    return "ended the process that read it, perhaps for want of memory; split or mend the file"


def serve(number: int) -> None:
    """Read what is asked for over the pipe of that file descriptor, until its other end is closed."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for ending in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM):
        signal.signal(ending, signal.SIG_DFL)  # the kernel ends the process, also within a call of a C library
    with closing(Connection(number)) as pipe, suppress(EOFError, OSError):
        while True:
            job: Job = pipe.recv()
            signal.setitimer(signal.ITIMER_REAL, job.seconds)
            for found in _read(job):
                signal.setitimer(signal.ITIMER_REAL, 0)
                pipe.send(tuple(found) if isinstance(found, Read) else (found.source, found.reason))
                signal.setitimer(signal.ITIMER_REAL, job.seconds)
            signal.setitimer(signal.ITIMER_REAL, 0)
            pipe.send(None)


def _read(job: Job) -> Iterator[Read | DocumentError]:
    try:
        with io.BytesIO(job.place) if isinstance(job.place, bytes) else Path(job.place).open("rb") as file:
            opened = Opened(file, job.source, job.kind, job.charset, job.max_bytes, job.text_field)
            for found in read_with_llamaindex(opened, job.reader) if job.reader else read_file(opened):
                yield _cleaned(found, job) if isinstance(found, Read) else found
    except DocumentError as error:
        yield error
    except OSError as error:
        yield DocumentError(job.source, f"unreadable: {error.strerror}")
    except MemoryError:
        yield DocumentError(job.source, _TOO_MUCH)
    except Exception as error:  # of a library, on a file that nobody foresaw
        yield DocumentError(job.source, f"cannot be read ({type(error).__name__}); save it in another format")


def _cleaned(found: Read, job: Job) -> Read | DocumentError:
    text, pages = take_page_marks(clean_text(found.text, drop_references=job.drop_references))
    if not text:
        return DocumentError(found.source, "empty: no text in it")
    title = " ".join(clean_text(found.title).split())[:300].rstrip()
    metadata = {**found.metadata, PAGES: pages} if pages else found.metadata
    return found._replace(text=text, title=title, metadata=metadata)
