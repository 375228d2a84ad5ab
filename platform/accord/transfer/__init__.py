"""Copies of whole registries: the file they are kept in, how they are read, and how they are put back."""

from accord.transfer.applying import Effort, Outcome, apply
from accord.transfer.bringing import Run
from accord.transfer.comparing import Comparison, compare
from accord.transfer.copies import Copy
from accord.transfer.errors import CopyUnwritable, UnreadableExport
from accord.transfer.planning import Pair, Plan, plan
from accord.transfer.reading import read
from accord.transfer.walking import MODES, Walk, walk
from accord.transfer.writing import Summary, write

__all__ = [
    "MODES",
    "Comparison",
    "Copy",
    "CopyUnwritable",
    "Effort",
    "Outcome",
    "Pair",
    "Plan",
    "Run",
    "Summary",
    "UnreadableExport",
    "Walk",
    "apply",
    "compare",
    "plan",
    "read",
    "walk",
    "write",
]
