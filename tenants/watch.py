"""One thread per process that hears of revocations and carries counted uses to Redis.

It starts with the first token that is asked about. While it is deaf, the two seconds a decision may
be relied upon are the bound.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from typing import Final

import psycopg

from accord_server.kit.own_connections import own_connection
from tenants.announcements import CHANNEL, forget_all, obey
from tenants.usage import usage

log = logging.getLogger("accord.tokens")

TICK_S: Final = 1.0
RETRY_S: Final = 1.0
FAREWELL_S: Final = 3.0


class Watch(threading.Thread):
    """Listens on a connection of its own, outside Django's."""

    def __init__(self) -> None:
        super().__init__(name="accord-token-watch", daemon=True)
        self.pid = os.getpid()
        self._is_over = threading.Event()
        self._troubles: set[str] = set()

    def run(self) -> None:
        """Listen until told to stop, through every loss of the database."""
        while not self._is_over.is_set():
            try:
                self._listen()
            except psycopg.Error:
                self._say("revocations are not heard of at once", is_well=False)
                self._carry()
                self._is_over.wait(RETRY_S)

    def stop(self) -> None:
        """End the thread; what was counted is carried first."""
        self._is_over.set()
        self.join(FAREWELL_S)
        usage.push()

    def _listen(self) -> None:
        with own_connection() as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            # What was said before this moment was not heard.
            forget_all()
            self._say("revocations are not heard of at once", is_well=True)
            while not self._is_over.is_set():
                for message in connection.notifies(timeout=TICK_S):
                    obey(message.payload)
                self._carry()

    def _carry(self) -> None:
        self._say("uses of tokens wait for Redis", is_well=usage.push())

    def _say(self, trouble: str, *, is_well: bool) -> None:
        """Log a trouble when it begins and when it ends, not every second between."""
        if is_well and trouble in self._troubles:
            self._troubles.discard(trouble)
            log.info("no longer: %s", trouble)
        elif not is_well and trouble not in self._troubles:
            self._troubles.add(trouble)
            log.warning("%s", trouble)


def ensure_running() -> None:
    """Start the thread unless this process has one; a fork leaves threads behind."""
    global _watch  # noqa: PLW0603  # one per process, and only this function starts it
    if _watch is not None and _watch.pid == os.getpid() and _watch.is_alive():
        return
    with _starting:
        if _watch is None or _watch.pid != os.getpid() or not _watch.is_alive():
            _watch = Watch()
            _watch.start()


@atexit.register
def stop_running() -> None:
    """End this process's thread, if it has one; the next token starts another."""
    if _watch is not None and _watch.pid == os.getpid():
        _watch.stop()


_watch: Watch | None = None
_starting = threading.Lock()
