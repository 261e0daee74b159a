"""The effect of one change, such as a trained adapter or reranker: retrieval before and after on goldens held out for testing.

Whole benchmarks are compared in `ragset.evaluation.results.comparing`.
"""

from ragset.evaluation.effect.evaluation_set import EvaluationSet
from ragset.evaluation.effect.learning_curve import learning_curve
from ragset.evaluation.effect.measure import measure_effect
from ragset.evaluation.effect.model import (
    Effect,
    GroupChange,
    LearningPoint,
    MetricChange,
    MovedQuery,
    Validation,
    Verdict,
)
from ragset.evaluation.effect.report import EFFECT, REPORT, effect_files, render_effect

__all__ = [
    "EFFECT",
    "REPORT",
    "Effect",
    "EvaluationSet",
    "GroupChange",
    "LearningPoint",
    "MetricChange",
    "MovedQuery",
    "Validation",
    "Verdict",
    "effect_files",
    "learning_curve",
    "measure_effect",
    "render_effect",
]
