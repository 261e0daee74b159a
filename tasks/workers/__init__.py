"""Work that a run sends to the workers of a cluster (Dask, Ray), or does itself.

Here belongs what knows of clusters and of their workers; not what the work is.
"""

from tasks.workers.ahead import by_size, in_order
from tasks.workers.cluster import (
    cluster_of,
    has_workers,
    in_slabs,
    on_worker,
    over_workers,
    parallel,
    searches_anywhere,
    searching,
)
from tasks.workers.parts import opened_part, write_part

__all__ = [
    "by_size",
    "cluster_of",
    "has_workers",
    "in_order",
    "in_slabs",
    "on_worker",
    "opened_part",
    "over_workers",
    "parallel",
    "searches_anywhere",
    "searching",
    "write_part",
]
