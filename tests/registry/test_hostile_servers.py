"""Protobuf that means harm, sent over HTTP by one tenant: the others are served, and nothing dies of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import processes
from tests.accord.formats.protobuf.test_hostile import HANDLED, REFUSED, lines
from tests.registry.client import record
from tests.registry.over_http import Distant, Told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

    Start = Callable[..., RunningProcess]

# What no scan stops before the compiler has a look; shorter where the registry takes no text as long.
HARM = (
    *(REFUSED[name][0] for name in ("60 nested messages", "a path that leads away", "a device")),
    *(HANDLED[name] for name in ("4,000 reserved numbers", "a long name")),
    lines(3_000, "V{n} = {n};", "enum E {"),
)
LARGE = lines(1_000, "optional int32 f{n} = {m};", "message M {")
SMALL = 'syntax = "proto3"; message M { int32 id = 1; }'
# More than SMALL, less than LARGE: the worker judges that.
INLINE_BYTES = "20000"
SAFETY_SECONDS = 240


@dataclass
class Compiler:
    """The compiler that web and worker share, as a process that can be killed and started again."""

    path: Path
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, path: Path) -> Compiler:
        """Start it, and wait until it listens."""
        path.unlink(missing_ok=True)
        command = [sys.executable, "-m", "accord.formats.protobuf.compiler", "--socket", str(path)]
        running = cls(path, subprocess.Popen(command, env=processes.environment_of({}), cwd=processes.ROOT))
        until(path.exists)
        return running

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.process.wait()


@pytest.fixture
def socket() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket is short
        yield Path(folder) / "compiler"


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SAFETY_SECONDS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def send(api: Distant, subject: str, text: str) -> Told:
    return api.call(f"/subjects/{subject}/versions", {"schema": text, "schemaType": "PROTOBUF"})


def served(api: Distant, number: int) -> set[int]:
    """Read and register as somebody who means well."""
    return {api.read("small").status, api.register(f"s{number}", record("a", f"b{number}")).status}


def test_harm_is_nobody_elses_business(
    alice: Actor,
    mallory: Actor,
    token_for: TokenFor,
    granian_server: Start,
    celery_worker_process: Start,
    socket: Path,
) -> None:
    environment = {"ACCORD_COMPILER_SOCKET": str(socket), "ACCORD_INLINE_CHECK_BYTES": INLINE_BYTES}
    compiler = Compiler.start(socket)
    web, worker = granian_server(**environment), celery_worker_process(**environment)
    north = Distant(f"{web.url}/sr/north/default", token_for(alice))
    south = Distant(f"{web.url}/sr/south/default", token_for(mallory))
    try:
        assert [send(api, "small", SMALL).status for api in (north, south)] == [200, 200]
        told, statuses = burst(north, south, compiler)
        assert statuses == {200}
        assert {one.status for one in told} <= {200, 409, 422, 503}
        compiler = Compiler.start(socket)
        statuses_after = [
            send(north, "after", SMALL).status,
            *(send(south, f"h{n}", text).status for n, text in enumerate(HARM)),
        ]
        assert statuses_after == [200, 422, 422, 422, 200, 200, 200]
        until(lambda: send(south, "small", LARGE).status == 200)
        assert (web.is_alive(), worker.is_alive()) == (True, True)
    finally:
        compiler.kill()


def burst(north: Distant, south: Distant, compiler: Compiler) -> tuple[list[Told], set[int]]:
    """Send all that means harm at once, kill the compiler meanwhile; tell how it and the others fared."""
    statuses: set[Any] = set()
    with ThreadPoolExecutor(len(HARM) + 1) as pool:
        sent = [pool.submit(send, south, f"h{number}", text) for number, text in enumerate(HARM)]
        sent.append(pool.submit(send, south, "small", LARGE))
        statuses |= served(north, 0)
        compiler.kill()
        number = 1
        while not all(one.done() for one in sent):
            statuses |= served(north, number)
            number += 1
    return [one.result() for one in sent], statuses
