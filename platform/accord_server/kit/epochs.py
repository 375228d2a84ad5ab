"""Which answers of a namespace still hold: an epoch per namespace that moves when any of them may not.

Rooms announce moves; this is only what one process has heard of.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from uuid import UUID

CAPACITY: Final = 10_000


class Epochs:
    """The number of the last move per namespace, among all moves of this process."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._moves = 0
        self._last: dict[UUID, int] = {}
        self._last_of_all = 0

    @property
    def moves(self) -> int:
        """How often anything moved; what was read before a move must not be kept after it."""
        return self._moves

    def of(self, namespace: UUID) -> int:
        """Return the namespace's epoch; it grows."""
        return max(self._last.get(namespace, 0), self._last_of_all)

    def move(self, namespace: UUID) -> None:
        """End every answer of a namespace."""
        with self._lock:
            # In this order: who already sees the new epoch must see that something moved.
            self._moves += 1
            if len(self._last) < self._capacity:
                self._last[namespace] = self._moves
            else:
                self._end_all()

    def move_all(self) -> None:
        """End every answer of every namespace, as when messages may have been missed."""
        with self._lock:
            self._moves += 1
            self._end_all()

    def _end_all(self) -> None:
        self._last_of_all = self._moves
        self._last.clear()


epochs: Final = Epochs()
