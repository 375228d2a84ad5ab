"""The compiler process: takes jobs on a unix socket and forks a child for each.

``python -m accord.formats.protobuf.compiler --socket PATH`` serves until it is asked to end. What a text
does to protoc it does to a child that has a bound on processor time, memory and wall-clock time; its
death is an answer like any other. Nobody that serves requests ever forks.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.child import run_job
from accord.formats.protobuf.exchange import Outcome, Status, outcome_message

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORY: Final = Path("/dev/shm")  # noqa: S108  # a folder of ours inside, readable by us alone
BACKLOG: Final = 128
LONGEST_PATH: Final = 100
PIECE: Final = 4096
READY: Final = "ready"


class CannotServe(Exception):
    """The socket cannot be opened; the message says what to change."""


@dataclass(frozen=True)
class Bounds:
    """What one job may take: seconds of processor and wall clock; and how many run side by side."""

    cpu_seconds: int = 10
    wall_seconds: float = 20.0
    jobs: int = 2


@dataclass(slots=True)
class _Child:
    """A job under way: its process, whom to answer, its folder and its last moment."""

    pid: int
    connection: socket.socket
    folder: str
    deadline: float
    is_late: bool = False


@dataclass
class Compiler:
    """The loop of the process: accepts, watches, answers for the dead."""

    listener: socket.socket
    folder: str
    bounds: Bounds = field(default_factory=Bounds)
    owner: int | None = None
    children: dict[int, _Child] = field(default_factory=dict)
    is_ending: bool = False

    def serve(self) -> None:
        """Take jobs until SIGTERM or SIGINT, or until ``owner``, a pipe, is closed at its other end."""
        reader, writer = socket.socketpair()
        for end in (reader, writer, self.listener):
            end.settimeout(0)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        try:
            with selectors.DefaultSelector() as waiting:
                waiting.register(reader, selectors.EVENT_READ)
                if self.owner is not None:
                    waiting.register(self.owner, selectors.EVENT_READ)
                self._loop(waiting, reader)
        finally:
            signal.set_wakeup_fd(-1)
            self._stop()

    def _loop(self, waiting: selectors.BaseSelector, signals: socket.socket) -> None:
        is_listening = False
        while not self.is_ending:
            has_room = len(self.children) < self.bounds.jobs
            if has_room and not is_listening:
                waiting.register(self.listener, selectors.EVENT_READ)
            elif is_listening and not has_room:
                waiting.unregister(self.listener)
            is_listening = has_room
            ready = {key.fileobj for key, _ in waiting.select(self._patience())}
            if self.owner in ready:
                return
            if signals in ready:
                signals.recv(PIECE)
            self._end_late()
            self._bury()
            if self.listener in ready:
                self._accept()

    def _patience(self) -> float | None:
        if not self.children:
            return None
        return max(0.0, min(child.deadline for child in self.children.values()) - time.monotonic())

    def _accept(self) -> None:
        with suppress(ConnectionError, BlockingIOError):  # who called has hung up
            connection, _ = self.listener.accept()
            folder = tempfile.mkdtemp(dir=self.folder)
            child = _Child(os.fork(), connection, folder, time.monotonic() + self.bounds.wall_seconds)
            (self._watch if child.pid else self._work)(child)

    def _watch(self, child: _Child) -> None:
        self.children[child.pid] = child

    def _work(self, child: _Child) -> None:
        """Do the job, being the child; this never returns."""
        self._forget()
        run_job(child.connection, Path(child.folder), cpu_seconds=self.bounds.cpu_seconds)

    def _forget(self) -> None:
        """Let go, in a child, of what is its parent's."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        self.listener.close()
        for child in self.children.values():
            child.connection.close()

    def _end_late(self) -> None:
        now = time.monotonic()
        for child in self.children.values():
            if child.deadline <= now:
                child.is_late, child.deadline = True, now + self.bounds.wall_seconds
                os.kill(child.pid, signal.SIGKILL)

    def _bury(self) -> None:
        for pid in list(self.children):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                self._answer_for(self.children.pop(pid), os.waitstatus_to_exitcode(status))

    def _answer_for(self, child: _Child, code: int) -> None:
        """Say what became of a child that could not say it itself."""
        if code != 0:
            message = outcome_message(Outcome(Status.DIED, reason=self._reason(child, code)))
            child.connection.settimeout(0)
            with suppress(OSError):  # who asked has hung up
                child.connection.send(message)
        child.connection.close()
        shutil.rmtree(child.folder, ignore_errors=True)

    def _reason(self, child: _Child, code: int) -> str:
        if child.is_late:
            return f"it took more than {self.bounds.wall_seconds:g} seconds"
        if code == -signal.SIGXCPU:
            return f"it took more than {self.bounds.cpu_seconds} seconds of processor time"
        return f"protoc ended with {signal.Signals(-code).name}" if code < 0 else "protoc failed"

    def _end(self, *_: object) -> None:
        self.is_ending = True

    def _stop(self) -> None:
        self.listener.close()
        for child in self.children.values():
            os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)
            child.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def listen(path: str) -> socket.socket:
    """Open the socket for its owner alone; one that a dead process left behind is replaced.

    Raises `CannotServe`.
    """
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise CannotServe(f"The path of the socket is longer than {LONGEST_PATH} bytes; choose a shorter one")
    if _is_answered(path):
        raise CannotServe(f"A compiler listens at {path} already; end it or choose another path")
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        Path(path).unlink(missing_ok=True)
        listener.bind(path)
    except OSError as reason:
        listener.close()
        raise CannotServe(f"The socket {path} cannot be opened: {reason.strerror}") from reason
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    return listener


def folder_for(path: str) -> str:
    """Return an empty folder, in memory if there is such a place; what a killed process left is removed."""
    place = MEMORY if os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    mark = hashlib.sha256(str(Path(path).resolve()).encode()).hexdigest()[:16]
    prefix = f"accord-{os.geteuid()}-{mark}-"
    for left in place.glob(f"{prefix}*"):
        shutil.rmtree(left, ignore_errors=True)
    return tempfile.mkdtemp(prefix=prefix, dir=place)


def _is_answered(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def main(words: Sequence[str] | None = None) -> int:
    """Serve at the socket that the command line names; 2 when that cannot be."""
    parser = argparse.ArgumentParser(prog="accord.formats.protobuf.compiler", description="Compile Protobuf.")
    parser.add_argument("--socket", required=True, help="path of the unix socket to listen at")
    parser.add_argument("--jobs", type=int, default=Bounds.jobs, help="how many run side by side")
    parser.add_argument(
        "--cpu", type=int, default=Bounds.cpu_seconds, help="seconds of processor time of a job"
    )
    parser.add_argument("--wall", type=float, default=Bounds.wall_seconds, help="seconds of a job in all")
    parser.add_argument("--with-parent", action="store_true", help="end when standard input is closed")
    given = parser.parse_args(words)
    try:
        listener = listen(given.socket)
    except CannotServe as reason:
        print(reason, file=sys.stderr)  # noqa: T201  # a process talks to who started it
        return 2
    owner = sys.stdin.fileno() if given.with_parent else None
    bounds = Bounds(given.cpu, given.wall, given.jobs)
    print(READY, flush=True)  # noqa: T201  # who started it waits for this line
    try:
        Compiler(listener, folder_for(given.socket), bounds, owner).serve()
    finally:
        Path(given.socket).unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
