"""Work that a run sends to the workers of a cluster (Dask, Ray), or does itself.

Here belongs what knows of clusters and of their workers; not what the work is.
"""
