"""Start and stop child processes that never outlive us, and only ever stop our own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psutil

from accord_server.dev.errors import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord_server.dev.accounts import Account

LAUNCH = Path(__file__).with_name("launch.py")
LOCK = "lock"
# Two rounds of this (the servers first, then their stores) end a run within ten seconds.
PATIENCE_S = 4.0
LONGEST_LOG = 16 * 1024 * 1024


class AlreadyRunning(Trouble):
    """Another program holds this folder."""


class DidNotStart(Trouble):
    """A server ended or stayed silent instead of answering; the message ends with its last words."""


@dataclass(frozen=True, slots=True)
class Program:
    """How to start and stop one child: ``gentle`` ends it cleanly, also when we die first."""

    argv: Sequence[str]
    log: Path
    gentle: signal.Signals = signal.SIGTERM
    account: Account | None = None
    environment: Mapping[str, str] | None = field(default=None, repr=False)
    folder: Path | str = "/"


def spawn(program: Program, *, text: str | None = None) -> subprocess.Popen[bytes]:
    """Start the program in a session of its own, ``text`` on its standard input.

    Call it from a thread that lives as long as the child should: Linux tells a child of the death of
    the *thread* that made it.
    """
    program.log.parent.mkdir(parents=True, exist_ok=True)
    account = program.account.name if program.account else "-"
    words = [sys.executable, "-I", "-S", str(LAUNCH), str(int(program.gentle)), account, str(os.getpid())]
    with _private_log(program.log) as log, _input(text) as stdin:
        return subprocess.Popen(
            [*words, *program.argv],
            stdin=stdin,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=program.environment,
            cwd=program.folder,
            start_new_session=True,  # Ctrl-C reaches us alone, so that we choose the order of the end
        )


def _private_log(path: Path) -> IO[bytes]:
    if path.exists() and path.stat().st_size > LONGEST_LOG:
        path.replace(path.with_name(path.name + ".old"))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    return os.fdopen(descriptor, "ab")


def _input(text: str | None) -> IO[bytes]:
    """Return a nameless file, so that a secret is seen in no folder and no list of processes."""
    file = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    file.write((text or "").encode())
    file.seek(0)
    return file


def stop(process: subprocess.Popen[bytes], *, gentle: signal.Signals, patience_s: float = PATIENCE_S) -> None:
    """End a child and everything of its session: politely, and after ``patience_s`` by force."""
    if process.poll() is None:
        process.send_signal(gentle)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience_s)
    sweep(process)


def sweep(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a child's session, so that nothing holds its port or its files."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def end_orphan(pid: int, *, mark: str, gentle: signal.Signals, patience_s: float = 20) -> bool:
    """End a server that a killed run left behind; tell whether there was one.

    Process ids are used again, so it is ours only if ``mark`` is among its arguments or its folder.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        if mark in process.cmdline() or process.cwd() == mark:
            process.send_signal(gentle)
            process.wait(patience_s)
            return True
    return False


def hold(folder: Path) -> IO[bytes]:
    """Take the folder for this process; closing the file, or dying, lets it go."""
    lock = (folder / LOCK).open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as taken:
        lock.close()
        raise AlreadyRunning(f"{folder} is in use by another running program") from taken
    return lock


def last_words(log: Path, *, lines: int = 15) -> str:
    """Return the end of a log."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
