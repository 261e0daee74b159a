"""The flows, one file each, composition only: single-chunk, multi-chunk, label, refresh, benchmark, index, and the trainings.

Below them: the command line (`cli`), the service (`deploy`), the parameters, and the steps that flows share.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
