"""The file systems of addresses, through fsspec, and their errors as ours."""

import re
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from ragset.errors import InputError, RagsetError, StorageUnavailable, install

T = TypeVar("T")

_AT_ONCE = 16  # files of one folder that are on their way
_USER = re.compile(r"(?<=//)[^/@\s]+@")
_EXTRAS = {"s3": install("s3"), "s3a": install("s3")}
_NO_KEY = {"NoCredentialsError", "PartialCredentialsError", "NoAuthTokenError", "RefreshError"}
"""Errors of clients that were given no keys, by name: their packages need not be installed."""


def is_address(place: str) -> bool:
    """Whether a place is an address that fsspec reads, rather than a path or a web page."""
    scheme, separator, _ = place.partition("://")
    return bool(separator) and scheme.lower() not in {"http", "https"}


@contextmanager
def reached(address: str) -> Generator[tuple[Any, str]]:
    """The file system of an address, and the path there.

    Raises:
        InputError: from here or from within the block: a package is missing, there is no such bucket, the keys are refused.
        StorageUnavailable: the server does not answer.
    """
    from fsspec.core import url_to_fs

    try:
        # Listings that are kept would hide what other machines write.
        system, path = url_to_fs(address, use_listings_cache=False)
        yield system, path.rstrip("/")
    except RagsetError:
        raise
    except ImportError as error:
        scheme = address.partition("://")[0]
        raise InputError(f"{address}: needs a package: {_EXTRAS.get(scheme, error)}") from error
    except FileNotFoundError as error:
        raise InputError(f"{address}: there is no such file, folder or bucket") from error
    except Exception as error:  # clients raise errors of their own
        name = type(error).__name__
        if isinstance(error, OSError) and error.filename:  # of a file here
            raise
        if isinstance(error, PermissionError) or name in _NO_KEY:
            mend = "check the keys in the environment, for S3 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do"
            raise InputError(f"{address}: access is refused ({name}); {mend}") from error
        if isinstance(error, ValueError):
            said = _USER.sub("", str(error))
            raise InputError(f"{address}: is no address that can be read ({said})") from error
        raise StorageUnavailable(
            f"{address}: its server cannot be reached ({name}); check the network and, for S3, AWS_ENDPOINT_URL, and run the same "
            "command again: what was made is kept"
        ) from error


def at_once(call: Callable[..., T], arguments: Iterable[tuple[Any, ...]]) -> list[T]:
    """The results of a call for each of the arguments, several at a time."""
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        return [done.result() for done in [pool.submit(call, *one) for one in arguments]]
    finally:
        pool.shutdown(cancel_futures=True)
