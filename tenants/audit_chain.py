"""The chain over audit records: what is hashed, and how.

A record's digest is the SHA-256 of its canonical JSON: every column but the id, names sorted, no spaces,
ASCII, times in UTC with microseconds. A seal's digest is that of the canonical JSON of the seal: its number,
month and time, the digest of the seal before, and the ids and digests of its records in order. So nothing
that a seal has once held can be changed, taken out, put in or moved without a digest telling of it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

FORMAT: Final = 1
DIGEST_LENGTH: Final = 32
# The digest before the first seal; also that of a record that was gone before it was sealed.
NOTHING: Final = bytes(DIGEST_LENGTH)
COLUMNS: Final = (
    "tenant_id",
    "at",
    "actor_kind",
    "actor",
    "token_key_id",
    "token_slot",
    "namespace_id",
    "action",
    "object_kind",
    "object_name",
    "outcome",
    "address",
    "request_id",
    "before",
    "after",
)


@dataclass(frozen=True, slots=True)
class Seal:
    """One link of the chain of a tenant; ``rows`` are ids of records with their digests, in order."""

    tenant: UUID
    number: int
    month: date
    sealed_at: datetime
    previous: bytes
    rows: tuple[tuple[int, bytes], ...]

    @property
    def digest(self) -> bytes:
        """The digest that the next seal holds."""
        return _sha256(
            {
                "format": FORMAT,
                "tenant": str(self.tenant),
                "number": self.number,
                "month": self.month.isoformat(),
                "sealed_at": _moment(self.sealed_at),
                "previous": self.previous.hex(),
                "rows": [[number, digest.hex()] for number, digest in self.rows],
            }
        )


def record_digest(row: Sequence[Any]) -> bytes:
    """Return the digest of a record; the row has the values of `COLUMNS`."""
    return _sha256({name: _plain(value) for name, value in zip(COLUMNS, row, strict=True)})


def joined(digests: Iterable[bytes]) -> bytes:
    """Return digests as a seal stores them."""
    return b"".join(digests)


def parted(digests: bytes) -> list[bytes]:
    """Return the digests that a seal stores; what is left of a torn one is one too."""
    return [digests[at : at + DIGEST_LENGTH] for at in range(0, len(digests), DIGEST_LENGTH)]


def month_of(at: datetime) -> date:
    """Return the first day of the month, in UTC: what partitions go by."""
    return at.astimezone(UTC).date().replace(day=1)


def _plain(value: Any) -> Any:  # noqa: ANN401  # whatever a column holds
    if isinstance(value, datetime):
        return _moment(value)
    return value if value is None or isinstance(value, (str, int, dict, list)) else str(value)


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _sha256(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()
