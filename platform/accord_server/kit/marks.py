"""What a change is held against: the number that stood for a thing when whoever changes it looked."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.edit_errors import Changed

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK_BYTES: Final = 4


def mark_of(shown: Mapping[str, Any]) -> int:
    """Return a number of 31 bits that stands for what is shown, for what has no row that counts its changes.

    What was removed and set again as it was has the same number: then nothing is lost.
    """
    text = json.dumps(shown, sort_keys=True, default=str).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:MARK_BYTES]) >> 1


def require_mark(thing: str, now: int, expected: int | None) -> None:
    """Refuse a change that was made for something else than is there now; None takes whatever there is.

    Raises:
        Changed: Somebody was faster.
    """
    if expected not in {None, now}:
        raise Changed(thing, now)
