"""Findings of a check and the verdict made of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.model.levels import Direction


class Severity(StrEnum):
    """How much a finding weighs; only ``block`` refuses a registration."""

    OFF = "off"
    INFO = "info"
    WARN = "warn"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference that a compatibility rule reports.

    ``detail`` is the bare value the format's own checker gives (for Avro the Java message),
    ``message`` the sentence for people naming old and new value; ``path`` is a JSON pointer
    (reader side; union branches of the writer).

    ``location`` is the place as the format's own checker spells it. It differs from ``path`` where
    a named type is used more than once: that checker names the place of the first use every time,
    counted from the union where that was inside one. ``reasons`` are findings further in that
    explain this one; they take no part in the verdict.

    ``name``, ``reader`` and ``writer`` are what differs and its value on both sides, where there are
    any, for advice. ``judged_as`` is the rule whose weight counts, if a policy replaced this one. ``lost``
    leads to it, or to what is gone, in the writer's schema, where ``path`` names another place.
    ``is_negated`` marks what was found inside a ``not``, where the two sides are compared the other way
    round: the values are those of the true reader and writer, and the rule's own words do not hold.
    ``is_turned`` marks what was found looking the other way than its comparison, as presets do that hold new
    against old whoever reads. ``held`` leads to it in the reader's schema, where its steps there are others
    than those of ``path``.
    """

    rule: str
    severity: Severity
    path: str
    detail: str
    message: str
    location: str = ""
    reasons: tuple[Finding, ...] = ()
    name: str = ""
    reader: str = ""
    writer: str = ""
    judged_as: str = ""
    lost: str = ""
    is_negated: bool = False
    held: str = ""
    is_turned: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The findings of one reader/writer couple: the candidate against one stored version.

    ``version`` is None when the other side has no number (two files on the command line).
    """

    direction: Direction
    version: int | None
    findings: tuple[Finding, ...]

    @property
    def is_blocked(self) -> bool:
        """True when at least one finding blocks."""
        return any(finding.severity is Severity.BLOCK for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a check: every comparison made, in the order it was made.

    ``own`` are findings about the candidate by itself, which stand even where it is compared with nothing.
    """

    comparisons: tuple[Comparison, ...] = ()
    own: tuple[Finding, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """True when nothing blocks; warnings may remain."""
        is_refused = any(finding.severity is Severity.BLOCK for finding in self.own)
        return not is_refused and not any(comparison.is_blocked for comparison in self.comparisons)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those about the candidate by itself, then all findings of all comparisons, in order."""
        return (*self.own, *(finding for one in self.comparisons for finding in one.findings))
