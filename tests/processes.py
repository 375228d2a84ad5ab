"""Web and worker processes for tests: the real commands, on the test's own database."""

from __future__ import annotations

import os
import signal
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from accord_server.dev import processes
from accord_server.dev.ports import LOOPBACK, free_port
from accord_server.dev.processes import Program

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
START_S = 60


@dataclass
class RunningProcess:
    """A process of the platform that a test may stop or kill."""

    process: subprocess.Popen[bytes]
    log: Path
    url: str = ""
    children: list[int] = field(default_factory=list)

    @property
    def pid(self) -> int:
        """The id of the main process."""
        return self.process.pid

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self.process.poll() is None

    def worker_pids(self) -> list[int]:
        """Return the ids of the processes that do the work."""
        return sorted(child.pid for child in psutil.Process(self.pid).children(recursive=True))

    def kill(self) -> None:
        """End it as a crash would, children included."""
        processes.sweep(self.process)

    def stop(self) -> None:
        """End it as an operator would."""
        processes.stop(self.process, gentle=signal.SIGTERM, patience_s=20)

    def text(self) -> str:
        """Return its log."""
        return self.log.read_text(errors="replace")


def granian(
    folder: Path,
    *,
    target: str = "accord_server.wsgi:application",
    count: int = 1,
    environment: Mapping[str, str] | None = None,
) -> RunningProcess:
    """Serve a WSGI application with Granian as production does, on a free port."""
    port = free_port()
    command = [
        *("granian", "--interface", "wsgi", "--host", LOOPBACK, "--port", str(port)),
        *("--workers", str(count), "--blocking-threads", "8", target),
    ]
    url = f"http://{LOOPBACK}:{port}"
    running = _spawn(command, folder / f"granian-{port}.log", environment)
    running.url = url
    _wait(running, lambda: _answers(url))
    return running


def module(folder: Path, name: str, *, environment: Mapping[str, str] | None = None) -> RunningProcess:
    """Run a module of ours that serves on the port it is given."""
    port = free_port()
    running = _spawn([name, str(port)], folder / f"{name}-{port}.log", environment)
    running.url = f"http://{LOOPBACK}:{port}"
    _wait(running, lambda: _answers(running.url))
    return running


def celery_worker(
    folder: Path, *, count: int = 1, environment: Mapping[str, str] | None = None
) -> RunningProcess:
    """Run a Celery worker for all queues, with the schedule inside."""
    name = f"celery-{time.monotonic_ns()}"
    command = [
        "celery",
        "-A",
        "accord_server.celery",
        "worker",
        "-c",
        str(count),
        "-Q",
        "checks,jobs,webhooks",
    ]
    command += ["-B", "-s", str(folder / f"{name}.schedule"), "--loglevel", "INFO", "-n", f"{name}@localhost"]
    running = _spawn(command, folder / f"{name}.log", environment)
    _wait(running, lambda: " ready." in running.text())
    return running


def environment_of(changes: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a process of the platform on the test's own database."""
    return {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
        "DJANGO_SETTINGS_MODULE": "accord_server.settings",
        "ACCORD_LOG_FORMAT": "text",
        "ACCORD_LOG_LEVEL": "INFO",
        **changes,
    }


def _spawn(command: Sequence[str], log: Path, environment: Mapping[str, str] | None) -> RunningProcess:
    argv = [sys.executable, "-m", *command]
    program = Program(argv, log=log, environment=environment_of(environment or {}), folder=ROOT)
    return RunningProcess(processes.spawn(program), log)


def _wait(running: RunningProcess, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_S
    while not is_ready():
        if not running.is_alive() or time.monotonic() > deadline:
            running.kill()
            raise RuntimeError(f"did not start:\n{running.text()}")
        time.sleep(0.05)


def _answers(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{url}/healthz", timeout=2) as answer:
        return bool(answer.status == 200)
    return False
