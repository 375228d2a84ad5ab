"""One platform under `make run`, with a state folder of its own, that a test may stop and kill."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import requests

from accord_server.dev import postgres, processes
from accord_server.dev.ports import free_port
from accord_server.dev.processes import Program
from accord_server.dev.state import PROJECT, State, read_json

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping

# The bounds of the promise are asserted by tests; these only end a test that hangs.
READY_S = 900
STOP_S = 60


@dataclass
class Supervised:
    """`make run` in a session of its own, as a terminal would start it."""

    state: State
    make: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @classmethod
    def new(cls) -> Supervised:
        folder = Path(tempfile.mkdtemp(prefix="accord-e2e-"))
        folder.chmod(0o711)
        return cls(State(folder / "state"))

    def start(self, **variables: str) -> float:
        """Start and wait until it is ready; return the seconds that took."""
        began = time.monotonic()
        log = self.state.folder.with_name("make.log")
        log.write_text("")
        environment = self.environment(**{"PORT": str(free_port()), **variables})
        self.make = processes.spawn(
            Program(("make", "run"), log=log, environment=environment, folder=PROJECT)
        )
        wait_for(lambda: self.is_ready() or not self.is_running(), seconds=READY_S, says=self.printed)
        assert self.is_running(), self.printed()
        return time.monotonic() - began

    def environment(self, **variables: str) -> Mapping[str, str]:
        """Return our variables without those that speak to another platform or another make."""
        own = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ACCORD_", "DJANGO_", "MAKE", "MFLAGS", "PYTEST_"))
        }
        return {**own, "ACCORD_STATE": str(self.state.folder), "PORT": "", **variables}

    @property
    def run(self) -> dict[str, Any]:
        """What run.json says; empty while nothing runs."""
        return read_json(self.state.run_file) or {}

    def printed(self) -> str:
        return processes.last_words(self.state.folder.with_name("make.log"), lines=60)

    def is_ready(self) -> bool:
        """Tell whether run.json is there and the platform answers."""
        return bool(self.run) and answers(f"{self.run['url']}/readyz")

    def is_running(self) -> bool:
        return self.make is not None and self.make.poll() is None

    def effort(self) -> float:
        """Return the seconds of processor time that everything under make has taken."""
        if self.make is None:
            return 0.0
        make = psutil.Process(self.make.pid)
        times = [one.cpu_times() for one in (make, *make.children(recursive=True))]
        return sum(one.user + one.system + one.children_user + one.children_system for one in times)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Send a signal to make alone, wait for the end; return the seconds that took."""
        began = time.monotonic()
        if self.make is not None:
            self.make.send_signal(number)
            self.make.wait(STOP_S)
        return time.monotonic() - began

    def remove(self) -> None:
        """End it and leave nothing behind."""
        self.stop()
        postgres.erase(self.state.postgres)
        shutil.rmtree(self.state.folder.parent)

    def call(self, method: str, path: str, body: object = None) -> requests.Response:
        """Call the registry with the token of the run."""
        headers = {"Authorization": f"Bearer {self.run['token']}"}
        return requests.request(
            method, self.run["registry_url"] + path, json=body, headers=headers, timeout=30
        )


def answers(url: str) -> bool:
    """Tell whether a GET is answered with 200."""
    try:
        return requests.get(url, timeout=5).status_code == 200
    except requests.RequestException:
        return False


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for(question: Callable[[], bool], *, seconds: float, says: Callable[[], str]) -> None:
    """Ask until the answer is yes; fail with what ``says`` says."""
    deadline = time.monotonic() + seconds
    while not question():
        assert time.monotonic() < deadline, says()
        time.sleep(0.1)
