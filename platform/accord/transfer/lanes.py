"""Doing many things at once, in an order that holds where it matters.

Things of one lane are done one after the other, and each only after those that it needs and that come before
it in the given order; so the first that is not done never waits, whatever needs what.
"""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from accord.transfer.records import Key


class Lanes:
    """Keys in order, what each needs, and what is done with each; ``tell`` hears how many are done."""

    def __init__(
        self,
        keys: Sequence[Key],
        needs: Mapping[Key, Iterable[Key]],
        act: Callable[[Key], None],
        tell: Callable[[int], None],
    ) -> None:
        self._keys = keys
        self._needs = needs
        self._act = act
        self._tell = tell
        self._done: set[Key] = set()
        self._places = {key: place for place, key in enumerate(keys)}
        self._is_stopped = False
        self._moved = Condition()

    def run(self, lanes: int) -> None:
        """Do everything; what one raises stops the others, and is raised."""
        with ThreadPoolExecutor(lanes) as pool:
            works = [pool.submit(self._work, lane) for lane in self._split(lanes)]
            try:
                for work in works:
                    work.result()
            finally:
                self._stop()

    def _split(self, lanes: int) -> list[list[Key]]:
        """The keys by lane, those of one subject in the same one."""
        found: dict[Hashable, int] = {}
        split: defaultdict[int, list[Key]] = defaultdict(list)
        for key in self._keys:
            split[found.setdefault(key.subject, len(found) % lanes)].append(key)
        return list(split.values())

    def _work(self, lane: list[Key]) -> None:
        try:
            for key in lane:
                if not self._may_begin(key):
                    return
                self._act(key)
                self._finish(key)
        except BaseException:
            self._stop()
            raise

    def _may_begin(self, key: Key) -> bool:
        """Wait for what a key needs; false where all has stopped."""
        place = self._places[key]
        needed = {one for one in self._needs.get(key, ()) if self._places.get(one, place) < place}
        with self._moved:
            self._moved.wait_for(lambda: self._is_stopped or needed <= self._done)
            return not self._is_stopped

    def _finish(self, key: Key) -> None:
        with self._moved:
            self._done.add(key)
            self._tell(len(self._done))
            self._moved.notify_all()

    def _stop(self) -> None:
        with self._moved:
            self._is_stopped = True
            self._moved.notify_all()
