"""One real PostgreSQL and Redis for a whole run of the tests, shared by its workers.

The first worker that needs them starts this module as a process of its own. It serves until the
run's main process ends, however that ends; the servers end with it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
START_S = 120
STOP_S = 30
READY = "ready.json"
LOG = "servers.log"


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the two servers answer; ``pid`` is the process that keeps them."""

    superuser_url: str
    owner_url: str
    app_url: str
    redis_url: str
    pid: int


def main(folder: Path, run_pid: int) -> None:
    """Serve until the run says so or ends, then leave nothing behind."""
    from accord_server.dev import postgres, redis

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with contextlib.ExitStack() as undo:
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        undo.callback(postgres.erase, folder / "postgres")
        database = postgres.start(folder / "postgres", durable=False)
        undo.callback(database.stop)
        queue = redis.start(folder / "redis")
        undo.callback(queue.stop)
        urls = (database.superuser_url, database.owner_url, database.app_url, queue.url)
        announce(folder / READY, Servers(*urls, pid=os.getpid()))
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(run_pid).wait()


def announce(path: Path, servers: Servers) -> None:
    """Write the file that says the servers answer, whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(asdict(servers)))
    draft.rename(path)


def servers_of(folder: Path, run_pid: int) -> Servers:
    """Return the run's servers; start them if nobody has yet."""
    with hold(folder):
        if not (folder / READY).exists():
            _start(folder, run_pid)
        return Servers(**json.loads((folder / READY).read_text()))


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Let one worker of the run at a time pass."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stop_servers(folder: Path) -> None:
    """End the run's servers, if there are any, and wait until they have cleaned up."""
    if not (folder / READY).exists():
        return
    servers = Servers(**json.loads((folder / READY).read_text()))
    with contextlib.suppress(psutil.NoSuchProcess):
        keeper = psutil.Process(servers.pid)
        keeper.terminate()
        keeper.wait(STOP_S)


def _start(folder: Path, run_pid: int) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}"}
    with (folder / LOG).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.servers", str(folder), str(run_pid)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            cwd=ROOT,
            start_new_session=True,
        )
    deadline = time.monotonic() + START_S
    while not (folder / READY).exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("the servers did not start")
        time.sleep(0.05)
    # It outlives this worker on purpose; nobody here waits for it.
    process.returncode = 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
