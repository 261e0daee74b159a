"""Files at addresses such as `s3://bucket/folder`: local copies of them, and what machines share by RAGSET_STORAGE.

What is in a file, and when one is read or written, is no part of it.
"""

from ragset.storage.copies import address_of, check_there, local_copy, send_changes, send_copy, with_addresses
from ragset.storage.filesystem import is_address
from ragset.storage.shared import bring, check_storage, share, storage

__all__ = [
    "address_of",
    "bring",
    "check_storage",
    "check_there",
    "is_address",
    "local_copy",
    "send_changes",
    "send_copy",
    "share",
    "storage",
    "with_addresses",
]
