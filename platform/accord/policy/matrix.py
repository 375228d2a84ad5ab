"""One candidate under all seven levels at once, without judging any pair twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.judgement import Trials

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Comparison, Verdict
    from accord.policy.comparison import Budget
    from accord.policy.judgement import HistoryEntry
    from accord.policy.policies import Policy


@dataclass(frozen=True, slots=True)
class LevelVerdict:
    """What one level says: the whole verdict, and what of it blocks."""

    level: str
    verdict: Verdict

    @property
    def is_allowed(self) -> bool:
        """True when nothing blocks."""
        return self.verdict.is_allowed

    @property
    def failing(self) -> tuple[Comparison, ...]:
        """The comparisons that block, all with one version: the newest that fails."""
        return tuple(one for one in self.verdict.comparisons if one.is_blocked)

    @property
    def version(self) -> int | None:
        """The number of that version; None where nothing fails, or versions have no numbers."""
        return next((one.version for one in self.failing), None)


def matrix(
    candidate: ParsedSchema,
    history: Sequence[HistoryEntry],
    policy: Policy,
    *,
    budget: Budget | None = None,
) -> dict[str, LevelVerdict]:
    """Judge under each of Confluent's levels, and all else as the policy says; history oldest first."""
    return levels_of(Trials(candidate, history, budget=budget), policy)


def levels_of(trials: Trials, policy: Policy) -> dict[str, LevelVerdict]:
    """Return the verdict of each level, for trials that may have judged some of it before."""
    return {
        name: LevelVerdict(name, trials.verdict(replace(policy, level=level)))
        for name, level in CONFLUENT_LEVELS.items()
    }


def what_if(
    candidate: ParsedSchema,
    history: Sequence[HistoryEntry],
    policies: Mapping[str, Policy],
    *,
    budget: Budget | None = None,
) -> dict[str, Verdict]:
    """Judge under several policies, none of them saved; those that differ in level alone share the work."""
    trials = Trials(candidate, history, budget=budget)
    return {name: trials.verdict(policy) for name, policy in policies.items()}
