"""Work that would occupy every thread of a process lets only so many in at a time.

Few may wait, so that some threads are always left for small calls; whoever finds the places taken is told
so at once.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Crowded(Exception):
    """Nobody more may wait, or the wait took too long."""


class Turnstile:
    """Lets ``inside`` threads work and ``waiting`` more wait, for ``patience`` seconds at most."""

    def __init__(self, *, inside: int, waiting: int, patience: float) -> None:
        self._changed = threading.Condition()
        self._free = inside
        self._seats = waiting
        self._patience = patience
        self._held = threading.local()

    @property
    def places(self) -> int:
        """How many more could come, to work or to wait."""
        with self._changed:
            return self._free + self._seats

    @property
    def is_held(self) -> bool:
        """True for the thread that has its turn already."""
        return bool(getattr(self._held, "turn", False))

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Work inside; a thread that is inside already goes on.

        Raises:
            Crowded: There is no place, not even to wait.
        """
        if self.is_held:
            yield
            return
        self._enter()
        self._held.turn = True
        try:
            yield
        finally:
            self._held.turn = False
            self._leave()

    def _enter(self) -> None:
        with self._changed:
            if not self._free:
                self._wait()
            self._free -= 1

    def _wait(self) -> None:
        if not self._seats:
            raise Crowded
        self._seats -= 1
        try:
            if not self._changed.wait_for(lambda: self._free, self._patience):
                raise Crowded
        finally:
            self._seats += 1

    def _leave(self) -> None:
        with self._changed:
            self._free += 1
            self._changed.notify()
