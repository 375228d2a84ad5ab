"""Children end with their parent, whole, and nothing that is not ours is ever ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from accord_server.dev import processes
from accord_server.dev.processes import Program
from accord_server.dev.state import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A parent that starts a child, prints its process id, and waits to be killed.
PARENT = """
import sys, time
from pathlib import Path
from accord_server.dev.processes import Program, spawn
print(spawn(Program(("sleep", "60"), log=Path(sys.argv[1]))).pid, flush=True)
time.sleep(60)
"""
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
)
WITH_A_CHILD = (
    "import subprocess, time; print(subprocess.Popen(['sleep', '60']).pid, flush=True); time.sleep(60)"
)


def eventually(question: Callable[[], bool], *, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not question() and time.monotonic() < deadline:
        time.sleep(0.02)
    return question()


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def python(code: str, log: Path) -> subprocess.Popen[bytes]:
    child = processes.spawn(Program((sys.executable, "-c", code), log=log))
    assert eventually(lambda: bool(log.read_text()))
    return child


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    words = (sys.executable, "-c", PARENT, str(tmp_path / "log"))
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "platform")}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert eventually(lambda: is_gone(child))


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    child = python(STUBBORN, tmp_path / "log")
    processes.stop(child, gentle=signal.SIGTERM, patience_s=0.2)
    assert child.returncode == -signal.SIGKILL


def test_a_childs_own_children_end_with_it(tmp_path: Path) -> None:
    child = python(WITH_A_CHILD, tmp_path / "log")
    grandchild = int((tmp_path / "log").read_text())
    processes.stop(child, gentle=signal.SIGTERM)
    assert eventually(lambda: is_gone(grandchild))


def test_a_process_without_our_mark_is_left_alone(tmp_path: Path) -> None:
    child = python("print(1, flush=True); import time; time.sleep(60)", tmp_path / "log")
    assert not processes.end_orphan(child.pid, mark="/no/such/folder", gentle=signal.SIGTERM)
    assert child.poll() is None
    processes.stop(child, gentle=signal.SIGTERM)


def test_a_child_reads_its_text_and_nothing_else(tmp_path: Path) -> None:
    processes.spawn(Program(("cat",), log=tmp_path / "log"), text="hidden").wait(10)
    assert (tmp_path / "log").read_text() == "hidden"


def test_a_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    processes.spawn(Program(("true",), log=tmp_path / "logs" / "log")).wait(10)
    assert (tmp_path / "logs" / "log").stat().st_mode & 0o077 == 0


def test_a_long_log_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LONGEST_LOG", 3)
    (tmp_path / "log").write_text("long")
    processes.spawn(Program(("echo", "new"), log=tmp_path / "log")).wait(10)
    assert (tmp_path / "log").read_text() == "new\n"
    assert (tmp_path / "log.old").read_text() == "long"


def test_a_folder_is_held_until_it_is_let_go(tmp_path: Path) -> None:
    with processes.hold(tmp_path), pytest.raises(processes.AlreadyRunning):
        processes.hold(tmp_path)
    processes.hold(tmp_path).close()


def test_the_last_words_are_the_end_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert processes.last_words(log) == ""
    log.write_text("one\ntwo\nthree\n")
    assert processes.last_words(log, lines=2) == "two\nthree"
