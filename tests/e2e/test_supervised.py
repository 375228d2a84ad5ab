"""What the end-to-end tests ask of a platform that does not run, does not answer or has ended."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from accord_server.dev.ports import free_port
from tests.e2e.supervised import Supervised, answers, is_gone, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def idle() -> Iterator[Supervised]:
    made = Supervised.new()
    yield made
    made.remove()


def test_what_was_never_started_runs_nothing(idle: Supervised) -> None:
    assert not idle.is_running()
    assert not idle.is_ready()
    assert idle.run == {}
    assert idle.effort() == 0.0
    assert idle.stop() < 1


def test_another_platform_and_another_make_do_not_speak_in(
    idle: Supervised, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCORD_DATABASE_URL", "x")
    monkeypatch.setenv("MAKEFLAGS", "x")
    told = idle.environment(PORT="1")
    assert not {"ACCORD_DATABASE_URL", "MAKEFLAGS"} & told.keys()
    assert (told["PORT"], told["ACCORD_STATE"]) == ("1", str(idle.state.folder))


def test_nobody_answers_where_nothing_listens() -> None:
    assert not answers(f"http://127.0.0.1:{free_port()}")


def test_who_has_ended_is_gone_even_before_anybody_looked() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert not is_gone(child.pid)
    child.communicate(b"\n")
    assert is_gone(child.pid)
    zombie = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(zombie.pid)
    zombie.wait()


def test_what_never_comes_fails_with_its_reason() -> None:
    with pytest.raises(AssertionError, match="it said this"):
        wait_for(lambda: False, seconds=0.2, says=lambda: "it said this")
