"""Prefect's server as ragset starts it: `python -m flows.deploy.prefect_server`."""
