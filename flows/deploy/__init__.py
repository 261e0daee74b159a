"""ragset on a Prefect server: what is deployed, the server behind its guard, and the service of this machine.

The flows themselves are beside this folder, and what is deployed is written in `deployments/`.
"""
