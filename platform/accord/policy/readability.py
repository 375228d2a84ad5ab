"""Does a difference keep data from being read? Told by the formats' own rules, whatever a policy weighs.

The column of `accord:1` blocks where readers of Avro and JSON Schema fail, and nowhere else. For Protobuf
it is Confluent's, which also refuses what leaves the bytes readable; there the published guidance on binary
data must agree.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from accord.model import Format, Severity
from accord.rules.table import PRESETS, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Finding

READERS = PRESETS["accord:1"]
BINARY = PRESETS["protobuf.dev:binary"]
# These say that nothing could be found out.
UNPROVEN = frozenset({"CHECK_TOO_LARGE", "PATTERN_UNREADABLE"})


class Readability(IntEnum):
    """Whether the reader reads all that the writer may have written; the larger, the worse."""

    READABLE = 1
    UNKNOWN = 2
    UNREADABLE = 3


def readability(findings: Iterable[Finding]) -> Readability:
    """Return what the findings of one direction mean for data."""
    return max(map(_of, findings), default=Readability.READABLE)


def _of(finding: Finding) -> Readability:
    row = TABLE.rows.get(finding.rule)
    if row is None or finding.rule in UNPROVEN:
        return Readability.UNKNOWN
    if READERS[row.id] is not Severity.BLOCK:
        return Readability.READABLE
    if row.format is Format.PROTOBUF and BINARY[row.id] is not Severity.BLOCK:
        return Readability.UNKNOWN
    return _behind(finding)


def _behind(finding: Finding) -> Readability:
    """A branch of a union may fail to fit under a policy alone; other combinations do not tell as much."""
    inner = readability(finding.reasons)
    if not finding.reasons or inner is Readability.UNREADABLE:
        return Readability.UNREADABLE
    return inner if finding.rule == "MISSING_UNION_BRANCH" else Readability.UNKNOWN
