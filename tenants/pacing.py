"""How many requests a second: counted in each process by itself, so that nobody waits for a shared counter.

A bucket holds as many requests as may come in a second and fills at that pace. What comes when it is empty is
refused, and told when to come again. With several processes the whole is about so many times more.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from accord_server.kit.scope import PrincipalKind
from tenants.errors import TooManyRequests
from tenants.limits import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from accord_server.kit.scope import Scope

CAPACITY: Final = 20_000
OF_TENANT: Final = "this tenant"
OF_PEOPLE: Final = "this tenant's people at pages, together,"
OF_STRANGERS: Final = "this tenant's callers without a token, together,"
# Callers without a token may come at this part of the tenant's pace.
STRANGERS_SHARE: Final = 4
LINE_OF_TOKENS: Final = "this token, or what it descends from,"
REQUESTS: Final = "requests_per_second"


class Buckets:
    """A bounded table of buckets; whose was not asked for longest is forgotten, which only fills it."""

    def __init__(self, capacity: int = CAPACITY, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self.clock = clock
        self._lock = threading.Lock()
        # What is left in each, and since when that is so.
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def wait(self, owner: Hashable, per_second: int) -> float:
        """Return the seconds until a request may come; 0 for now."""
        return max(0.0, 1 - self._level(owner, per_second)) / per_second

    def take(self, owner: Hashable, per_second: int) -> None:
        """Count one request that is let in."""
        with self._lock:
            self._left[owner] = (self._level(owner, per_second) - 1, self.clock())
            self._left.move_to_end(owner)
            if len(self._left) > self._capacity:
                self._left.popitem(last=False)

    def clear(self) -> None:
        """Fill every bucket."""
        with self._lock:
            self._left.clear()

    def _level(self, owner: Hashable, per_second: int) -> float:
        left, since = self._left.get(owner, (float(per_second), self.clock()))
        return min(float(per_second), left + (self.clock() - since) * per_second)


buckets: Final = Buckets()


def admit(scope: Scope) -> None:
    """Count a request of the caller, unless it comes too early.

    Raises:
        TooManyRequests: Saying whose limit it is, and when to come again.
    """
    require_open(scope)
    for owner, per_second, _ in _paces(scope, limits.of(scope, REQUESTS)):
        buckets.take(owner, per_second)


def require_open(scope: Scope) -> None:
    """Refuse a request that comes too early; one that does not is not counted yet.

    Raises:
        TooManyRequests: As `admit`.
    """
    for owner, per_second, whose in _paces(scope, limits.of(scope, REQUESTS)):
        wait = buckets.wait(owner, per_second)
        if wait:
            raise TooManyRequests(whose, per_second, math.ceil(wait))


def is_open(scope: Scope) -> bool:
    """Tell whether a request of the caller may come now; False where only the database knows the limit."""
    known = limits.known(scope.tenant.id)
    if known is None:
        return False
    return not any(buckets.wait(owner, pace) for owner, pace, _ in _paces(scope, known.in_force(REQUESTS)))


def count(scope: Scope) -> None:
    """Count a request that `is_open` let in."""
    known = limits.known(scope.tenant.id)
    for owner, per_second, _ in _paces(scope, known.in_force(REQUESTS) if known else 0):
        buckets.take(owner, per_second)


def _paces(scope: Scope, of_tenant: int) -> Iterator[tuple[Hashable, int, str]]:
    for pace in scope.paces:
        yield (scope.tenant.id, pace.owner), pace.per_second, LINE_OF_TOKENS
    if of_tenant:
        yield _bucket_of_tenant(scope, of_tenant)


def _bucket_of_tenant(scope: Scope, most: int) -> tuple[Hashable, int, str]:
    """Return whose share of the requests a caller uses: pages and strangers take nothing from tokens."""
    if scope.principal.kind is PrincipalKind.ANONYMOUS:
        return (scope.tenant.id, PrincipalKind.ANONYMOUS), max(1, most // STRANGERS_SHARE), OF_STRANGERS
    if scope.token_key is None:
        return (scope.tenant.id, PrincipalKind.PERSON), most, OF_PEOPLE
    return scope.tenant.id, most, OF_TENANT
