"""Who dies is started again, after a pause that grows while it keeps dying."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import places, services
from accord_server.dev.processes import DidNotStart, Program
from accord_server.dev.progress import Progress
from accord_server.dev.services import Child, Watched
from accord_server.dev.state import State

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Mortal:
    """A service that dies when told to."""

    name: str = "mortal"
    pid: int = 1
    alive: bool = True
    starts: int = 0
    can_start: bool = True

    def is_alive(self) -> bool:
        return self.alive

    def restart(self) -> None:
        if not self.can_start:
            raise DidNotStart("it would not")
        self.starts += 1
        self.alive = True

    def stop(self) -> None:
        self.alive = False


@pytest.fixture
def progress() -> Progress:
    return Progress(out=io.StringIO())


def said(progress: Progress) -> str:
    assert isinstance(progress.out, io.StringIO)
    return progress.out.getvalue()


def die_and_return(watched: Watched, mortal: Mortal, progress: Progress, *, now: float) -> float:
    """Let the service die and come back; return the pause before it came back."""
    mortal.alive = False
    assert not watched.look(now, progress)
    due = watched.due or 0
    assert not watched.look(due - 0.01, progress)
    assert watched.look(due, progress)
    return due - now


def test_a_living_service_is_left_alone(progress: Progress) -> None:
    mortal = Mortal()
    assert not Watched(mortal).look(time.monotonic(), progress)
    assert mortal.starts == 0
    assert said(progress) == ""


def test_a_dead_service_is_started_again_and_that_is_said(progress: Progress) -> None:
    mortal = Mortal()
    die_and_return(Watched(mortal), mortal, progress, now=time.monotonic())
    assert mortal.alive
    assert "mortal ended by itself" in said(progress)
    assert "mortal runs again, process 1" in said(progress)


def test_the_pause_doubles_up_to_a_bound(progress: Progress) -> None:
    mortal = Mortal()
    watched = Watched(mortal)
    now = time.monotonic()
    pauses = [die_and_return(watched, mortal, progress, now=now) for _ in range(9)]
    assert [round(pause, 3) for pause in pauses] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_a_long_life_is_rewarded_with_the_shortest_pause(progress: Progress) -> None:
    mortal = Mortal()
    watched = Watched(mortal, deaths=5)
    later = time.monotonic() + services.HEALTHY_S + 1
    watched.look(later, progress)
    assert die_and_return(watched, mortal, progress, now=later) == pytest.approx(services.FIRST_PAUSE_S)


def test_a_service_that_will_not_start_is_tried_again(progress: Progress) -> None:
    mortal = Mortal(alive=False, can_start=False)
    watched = Watched(mortal)
    now = time.monotonic()
    watched.look(now, progress)
    assert not watched.look(now + 1, progress)
    assert "it would not" in said(progress)
    mortal.can_start = True
    watched.look(now + 1, progress)
    assert watched.look(now + 10, progress)


def test_a_killed_child_is_started_again_as_another_process(tmp_path: Path, progress: Progress) -> None:
    child = Child.start("sleeper", Program(("sleep", "60"), log=tmp_path / "log"))
    first = child.pid
    os.kill(first, signal.SIGKILL)
    child.process.wait(10)
    assert not child.is_alive()
    child.restart()
    assert child.is_alive()
    assert child.pid != first
    child.stop()
    assert not child.is_alive()


def test_services_stop_side_by_side(tmp_path: Path) -> None:
    slow = (
        sys.executable,
        "-c",
        "import signal, time; signal.signal(15, lambda *_: (time.sleep(1), exit())); time.sleep(60)",
    )
    children = [Child.start(str(number), Program(slow, log=tmp_path / "log")) for number in range(4)]
    time.sleep(1)
    began = time.monotonic()
    services.stop_all(children)
    assert time.monotonic() - began < 3
    assert not any(child.is_alive() for child in children)


def test_nothing_to_stop_is_no_error() -> None:
    services.stop_all([])


def test_the_command_lines_name_this_project(tmp_path: Path) -> None:
    told = {"ACCORD_COMPILER_SOCKET": places.compiler_socket(tmp_path)}
    programs = services.programs(State(tmp_path), told, 8123)
    assert list(programs) == ["web", "worker", "beat", "compiler"]
    assert programs["compiler"].argv[-3:] == ("accord.formats.protobuf.compiler", "--socket", *told.values())
    assert "8123" in programs["web"].argv
    assert programs["web"].argv[-1] == "accord_server.wsgi:application"
    for name in ("worker", "beat"):
        assert "accord_server.celery" in programs[name].argv
    assert all(program.environment == told for program in programs.values())
    assert len({program.log for program in programs.values()}) == 4


def test_a_compiler_that_the_operator_names_is_not_started(tmp_path: Path) -> None:
    assert "compiler" not in services.programs(State(tmp_path), {"ACCORD_COMPILER_SOCKET": "/theirs"}, 8123)
