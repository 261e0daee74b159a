"""Prefect's command line with `flows.sqlite.take_turns`: `python -m flows.service.prefect server start …`."""

from flows.sqlite import take_turns

if __name__ == "__main__":
    take_turns()
    from prefect.cli import app

    app()
