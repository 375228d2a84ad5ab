"""The containers of the chart, run as processes: their commands, variables and files are the platform."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest
import requests

from accord_server.dev import processes
from accord_server.dev.ports import LOOPBACK, free_port
from accord_server.dev.processes import Program
from accord_server.kit.environment import FILE_SUFFIX
from accord_server.kit.settings_table import SETTINGS
from tests.helm import charts
from tests.helm.charts import ROOT, TOOLS
from tests.processes import RunningProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.helm.charts import Manifest

PATIENCE_S: Final = 120
WEB, METRICS = "8081", "9101"
SECRETS: Final = [row.name for row in SETTINGS if row.is_secret]


@dataclass
class Machine:
    """One machine in place of the cluster: other paths, and a port of its own for each pod."""

    folder: Path
    started: dict[str, RunningProcess]

    def start(self, component: str, name: str) -> int:
        """Start a container of a pod; return the port at which it answers, if it does."""
        pod = dict(charts.pods("minimal" if component != "migration" else "default"))[component]
        (container,) = (one for one in charts.containers(pod) if one["name"] == name)
        port = free_port()
        command = [self._here(word, port) for word in (*container["command"], *container.get("args", []))]
        program = sys.executable if command[0] == "python" else str(TOOLS / command[0])
        log = self.folder / f"{component}-{name}.log"
        argv = (program, *command[1:])
        started = Program(argv, log=log, environment=self._environment(container, port), folder=ROOT)
        self.started[f"{component}-{name}"] = RunningProcess(processes.spawn(started), log)
        return port

    def text(self) -> str:
        """Everything that was logged."""
        return "".join(one.text() for one in self.started.values())

    def _environment(self, container: Manifest, port: int) -> dict[str, str]:
        given = {one["name"]: self._here(one["value"], port) for one in container.get("env", [])}
        # What the image says of itself, and the way to the programs of this one.
        image = {
            "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
            "DJANGO_SETTINGS_MODULE": "accord_server.settings",
        }
        # Here, unlike there, the worker is root's, which Celery says before it knows where to log.
        quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
        return {**quiet, "PATH": os.environ["PATH"], "TMPDIR": str(self.folder), **image, **given}

    def _here(self, text: str, port: int) -> str:
        moved = text.replace("/run/secrets/accord", str(self.folder / "secrets"))
        moved = moved.replace("/run/accord", str(self.folder / "run")).replace("/opt/accord", str(ROOT))
        return moved.replace(WEB, str(port)) if WEB in moved else str(port) if moved == METRICS else moved


@pytest.fixture
def machine(django_db_setup: None, redis_url: str, tmp_path: Path) -> Iterator[Machine]:
    """A machine with the secrets of the tests in files."""
    (tmp_path / "run").mkdir()
    (tmp_path / "secrets").mkdir()
    for name in SECRETS:
        (tmp_path / "secrets" / name).write_text(os.environ.get(name, ""))
    found = Machine(tmp_path, {})
    yield found
    for one in found.started.values():
        one.stop()


def wait_until(is_so: Callable[[], bool], machine: Machine) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, machine.text()
        time.sleep(0.1)


def answer(port: int, path: str) -> requests.Response | None:
    try:
        return requests.get(f"http://{LOOPBACK}:{port}{path}", timeout=PATIENCE_S)
    except requests.ConnectionError:
        return None


def test_the_containers_are_the_platform(machine: Machine) -> None:
    machine.start("migration", "migration")
    machine.start("web", "compiler")
    web = machine.start("web", "web")
    worker = machine.start("worker-jobs", "worker")
    beat = machine.start("beat", "beat")
    migration = machine.started["migration-migration"].process
    wait_until(lambda: migration.poll() is not None, machine)
    assert migration.returncode == 0, machine.text()
    wait_until((machine.folder / "run" / "compiler").is_socket, machine)
    wait_until(lambda: getattr(answer(web, "/readyz"), "status_code", 0) == 200, machine)
    wait_until(lambda: getattr(answer(beat, "/healthz"), "text", "") == "ok\n", machine)

    def is_working() -> bool:
        found = answer(worker, "/metrics")
        return found is not None and 'task="kit.drain_outbox",outcome="success"' in found.text

    wait_until(is_working, machine)
    check_logs(machine)


def check_logs(machine: Machine) -> None:
    """Every line of what serves is JSON, and none holds a secret."""
    for name, one in machine.started.items():
        if name.startswith(("migration", "web-compiler")):
            continue
        for line in one.text().splitlines():
            assert {"time", "level", "logger", "message"} <= json.loads(line).keys(), (name, line)
    for name in SECRETS:
        value = os.environ.get(name, "")
        assert not value or value not in machine.text(), name
    assert FILE_SUFFIX not in machine.text()
