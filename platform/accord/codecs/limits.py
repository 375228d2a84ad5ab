"""What a record may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RecordLimits:
    """Upper bounds on one record.

    ``payload_bytes`` is its size without the frame, ``values`` the values in it, empty ones included,
    ``depth`` how many records, lists, maps and unions may be open at once.
    """

    payload_bytes: int = 16_777_216
    values: int = 1_000_000
    depth: int = 200


RECORD_LIMITS: Final = RecordLimits()
