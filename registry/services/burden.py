"""What comparing a candidate will cost, before it is done, and whether a request may do it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import INLINE_CHECK_BYTES, INLINE_CHECK_FILES, INLINE_CHECK_VERSIONS
from registry.services.judging import couples_of, unremembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.model import Level
    from accord.policy import Policy
    from registry.records import HistoryRow
    from registry.services.candidates import Candidate


def is_heavy(candidate: Candidate, policy: Policy, rows: Sequence[HistoryRow], *levels: Level) -> bool:
    """Tell whether a worker is to compare a candidate with versions, oldest first, under these levels.

    What this process has compared before costs nothing.
    """
    couples = [couple for level in levels for couple in couples_of(level, rows)]
    if not couples:
        return False
    compared = {couple.row.version_key: couple.row for couple in couples}
    if not _is_much(candidate, tuple(compared.values())):
        return False
    return _is_much(candidate, unremembered(candidate, policy, couples))


def _is_much(candidate: Candidate, rows: Sequence[HistoryRow]) -> bool:
    size = len(candidate.parsed.canonical) + sum(row.text_bytes for row in rows)
    files = 1 + len(candidate.parsed.references)
    return bool(rows) and (
        size > configured(INLINE_CHECK_BYTES)
        or files > configured(INLINE_CHECK_FILES)
        or len(rows) > configured(INLINE_CHECK_VERSIONS)
    )
