"""ragset on a Prefect server: the deployments, the server behind its guard, and the service of this machine."""
