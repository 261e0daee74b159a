"""The flows, one file each, composition only: single-chunk, multi-chunk, corpus-wide, label, refresh, benchmark, index, and the trainings.

Below them: the command line (`cli`), the service (`deploy`), the parameters, and the steps that flows share.
"""

import gc
from pathlib import Path

# By default Python looks for garbage at every 700 new objects, and again and again through all that a run keeps: a fifth of
# the processor time of a run of 1,000 goldens, and more of a larger one.
gc.set_threshold(100_000)

ROOT = Path(__file__).resolve().parents[1]
"""The folder of the code: the repository, or a folder of the installed package."""
INSTALLED = ROOT.name == "program" and ROOT.parent.name == "ragset"


def project() -> Path:
    """The folder in which relative paths of a service's runs begin: the repository, or where `ragset serve` is typed."""
    return Path.cwd() if INSTALLED else ROOT
