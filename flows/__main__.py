"""The command line: `python -m flows …`."""

from importlib import import_module
from pkgutil import iter_modules

from flows.cli import commands
from flows.cli.app import app

for module in iter_modules(commands.__path__):
    import_module(f"{commands.__name__}.{module.name}")

if __name__ == "__main__":
    app(prog_name="python -m flows")
