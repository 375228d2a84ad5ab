"""What comparing a candidate will cost, before it is done, and whether a request may do it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.model import Format
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import INLINE_CHECK_BYTES, INLINE_CHECK_FILES, INLINE_CHECK_VERSIONS
from registry.queries.history import referenced_by
from registry.services.judging import couples_of, unremembered
from registry.services.memory import SIZES, length_in_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from accord.model import Level
    from accord.policy import Policy
    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow, Referenced
    from registry.services.candidates import Candidate

# A byte of Protobuf costs as many of another format: a field takes few, and is compared under more rules.
WEIGHTS: Final = {Format.PROTOBUF: 4}


def is_heavy(
    scope: Scope, candidate: Candidate, policy: Policy, rows: Sequence[HistoryRow], *levels: Level
) -> bool:
    """Tell whether a worker is to compare a candidate with versions, oldest first, under these levels.

    What they refer to counts as what they say themselves, which is one statement for versions that this
    process knows nothing of. What it has compared before costs nothing.
    """
    couples = [couple for level in levels for couple in couples_of(level, rows)]
    if not couples:
        return False
    compared = {couple.row.version_key: couple.row for couple in couples}.values()
    if not any(row.references for row in compared) and not _is_much(candidate, compared, ()):
        return False
    left = unremembered(candidate, policy, couples)
    return _is_much(candidate, left, _referenced_by(scope, left))


def weighed(format_: Format, size: int) -> int:
    """Return what bytes of texts count for, held against `INLINE_CHECK_BYTES`."""
    return WEIGHTS.get(format_, 1) * size


def _referenced_by(scope: Scope, rows: Iterable[HistoryRow]) -> list[Referenced]:
    """Return how much versions refer to, each by itself."""
    keys = {row.schema_key for row in rows if row.references}
    found = {key: SIZES.recall((scope.tenant.id, key)) for key in keys}
    unknown = [key for key, size in found.items() if size is None]
    if unknown:
        for key, size in referenced_by(scope, unknown).items():
            SIZES.keep((scope.tenant.id, key), size)
            found[key] = size
    return [size for size in found.values() if size is not None]


def _is_much(candidate: Candidate, rows: Collection[HistoryRow], referenced: Iterable[Referenced]) -> bool:
    behind = (candidate.referenced, *referenced)
    size = length_in_bytes(candidate.parsed.canonical) + sum(row.text_bytes for row in rows)
    size += sum(one.text_bytes for one in behind)
    files = 1 + max(one.files for one in behind)
    return bool(rows) and (
        weighed(candidate.parsed.format, size) > configured(INLINE_CHECK_BYTES)
        or files > configured(INLINE_CHECK_FILES)
        or len(rows) > configured(INLINE_CHECK_VERSIONS)
    )
