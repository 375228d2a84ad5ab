"""The servers of a run of the tests end with it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.servers import Servers, servers_of, stop_servers

PATIENCE_S = 40


@pytest.fixture
def folder() -> Path:
    """A short place of its own: sockets and accounts do not like deep ones."""
    return Path(tempfile.gettempdir()) / f"accord-tests-{uuid4().hex[:12]}"


@pytest.fixture
def run() -> subprocess.Popen[bytes]:
    """What stands for the main process of a run."""
    return subprocess.Popen(["sleep", "600"])


def is_gone(folder: Path) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while folder.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    return not folder.exists()


def answers(servers: Servers) -> bool:
    try:
        psycopg.connect(servers.app_url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def test_they_start_once_and_end_when_the_run_is_killed(folder: Path, run: subprocess.Popen[bytes]) -> None:
    servers = servers_of(folder, run.pid)
    assert servers_of(folder, run.pid) == servers
    assert answers(servers)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    assert is_gone(folder)
    assert not answers(servers)


def test_they_end_when_the_run_says_so(folder: Path, run: subprocess.Popen[bytes]) -> None:
    servers_of(folder, run.pid)
    stop_servers(folder)
    run.kill()
    run.wait()
    assert is_gone(folder)


def test_a_run_that_needed_none_ends_quietly(folder: Path) -> None:
    stop_servers(folder)
    assert not folder.exists()


def test_servers_that_cannot_start_are_told(folder: Path, run: subprocess.Popen[bytes]) -> None:
    folder.mkdir()
    (folder / "postgres").write_text("in the way")
    with pytest.raises(RuntimeError, match="did not start"):
        servers_of(folder, run.pid)
    run.kill()
    run.wait()
