"""Slow down guessing of passwords: failed attempts per address and name, counted in this process.

Approximate on purpose: each replica counts for itself and a restart forgets. Where that is not
enough, sign-in belongs to an identity provider.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FAILURES: Final = 8
WINDOW: Final = 300.0
MAX_KEYS: Final = 10_000


@dataclass(slots=True)
class Attempts:
    """The failures of the last ``window`` seconds by key; the oldest key goes when there are too many."""

    limit: int = MAX_FAILURES
    window: float = WINDOW
    clock: Callable[[], float] = time.monotonic
    _failures: OrderedDict[str, deque[float]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def is_spent(self, key: str) -> bool:
        """Tell whether the key has failed too often of late."""
        with self._lock:
            return len(self._recent(key)) >= self.limit

    def count(self, key: str) -> None:
        """Note a failure."""
        with self._lock:
            self._failures[key] = self._recent(key)
            self._failures[key].append(self.clock())
            self._failures.move_to_end(key)
            while len(self._failures) > MAX_KEYS:
                self._failures.popitem(last=False)

    def forget(self) -> None:
        """Start afresh."""
        with self._lock:
            self._failures.clear()

    def _recent(self, key: str) -> deque[float]:
        times = self._failures.get(key, deque(maxlen=self.limit))
        while times and times[0] <= self.clock() - self.window:
            times.popleft()
        return times


ATTEMPTS: Final = Attempts()
