"""What a process remembers of schemas: parsed models and verdicts on pairs, bounded, safe to lose.

Keys begin with the tenant: whether something was remembered shows in time, and tenants must not
notice each other.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from accord.formats import ParsedSchema
    from accord.model import Comparison

V = TypeVar("V")
Key = tuple[Any, ...]


class BoundedMemory(Generic[V]):
    """Keeps the entries used last, as long as their weights together stay below a bound."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: OrderedDict[Key, tuple[V, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def recall(self, key: Key) -> V | None:
        """Return what is remembered under the key, and count it as used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def keep(self, key: Key, value: V, *, weight: int) -> None:
        """Remember a value; what was used longest ago makes room for it."""
        with self._lock:
            self._forget(key)
            self._entries[key] = (value, weight)
            self._weight += weight
            while self._weight > self._capacity:
                self._forget(next(iter(self._entries)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

    def _forget(self, key: Key) -> None:
        if key in self._entries:
            self._weight -= self._entries.pop(key)[1]


# A model takes some twenty times its text, so this is about 300 MB at the very worst.
MODELS: Final[BoundedMemory[ParsedSchema]] = BoundedMemory(16_000_000)
# Weighed in findings, with one for the pair itself.
PAIRS: Final[BoundedMemory[tuple[Comparison, ...]]] = BoundedMemory(200_000)
