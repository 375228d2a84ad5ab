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
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from accord_server.kit.scope import Scope

COUNTS: Final = "accord:token-uses"
LATEST: Final = "accord:token-latest"
RIGHTS: Final = "accord:token-rights"
CAPACITY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Use:
    """One call with a token."""

    tenant_id: UUID
    key_id: str
    address: str | None
    client: str
    slot: int | None = None

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
        self._rights: dict[str, str] = {}

    def note_right(self, scope: Scope, right: str) -> None:
        """Note that a token was used for what this right opens, today."""
        if scope.token_key is None:
            return
        field = f"{scope.tenant.id}:{scope.token_key}:{right}"
        if field in self._rights or len(self._rights) < self._capacity:
            # One step, so that no other thread sees half of it.
            self._rights[field] = datetime.now(UTC).date().isoformat()

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
            rights = self._rights
            self._counts, self._latest, self._rights = Counter(), {}, {}
        if not counts and not rights:
            return True
        try:
            _send(counts, latest.values(), rights)
        except (RedisError, OSError):
            self._take_back(counts, latest, rights)
            return False
        return True

    def _take_back(
        self, counts: Counter[str], latest: dict[str, tuple[Use, datetime]], rights: dict[str, str]
    ) -> None:
        with self._lock:
            self._counts += counts
            self._latest = {**latest, **self._latest}
            self._rights = {**rights, **self._rights}


def _send(counts: Counter[str], latest: Iterable[tuple[Use, datetime]], rights: Mapping[str, str]) -> None:
    with redis_client() as redis, redis.pipeline() as batch:
        for field, count in counts.items():
            batch.hincrby(COUNTS, field, count)
        for use, at in latest:
            batch.hset(LATEST, use.field, json.dumps(_document(use, at)))
        if rights:
            batch.hset(RIGHTS, mapping=dict(rights))
        batch.execute()


def _document(use: Use, at: datetime) -> dict[str, Any]:
    return {
        "at": at.isoformat(),
        "address": clean_address(use.address),
        "client": clean_text(use.client, LONGEST_CLIENT),
        "slot": use.slot,
    }


usage: Final = Usage()
