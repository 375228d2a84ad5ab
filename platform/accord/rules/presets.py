"""Presets: named columns of severities, one cell for each rule.

Names are pinned to a version, so that an upgrade never changes a verdict silently. ``confluent:8.1``
weighs exactly what Confluent's registry reports. ``accord:1`` is the house's own: the same refusals,
and a warning where data stays readable but changes its meaning or its full name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.model.verdicts import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

OFF, WARN, BLOCK = Severity.OFF, Severity.WARN, Severity.BLOCK
DEFAULT_PRESET = "confluent:8.1"

# rule id: (confluent:8.1, accord:1)
_NAMES = ("confluent:8.1", "accord:1")
_CELLS = {
    "AMBIGUOUS_FIELD_ALIAS": (BLOCK, BLOCK),
    "CHECK_TOO_LARGE": (BLOCK, BLOCK),
    "DIFFERENT_SCHEMA_TYPE": (BLOCK, BLOCK),
    "FIXED_SIZE_MISMATCH": (BLOCK, BLOCK),
    "FROZEN": (BLOCK, BLOCK),
    "LOGICAL_TYPE_CHANGED": (OFF, WARN),
    "MISSING_ENUM_SYMBOLS": (BLOCK, BLOCK),
    "MISSING_UNION_BRANCH": (BLOCK, BLOCK),
    "NAMESPACE_CHANGED": (OFF, WARN),
    "NAME_MISMATCH": (BLOCK, BLOCK),
    "READER_FIELD_MISSING_DEFAULT_VALUE": (BLOCK, BLOCK),
    "TYPE_MISMATCH": (BLOCK, BLOCK),
}

PRESETS: Mapping[str, Mapping[str, Severity]] = {
    name: {rule: cells[column] for rule, cells in _CELLS.items()} for column, name in enumerate(_NAMES)
}
