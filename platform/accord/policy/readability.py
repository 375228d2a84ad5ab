"""Does a difference keep data from being read? Told by the formats' own rules, whatever a policy weighs.

The column of `accord:1` blocks where readers of Avro and JSON Schema fail, and nowhere else. What is told
of Protobuf depends on the preset, so there a finding means what its kind and values prove, and most prove
nothing.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from accord.model import Format, Severity
from accord.policy.protobuf_readability import is_harmless, is_unreadable
from accord.rules.table import PRESETS, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Finding

READERS = PRESETS["accord:1"]
# These say that nothing could be found out.
UNPROVEN = frozenset({"CHECK_TOO_LARGE", "PATTERN_UNREADABLE"})


class Readability(IntEnum):
    """Whether the reader reads all that the writer may have written; the larger, the worse.

    UNTOLD is what a finding says nothing about, UNKNOWN what was looked for and could not be found out.
    """

    READABLE = 1
    UNTOLD = 2
    UNKNOWN = 3
    UNREADABLE = 4


def readability(findings: Iterable[Finding]) -> Readability:
    """Return what the findings of one direction mean for data, if nothing else differs."""
    return max(map(_of, findings), default=Readability.READABLE)


def readability_of_all(format_: Format, findings: Iterable[Finding]) -> Readability:
    """Return what all findings of one direction mean for data.

    A preset of Protobuf looks at what it weighs, so that nothing found does not mean that nothing differs.
    """
    found = readability(findings)
    return max(found, Readability.UNTOLD) if format_ is Format.PROTOBUF else found


def _of(finding: Finding) -> Readability:
    row = TABLE.rows.get(finding.rule)
    if row is None or finding.rule in UNPROVEN:
        return Readability.UNKNOWN
    if row.format is Format.PROTOBUF:
        return _of_protobuf(finding)
    if READERS[row.id] is not Severity.BLOCK:
        return Readability.READABLE
    return _behind(finding)


def _of_protobuf(finding: Finding) -> Readability:
    if is_unreadable(finding):
        return Readability.UNREADABLE
    return Readability.READABLE if is_harmless(finding) else Readability.UNTOLD


def _behind(finding: Finding) -> Readability:
    """A branch of a union may fail to fit under a policy alone; other combinations do not tell as much."""
    inner = readability(finding.reasons)
    if not finding.reasons or inner is Readability.UNREADABLE:
        return Readability.UNREADABLE
    return inner if finding.rule == "MISSING_UNION_BRANCH" else Readability.UNKNOWN
