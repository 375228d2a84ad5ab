"""Slow down guessing of passwords: per address and name, per name, and per address whatever the name.

An attempt is counted before it is made, so that many at once are not more than the limit, and given
back when it succeeds. The counts are shared through Redis; each process counts for itself as well, which
is all there is while Redis is away. A restart of both forgets.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

from redis.exceptions import RedisError

from accord_server.kit.redis_door import redis_client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# For one name from one address, for one name from all, and for all names together: behind one address there
# may be many people. Whoever guesses from many addresses locks the owner out too, so that takes more.
FAILURES_OF_NAME: Final = 8
FAILURES_OF_ACCOUNT: Final = 40
FAILURES_OF_ADDRESS: Final = 100
# Mails: to one mailbox, whoever asks, and from one address, whatever mailbox they are for.
MAILS_TO_ONE: Final = 3
MAILS_OF_ADDRESS: Final = 10
WINDOW: Final = 300
MAX_KEYS: Final = 10_000
PREFIX: Final = "accord:sign-in:"
# A count that ended meanwhile must not come back as one without end.
GIVE_BACK: Final = "if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end"


@dataclass(slots=True)
class OwnAttempts:
    """The attempts of the last ``window`` seconds in this process; the oldest key goes when they are many."""

    window: float = WINDOW
    clock: Callable[[], float] = time.monotonic
    _attempts: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, key: str, limit: int) -> bool:
        """Count an attempt, unless there were as many as there may be."""
        with self._lock:
            recent = self._attempts.setdefault(key, deque())
            while recent and recent[0] <= self.clock() - self.window:
                recent.popleft()
            self._attempts.move_to_end(key)
            while len(self._attempts) > MAX_KEYS:
                self._attempts.popitem(last=False)
            if len(recent) >= limit:
                return False
            recent.append(self.clock())
            return True

    def give_back(self, key: str) -> None:
        """Count one attempt less."""
        with self._lock:
            recent = self._attempts.get(key)
            if recent:
                recent.pop()

    def forget(self) -> None:
        """Start afresh."""
        with self._lock:
            self._attempts.clear()


class SharedAttempts:
    """The attempts that all processes have counted since the first one, for ``window`` seconds."""

    def __init__(self, window: int = WINDOW) -> None:
        self._window = window

    def take(self, key: str, limit: int) -> bool:
        """Count an attempt, unless there were as many as there may be; without Redis there are none."""
        with suppress(RedisError, OSError), redis_client() as redis, redis.pipeline() as batch:
            batch.set(PREFIX + key, 0, ex=self._window, nx=True)
            batch.incr(PREFIX + key)
            return cast("int", batch.execute()[-1]) <= limit
        return True

    def give_back(self, key: str) -> None:
        """Count one attempt less."""
        with suppress(RedisError, OSError), redis_client() as redis:
            redis.eval(GIVE_BACK, 1, PREFIX + key)

    def forget(self) -> None:
        """Start afresh."""
        with suppress(RedisError, OSError), redis_client() as redis:
            for key in redis.scan_iter(f"{PREFIX}*"):
                redis.delete(key)


OWN: Final = OwnAttempts()
SHARED: Final = SharedAttempts()


def may_try(address: str, name: str) -> bool:
    """Count an attempt to sign in, and tell whether it may be made."""
    return _take(_keys(address, name))


def may_mail(address: str, mailbox: str) -> bool:
    """Count a mail that somebody asks for, and tell whether it may be sent."""
    return _take(
        [
            (_key("mail from", address), MAILS_OF_ADDRESS),
            (_key("mail to", mailbox.strip().casefold()), MAILS_TO_ONE),
        ]
    )


def is_first(what: str) -> bool:
    """Tell whether this happens for the first time in a while: so that it is told of once."""
    return all(store.take(_key(what), 1) for store in (OWN, SHARED))


def succeeded(address: str, name: str) -> None:
    """Let an attempt not count against who made it."""
    for key, _ in _keys(address, name):
        for store in (OWN, SHARED):
            store.give_back(key)


def forget() -> None:
    """Start afresh."""
    OWN.forget()
    SHARED.forget()


def _take(limits: Iterable[tuple[str, int]]) -> bool:
    return all(store.take(key, limit) for key, limit in limits for store in (OWN, SHARED))


def _keys(address: str, name: str) -> Iterator[tuple[str, int]]:
    """Yield what is counted, each with its limit; names are hashed, whatever they hold."""
    yield _key(address, name.casefold()), FAILURES_OF_NAME
    yield _key("", name.casefold()), FAILURES_OF_ACCOUNT
    yield _key(address), FAILURES_OF_ADDRESS


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()
