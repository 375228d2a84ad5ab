"""What a process keeps in memory: one table, every entry bounded, nothing that would be missed.

Only what never changes is kept, under a key that says so (a digest, an id within an epoch); what
moves is asked for. A process that starts afresh fills its caches as it goes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class CacheRow:
    """One cache: its name, what its key is made of, how many entries, what ends one early."""

    name: str
    key: str
    entries: int
    ends: str = "never: the key names something immutable"


class BoundedCache(Generic[K, V]):
    """Keeps the entries used last; any number of threads may use it."""

    def __init__(self, row: CacheRow) -> None:
        self.row = row
        self.hits = 0
        self.misses = 0
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: K) -> V | None:
        """Return what is kept under the key, or None."""
        with self._lock:
            if key not in self._entries:
                self.misses += 1
                return None
            self.hits += 1
            self._entries.move_to_end(key)
            return self._entries[key]

    def put(self, key: K, value: V) -> None:
        """Keep a value; the one not used for longest goes when there are too many."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self.row.entries:
                self._entries.popitem(last=False)

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """Return what is kept, or make it. Two threads may both make it; the values are equal."""
        kept = self.get(key)
        if kept is not None:
            return kept
        made = make()
        self.put(key, made)
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()


CACHES = (
    CacheRow("parsed_schemas", "tenant, digest of text and references, strictness", 2_000),
    CacheRow("verdicts", "tenant, digests of both sides, policy version", 20_000),
    CacheRow(
        "responses",
        "namespace, epoch, grant set, path, query, type, unknown-properties bit",
        20_000,
        "the namespace's epoch moves on",
    ),
)

_caches: dict[str, BoundedCache[Any, Any]] = {row.name: BoundedCache(row) for row in CACHES}


def cache_named(name: str) -> BoundedCache[Any, Any]:
    """Return the process's cache of that name, which is in the table."""
    return _caches[name]


def every_cache() -> tuple[BoundedCache[Any, Any], ...]:
    """Return all caches, for the counters."""
    return tuple(_caches.values())
