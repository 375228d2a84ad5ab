"""The counters of processes that belong together, in files of one folder: any of them can answer for all.

A process writes what it has counted once a second, whole or not at all. What a process that has ended
counted stays, so that no counter ever goes back.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord_server.kit import metrics
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import METRICS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.metrics import Tally

log = logging.getLogger("accord.metrics")

INTERVAL_S: Final = 1.0
ENDED: Final = "ended.json"
LOCK: Final = "lock"
KIND: Final = ".json"


@dataclass
class Shared:
    """One process's place in the folder."""

    folder: Path
    # Numbers of processes come back; with the moment none does.
    name: str = field(default_factory=lambda: f"{os.getpid()}-{time.time_ns()}{KIND}")
    _written: Tally = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def publish(self) -> None:
        """Write what this process has counted, if that is more than was written."""
        with self._lock:
            tally = metrics.own()
            if tally != self._written:
                _write(self.folder / self.name, tally)
                self._written = tally

    def collected(self) -> Tally:
        """Return what all processes have counted, those that have ended included."""
        self.publish()
        with _hold(self.folder):
            return metrics.total(_read(path) for path in _files(self.folder))

    def publish_if_possible(self) -> None:
        """Write what was counted; a disk that is full ends nothing."""
        try:
            self.publish()
        except OSError as reason:
            log.warning("counters could not be written: %s", type(reason).__name__)

    def publish_for_ever(self) -> None:
        """Write again and again, in a thread of its own."""
        while True:
            self.publish_if_possible()
            time.sleep(INTERVAL_S)


_ours: dict[int, Shared] = {}


def share() -> None:
    """Begin to share the counters of this process, where a folder is set."""
    folder = configured(METRICS_FOLDER)
    if not folder or os.getpid() in _ours:
        return
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    fold(place)
    _ours[os.getpid()] = Shared(place)
    threading.Thread(target=_ours[os.getpid()].publish_for_ever, name="metrics", daemon=True).start()


def exposition(gauges: Tally) -> str:
    """Write the counters of all processes that share theirs, or of this one alone, and the gauges."""
    shared = _ours.get(os.getpid())
    if shared is None:
        return metrics.exposition(metrics.own() | gauges, process=str(os.getpid()))
    return metrics.exposition(shared.collected() | gauges)


def fold(folder: Path) -> None:
    """Put what ended processes have counted into one file, so that there are never many."""
    with _hold(folder):
        ended = [path for path in _files(folder) if path.name != ENDED and not _is_alive(path)]
        if ended:
            before = [path for path in (folder / ENDED,) if path.exists()]
            _write(folder / ENDED, metrics.total(_read(path) for path in (*before, *ended)))
            for path in ended:
                path.unlink()


@contextmanager
def _hold(folder: Path) -> Iterator[None]:
    """Let nobody read while files are put together."""
    with (folder / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{KIND}"))


def _is_alive(path: Path) -> bool:
    try:
        os.kill(int(path.name.partition("-")[0]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's now
        return True
    return True


def _write(path: Path, tally: Tally) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps([[*key, number] for key, number in tally.items()]))
    draft.rename(path)


def _read(path: Path) -> Tally:
    rows = json.loads(path.read_text())
    return {(name, tuple(labels), place): number for name, labels, place, number in rows}
