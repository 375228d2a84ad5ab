"""Last use of tokens: counted in the process, carried to Redis, stored once a minute.

A request only touches a dictionary. When Redis is away the process keeps what it has counted; what is
lost with a killed process is at most a second of it.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from redis.exceptions import RedisError

from accord_server.kit.redis_door import redis_client
from tenants.callers import LONGEST_CLIENT, clean_address, clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

COUNTS: Final = "accord:token-uses"
LATEST: Final = "accord:token-latest"
CAPACITY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Use:
    """One call with a token."""

    tenant_id: UUID
    key_id: str
    address: str | None
    client: str

    @property
    def field(self) -> str:
        """Its name in the hashes."""
        return f"{self.tenant_id}:{self.key_id}"


class Usage:
    """What this process has counted and not yet carried to Redis."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._latest: dict[str, tuple[Use, datetime]] = {}

    def note(self, use: Use) -> None:
        """Count one use."""
        field, now = use.field, datetime.now(UTC)
        with self._lock:
            if field in self._latest or len(self._latest) < self._capacity:
                self._counts[field] += 1
                self._latest[field] = (use, now)

    def push(self) -> bool:
        """Carry everything to Redis and tell whether that worked; what cannot be carried is kept."""
        with self._lock:
            counts, latest = self._counts, self._latest
            self._counts, self._latest = Counter(), {}
        if not counts:
            return True
        try:
            _send(counts, latest.values())
        except (RedisError, OSError):
            self._take_back(counts, latest)
            return False
        return True

    def _take_back(self, counts: Counter[str], latest: dict[str, tuple[Use, datetime]]) -> None:
        with self._lock:
            self._counts += counts
            self._latest = {**latest, **self._latest}


def _send(counts: Counter[str], latest: Iterable[tuple[Use, datetime]]) -> None:
    with redis_client() as redis, redis.pipeline() as batch:
        for field, count in counts.items():
            batch.hincrby(COUNTS, field, count)
        for use, at in latest:
            batch.hset(LATEST, use.field, json.dumps(_document(use, at)))
        batch.execute()


def _document(use: Use, at: datetime) -> dict[str, Any]:
    return {
        "at": at.isoformat(),
        "address": clean_address(use.address),
        "client": clean_text(use.client, LONGEST_CLIENT),
    }


usage: Final = Usage()
