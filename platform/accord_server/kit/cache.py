"""What a process keeps in memory: one table, every cache bounded, nothing that would be missed.

Only what never changes is kept, under a key that says so (a digest, an id, an epoch); what moves is
asked for.
Keys begin with the tenant: whether something was kept shows in time, and tenants must not notice each
other. A process that starts afresh fills its caches as it goes.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class CacheRow:
    """One cache: its name, what its key is made of, how much it holds, what ends an entry early."""

    name: str
    key: str
    capacity: int
    unit: str
    ends: str = "nothing: the key names something immutable"


CACHES = (
    # A model takes some twenty times its text, so this is about 300 MB at the very worst.
    CacheRow(
        "parsed_schemas",
        "tenant, and the stored schema, or format, digest and versions referred to, or a list of references",
        16_000_000,
        "characters of schema text, those referred to once for all that share them",
    ),
    CacheRow("reference_sizes", "tenant, stored schema with references", 100_000, "schemas"),
    CacheRow("compared_pairs", "tenant, both contents, direction, policy", 200_000, "findings and pairs"),
    CacheRow(
        "verdicts",
        "tenant, candidate, stamp of the history, level, policy",
        200_000,
        "findings and comparisons",
    ),
    CacheRow(
        "histories",
        "tenant, namespace, subject",
        50_000,
        "versions without their texts",
        "a stamp of the versions that the database computes in each read and that differs",
    ),
    CacheRow("policy_documents", "tenant, version of a policy", 2_000_000, "characters of policies"),
    CacheRow(
        "hot_answers",
        "tenant, namespace, epoch, grants, id, method, route, query, negotiated type, new members, scheme",
        32_000_000,
        "bytes of answers",
        "two seconds, or a move of the namespace's epoch",
    ),
    CacheRow("highest_numbers", "tenant, namespace", 10_000, "namespaces", "nothing: ids only grow"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What several entries keep alive together: it weighs once, as long as any of them is kept."""

    weight: int


class BoundedMemory(Generic[V]):
    """Keeps the entries used last, as long as their weights together stay below a bound."""

    def __init__(self, capacity: int) -> None:
        self.hits = 0
        self.misses = 0
        self._capacity = capacity
        self._entries: OrderedDict[Hashable, tuple[V, int, Collection[Part]]] = OrderedDict()
        self._holders: Counter[Part] = Counter()
        self._weight = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def weight(self) -> int:
        """What all entries weigh together, each part once."""
        return self._weight

    def recall(self, key: Hashable) -> V | None:
        """Return what is remembered under the key, and count it as used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self.misses += 1
                return None
            self.hits += 1
            self._entries.move_to_end(key)
            return entry[0]

    def keep(self, key: Hashable, value: V, *, weight: int = 1, parts: Collection[Part] = ()) -> None:
        """Remember a value; what was used longest ago makes room for it.

        One that would not fit with all others gone is not kept, and pushes nothing out.
        """
        with self._lock:
            self._forget(key)
            if weight + sum(part.weight for part in parts) > self._capacity:
                return
            self._entries[key] = (value, weight, parts)
            self._weight += weight + sum(part.weight for part in parts if not self._holders[part])
            self._holders.update(parts)
            while self._weight > self._capacity:
                self._forget(next(iter(self._entries)))

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._holders.clear()
            self._weight = 0

    def _forget(self, key: Hashable) -> None:
        if key not in self._entries:
            return
        _, weight, parts = self._entries.pop(key)
        self._weight -= weight
        for part in parts:
            self._holders[part] -= 1
            if not self._holders[part]:
                del self._holders[part]
                self._weight -= part.weight


_memories: dict[str, BoundedMemory[Any]] = {row.name: BoundedMemory(row.capacity) for row in CACHES}


def memory_named(name: str) -> BoundedMemory[Any]:
    """Return the process's one memory of that name, which stands in the table."""
    return _memories[name]


def memories() -> dict[str, BoundedMemory[Any]]:
    """Return every memory by its name, for the counters."""
    return dict(_memories)
