"""What this process has lately decided about tokens: positive answers only, for two seconds at most.

A drop while a decision is being made makes that decision unfit to keep: it may rest on what was read
before the revocation.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import TOKEN_CACHE_SECONDS

if TYPE_CHECKING:
    from datetime import timedelta

    from accord_server.kit.scope import Scope

Key = tuple[bytes, str, str | None]

CAPACITY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Decision:
    """A caller let in, and until when (monotonic seconds) that may be relied upon."""

    scope: Scope
    until: float


class Decisions:
    """A bounded table from (digest of the token, tenant, namespace) to decision."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._known: OrderedDict[Key, Decision] = OrderedDict()
        self._lock = threading.Lock()
        self._drops = 0

    @property
    def drops(self) -> int:
        """How often anything was dropped; read it before deciding and hand it to `keep`."""
        return self._drops

    def get(self, key: Key) -> Scope | None:
        """Return the scope decided upon, while it may be relied upon."""
        decision = self._known.get(key)
        if decision is None or decision.until <= time.monotonic():
            return None
        return decision.scope

    def keep(self, key: Key, scope: Scope, *, lives_for: timedelta, drops: int) -> None:
        """Rely on a decision for a while, unless something was dropped since."""
        seconds = min(float(configured(TOKEN_CACHE_SECONDS)), lives_for.total_seconds())
        with self._lock:
            if drops != self._drops or seconds <= 0:
                return
            self._known[key] = Decision(scope, time.monotonic() + seconds)
            self._known.move_to_end(key)
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)

    def drop_token(self, key_id: str) -> None:
        """Forget what was decided about one token."""
        self._drop([key for key, known in self._entries() if known.scope.token_key == key_id])

    def drop_tenant(self, tenant_id: str) -> None:
        """Forget what was decided in one tenant: roles, members or the tenant itself changed."""
        self._drop([key for key, known in self._entries() if str(known.scope.tenant.id) == tenant_id])

    def clear(self) -> None:
        """Forget everything, as when messages may have been missed."""
        self._drop([key for key, _ in self._entries()])

    def __len__(self) -> int:
        return len(self._known)

    def _entries(self) -> list[tuple[Key, Decision]]:
        with self._lock:
            self._drops += 1
            return list(self._known.items())

    def _drop(self, keys: list[Key]) -> None:
        with self._lock:
            for key in keys:
                self._known.pop(key, None)


decisions: Final = Decisions()
