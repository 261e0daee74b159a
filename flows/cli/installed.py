"""The command `ragset` of an installed package, as `python -m flows` is that of the repository.

A wheel has this file as the module `ragset_command`, apart from `flows`, which is found once `main` has set the path.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Run the command with the flows that came with the package."""
    spec = find_spec("ragset")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    program = package / "program"
    root = str(program if program.is_dir() else package.parent)  # an editable installation has the repository
    sys.path.insert(0, root)
    # Prefect's server, workers of Dask and Ray and readers of documents are processes of their own.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    if os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.append(os.getcwd())  # noqa: PTH109  (for systems of one's own, `my_rag:answer`; behind all that is installed)
    from flows.__main__ import app

    app(prog_name="ragset")
