"""Results of commands, for people and for scripts."""

from flows.cli.results.benchmarks import print_benchmark, print_changes, print_plan
from flows.cli.results.corpora import print_calibration, print_estimate, print_index
from flows.cli.results.datasets import (
    print_dataset,
    print_problems,
    print_refresh,
    print_shown,
    print_unread,
    with_spent,
)
from flows.cli.results.prompts import print_prompts, print_translated
from flows.cli.terminal import print_json

__all__ = [
    "print_benchmark",
    "print_calibration",
    "print_changes",
    "print_dataset",
    "print_estimate",
    "print_index",
    "print_json",
    "print_plan",
    "print_problems",
    "print_prompts",
    "print_refresh",
    "print_shown",
    "print_translated",
    "print_unread",
    "with_spent",
]
