"""The processes of a run: how each is started, watched, started again and stopped."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from accord_server.dev import processes
from accord_server.dev.places import COMPILER, compiler_socket
from accord_server.dev.processes import DidNotStart, Program
from accord_server.dev.state import PROJECT

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence

    from accord_server.dev.progress import Progress
    from accord_server.dev.state import State

LONGEST_PAUSE_S = 30.0
FIRST_PAUSE_S = 0.5
# Who ran this long is well again: the next death starts from the shortest pause.
HEALTHY_S = 60.0


class Service(Protocol):
    """What the supervisor needs to know of a process."""

    @property
    def name(self) -> str: ...
    @property
    def pid(self) -> int: ...
    def is_alive(self) -> bool: ...
    def restart(self) -> None: ...
    def stop(self) -> None: ...


@dataclass
class Child:
    """A process of this project."""

    name: str
    program: Program
    process: subprocess.Popen[bytes] = field(repr=False)

    @classmethod
    def start(cls, name: str, program: Program) -> Child:
        return cls(name, program, processes.spawn(program))

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def restart(self) -> None:
        processes.sweep(self.process)  # what it left behind holds its port
        self.process = processes.spawn(self.program)

    def stop(self) -> None:
        processes.stop(self.process, gentle=self.program.gentle)


@dataclass
class Watched:
    """A service with its history of deaths."""

    service: Service
    deaths: int = 0
    up_since: float = field(default_factory=time.monotonic)
    due: float | None = None

    def look(self, now: float, progress: Progress) -> bool:
        """Start the service again if it died and its pause is over; tell whether it was started."""
        if self.service.is_alive():
            if now - self.up_since > HEALTHY_S:
                self.deaths = 0
            return False
        if self.due is None:
            self._mourn(now, progress)
        return now >= (self.due or 0) and self._revive(progress)

    def _mourn(self, now: float, progress: Progress) -> None:
        pause = min(FIRST_PAUSE_S * 2**self.deaths, LONGEST_PAUSE_S)
        self.deaths += 1
        self.due = now + pause
        progress.done(f"{self.service.name} ended by itself; it is started again in {pause:g} s")

    def _revive(self, progress: Progress) -> bool:
        self.due = None
        try:
            self.service.restart()
        except DidNotStart as reason:
            progress.done(str(reason))
            return False
        self.up_since = time.monotonic()
        progress.done(f"{self.service.name} runs again, process {self.service.pid}")
        return True


def programs(state: State, environment: Mapping[str, str], port: int) -> dict[str, Program]:
    """Return how the web server, the worker, the schedule and the compiler of Protobuf are started."""
    celery = ("celery", "--app", "accord_server.celery")
    schedule = ("--pidfile=", "--schedule", str(state.folder / "beat-schedule"))
    commands: dict[str, Sequence[str]] = {
        "web": web_command(port),
        "worker": (
            *celery,
            "worker",
            "--concurrency",
            "2",
            "--hostname",
            "accord@%h",
            "--without-mingle",
            "--without-gossip",
            "--loglevel",
            "INFO",
        ),
        "beat": (*celery, "beat", *schedule, "--loglevel", "INFO"),
    }
    if environment[COMPILER] == compiler_socket(state.folder):  # who names another one has it
        commands["compiler"] = ("accord.formats.protobuf.compiler", "--socket", environment[COMPILER])
    return {
        name: Program(
            (sys.executable, "-m", *words), log=state.log(name), environment=environment, folder=PROJECT
        )
        for name, words in commands.items()
    }


def web_command(port: int) -> Sequence[str]:
    """Return Granian's command line: two processes, a few threads that each may wait for the database.

    Fewer threads than `kit.bodies` counts on would let slow senders take them all.
    """
    return (
        "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--workers", "2",
        "--blocking-threads", "8", "--no-ws", "--respawn-failed-workers", "--respawn-interval", "0.5",
        "--workers-kill-timeout", "3", "accord_server.wsgi:application",
    )  # fmt: skip


def stop_all(services: Sequence[Service]) -> None:
    """Stop services side by side."""
    if services:
        with ThreadPoolExecutor(len(services)) as pool:
            list(pool.map(lambda service: service.stop(), services))
