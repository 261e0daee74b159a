"""Work that a run sends to the workers of a cluster (Dask, Ray), or does itself.

Here belongs what knows of clusters and of their workers; not what the work is.
"""

from tasks.workers.cluster import (
    cluster_of,
    in_slabs,
    on_worker,
    over_workers,
    parallel,
    searches_anywhere,
    searching,
)

__all__ = [
    "cluster_of",
    "in_slabs",
    "on_worker",
    "over_workers",
    "parallel",
    "searches_anywhere",
    "searching",
]
