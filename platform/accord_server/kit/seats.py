"""Places to wait in: so many threads of a process may, and so many of them for one owner.

Whoever finds no place is told so at once, so that some threads are always left for what needs no waiting.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from accord_server.kit.turnstile import Crowded

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator


class Seats:
    """The places of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[Hashable] = Counter()

    @contextmanager
    def seat(self, owner: Hashable, *, places: int, of_one: int) -> Iterator[None]:
        """Hold one of ``places``, of which one owner may have ``of_one``.

        Raises:
            Crowded: There is none left, or none for this owner.
        """
        with self._lock:
            if self._taken.total() >= places or self._taken[owner] >= of_one:
                raise Crowded
            self._taken[owner] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[owner] -= 1
                self._taken += Counter()
