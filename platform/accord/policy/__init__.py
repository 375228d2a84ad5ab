"""Policies: what a candidate is compared with, what each difference weighs, and the verdict."""

from accord.policy.comparison import STEPS_PER_CHECK, Budget
from accord.policy.judgement import HistoryEntry, Trials, judge
from accord.policy.policies import Policy

__all__ = ["STEPS_PER_CHECK", "Budget", "HistoryEntry", "Policy", "Trials", "judge"]
