"""One change judged by every preset that speaks of its format: who accepts it, who refuses, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from accord.model import Severity
from accord.policy.judgement import Trials
from accord.policy.policies import Policy
from accord.rules.presets import presets_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.model import Level, Verdict
    from accord.policy.comparison import Budget
    from accord.policy.judgement import HistoryEntry


@dataclass(frozen=True, slots=True)
class PresetVerdict:
    """What one preset says of a change."""

    preset: str
    verdict: Verdict

    @property
    def is_allowed(self) -> bool:
        """True when nothing blocks."""
        return self.verdict.is_allowed

    @property
    def heaviest(self) -> Severity:
        """The weight of the gravest finding; OFF where nothing is said."""
        weights = (finding.severity for finding in self.verdict.findings)
        return max(weights, key=list(Severity).index, default=Severity.OFF)

    @property
    def deciding(self) -> tuple[str, ...]:
        """The rules of the gravest findings, each once: why it is refused, or what it warns of."""
        if self.heaviest in {Severity.OFF, Severity.INFO}:
            return ()
        gravest = (one.rule for one in self.verdict.findings if one.severity is self.heaviest)
        return tuple(dict.fromkeys(gravest))


def judged_by_all(
    candidate: ParsedSchema,
    history: Sequence[HistoryEntry],
    level: Level,
    *,
    presets: Iterable[str] | None = None,
    budget: Budget | None = None,
) -> Mapping[str, PresetVerdict]:
    """Judge under each preset, or those named; history oldest first.

    Each preset may take the steps of ``budget``. Raises `accord.errors.InvalidPolicy` for an unknown name.
    """
    names = presets_of(candidate.format) if presets is None else presets
    found = {}
    for name in names:
        own = replace(budget) if budget is not None else None
        trials = Trials(candidate, history, budget=own)
        found[name] = PresetVerdict(name, trials.verdict(Policy(level, name)))
    return found
