"""Makes goldens: which chunks are drawn, the stages that turn them into goldens, and which of these are kept.

How goldens stand on disk is in `dataset`, how systems are scored by them in `evaluation`, how a model is asked in `llm`.
"""

from ragset.generation import evolutions, styles

__all__ = ["evolutions", "styles"]
