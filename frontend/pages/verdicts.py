"""A verdict in words: one sentence, a chip per level, a row per finding, who breaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.model import Direction, Severity
from accord.rules import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.model import Comparison, Finding, Verdict
    from frontend.pages.shell import Label

# Shown in this order; the names are those of the Confluent dialect.
LEVELS: Final = (
    "NONE",
    "BACKWARD",
    "BACKWARD_TRANSITIVE",
    "FORWARD",
    "FORWARD_TRANSITIVE",
    "FULL",
    "FULL_TRANSITIVE",
)
# Of one pair, these two levels together hold every finding that any level can have.
BOTH_DIRECTIONS: Final = ("BACKWARD", "FORWARD")
SEVERITIES: Final[dict[Severity, Label]] = {
    Severity.BLOCK: gettext_lazy("Blocks"),
    Severity.WARN: gettext_lazy("Warns"),
    Severity.INFO: gettext_lazy("Info"),
    Severity.OFF: gettext_lazy("Off"),
}
WOULD_BE: Final[dict[Severity, Label]] = {
    **SEVERITIES,
    Severity.BLOCK: gettext_lazy("Would block"),
    Severity.WARN: gettext_lazy("Would warn"),
}
# The levels that look in a direction; with depth they look further the same way.
LEVELS_OF: Final = {Direction.BACKWARD: ("BACKWARD", "FULL"), Direction.FORWARD: ("FORWARD", "FULL")}
DEPTH: Final = "_TRANSITIVE"
MAX_FINDINGS: Final = 500


class Outcome(StrEnum):
    """How a pair fares; the values are classes of the style sheet."""

    PASS = "pass"  # noqa: S105 - a class of the style sheet
    WARN = "warn"
    FAIL = "fail"


BADGES: Final = {
    Severity.BLOCK: ("fail", "cross"),
    Severity.WARN: ("warn", "alert"),
    Severity.INFO: ("info", "info"),
    Severity.OFF: ("info", "minus"),
}
SIGNS: Final = {Outcome.PASS: "check", Outcome.WARN: "alert", Outcome.FAIL: "cross"}


@dataclass(frozen=True, slots=True)
class LevelChip:
    """One of the seven levels, whether the newer version passes it, and which other one it fails on."""

    name: str
    is_allowed: bool
    is_in_force: bool
    fails_on: int | None


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding as the table prints it."""

    severity: Severity
    rule: str
    rule_url: str
    path: str
    message: str
    who: str
    levels: str
    is_in_force: bool

    @property
    def severity_label(self) -> Label:
        """What the finding does, or would do if the level in force asked for this direction."""
        return (SEVERITIES if self.is_in_force else WOULD_BE)[self.severity]

    @property
    def badge(self) -> str:
        """The class that colours the severity: only what counts is coloured."""
        return BADGES[self.severity][0] if self.is_in_force else "info"

    @property
    def icon(self) -> str:
        """The sign of the severity: colour is never alone."""
        return BADGES[self.severity][1]


@dataclass(frozen=True, slots=True)
class VerdictPanel:
    """The verdict on "``new`` replaces ``old``" with everything that explains it."""

    outcome: Outcome
    sentence: str
    note: str
    levels: tuple[LevelChip, ...]
    findings: tuple[FindingRow, ...]
    hidden: int

    @property
    def icon(self) -> str:
        """The sign of the outcome."""
        return SIGNS[self.outcome]


def verdict_panel(verdicts: Mapping[str, Verdict], *, old: int, new: int, level: str) -> VerdictPanel:
    """Put the verdicts of one pair, by level, into words; transitive ones also tell of versions before."""
    rows = list(_rows(verdicts, old=old, new=new, level=level))
    in_force = verdicts.get(level)
    outcome = _outcome(in_force)
    return VerdictPanel(
        outcome=outcome,
        sentence=_sentence(outcome, old=old, new=new, level=level),
        note=_note(in_force, old=old, new=new),
        levels=tuple(
            LevelChip(name, verdicts[name].is_allowed, name == level, _fails_on(verdicts[name], old=old))
            for name in LEVELS
            if name in verdicts
        ),
        findings=tuple(rows[:MAX_FINDINGS]),
        hidden=max(0, len(rows) - MAX_FINDINGS),
    )


def _outcome(verdict: Verdict | None) -> Outcome:
    if verdict is None or not verdict.is_allowed:
        return Outcome.FAIL
    warns = any(finding.severity is Severity.WARN for finding in verdict.findings)
    return Outcome.WARN if warns else Outcome.PASS


def _sentence(outcome: Outcome, *, old: int, new: int, level: str) -> str:
    values = {"old": old, "new": new, "level": level}
    match outcome:
        case Outcome.PASS:
            return _("Compatible. Version %(new)s can replace version %(old)s under %(level)s.") % values
        case Outcome.WARN:
            text = _(
                "Compatible, with warnings. Version %(new)s can replace version %(old)s under %(level)s."
            )
            return text % values
        case Outcome.FAIL:
            return _("Incompatible. Version %(new)s cannot replace version %(old)s under %(level)s.") % values


def _note(verdict: Verdict | None, *, old: int, new: int) -> str:
    number = _fails_on(verdict, old=old) if verdict is not None else None
    if number is None:
        return ""
    return _("Version %(new)s fits version %(old)s, but not version %(number)s before it.") % {
        "new": new,
        "old": old,
        "number": number,
    }


def _fails_on(verdict: Verdict, *, old: int) -> int | None:
    """Return the version that a verdict fails on, where that is not the older one shown."""
    failing = [comparison.version for comparison in verdict.comparisons if comparison.is_blocked]
    return failing[0] if failing and failing[0] != old else None


def _rows(verdicts: Mapping[str, Verdict], *, old: int, new: int, level: str) -> Iterator[FindingRow]:
    """Yield the findings on the pair, then those on versions before it that the level in force blames."""
    pair = [one for name in BOTH_DIRECTIONS if name in verdicts for one in verdicts[name].comparisons]
    deeper = [one for one in verdicts[level].comparisons if one.version != old] if level in verdicts else []
    for comparison in (*pair, *deeper):
        levels = LEVELS_OF[comparison.direction]
        counts = level.removesuffix(DEPTH) in levels
        for finding in comparison.findings:
            who = _who(comparison, new=new)
            yield _row(finding, who=who, levels=", ".join(levels), is_in_force=counts)


def _row(finding: Finding, *, who: str, levels: str, is_in_force: bool) -> FindingRow:
    return FindingRow(
        severity=finding.severity,
        rule=finding.rule,
        rule_url=rule_url(finding.rule),
        path=finding.path,
        message=finding.message,
        who=who,
        levels=levels,
        is_in_force=is_in_force,
    )


def rule_url(rule: str) -> str:
    """Return the address of a rule's page, or nothing for a rule that has none."""
    try:
        table.rule(rule)
    except KeyError:
        return ""
    return reverse("frontend:rule", args=[rule])


def _who(comparison: Comparison, *, new: int) -> str:
    values = {"old": comparison.version, "new": new}
    if comparison.direction is Direction.BACKWARD:
        return _("Readers on version %(new)s cannot read data written with version %(old)s.") % values
    return _("Readers still on version %(old)s cannot read data written with version %(new)s.") % values
