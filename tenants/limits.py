"""The limits of tenants as this process knows them, for what is asked with every request.

They are read once in a while, and dropped at once when the tenant is said to have changed. A read during
which anything is dropped is not kept: it may rest on what was there before.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from tenants.queries.quotas import set_limits_of

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.quotas import SetLimits

LIFE_S: Final = 30.0
CAPACITY: Final = 10_000


class Known(NamedTuple):
    """What was set, and until when (monotonic seconds) they may be relied upon."""

    limits: SetLimits
    until: float


class Limits:
    """A bounded table from tenant to limits."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()
        self._drops = 0

    def known(self, tenant_id: UUID) -> SetLimits | None:
        """Return what was set for a tenant if it was read lately; asks no database."""
        found = self._known.get(str(tenant_id))
        return None if found is None or found.until <= time.monotonic() else found.limits

    def of(self, scope: Scope, name: str) -> int:
        """Return a limit of the caller's tenant; one statement where nothing is known of it."""
        return self._read(scope).in_force(name)

    def drop(self, tenant: str) -> None:
        """Forget the limits of one tenant, named by the text of its id as messages name it."""
        with self._lock:
            self._drops += 1
            self._known.pop(tenant, None)

    def clear(self) -> None:
        """Forget all of them, as when messages may have been missed."""
        with self._lock:
            self._drops += 1
            self._known.clear()

    def _read(self, scope: Scope) -> SetLimits:
        found = self.known(scope.tenant.id)
        if found is not None:
            return found
        drops = self._drops
        limits = set_limits_of(scope)
        with self._lock:
            if drops == self._drops:
                self._known[str(scope.tenant.id)] = Known(limits, time.monotonic() + LIFE_S)
                self._known.move_to_end(str(scope.tenant.id))
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return limits


limits: Final = Limits()
