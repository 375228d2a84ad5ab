"""Clients that begin a body and never end it, under a real Granian: everybody else is served meanwhile."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

import pytest

from accord_server.dev.services import web_command
from accord_server.kit.bodies import COURTEOUS, PATIENT
from tests import processes
from tests.accord_server.kit.wire import chunk, exchange, half_sent, head

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path

    from tests.processes import RunningProcess

PATIENCE_S = 2
THREADS = 8
TARGET = "tests.accord_server.kit.echo:application"
HALF = (head("POST", "/echo", "Content-Length: 5"), b"hel")
ENDLESS = (head("POST", "/echo", "Transfer-Encoding: chunked"), chunk(b"hel"))


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[RunningProcess]:
    """One process with as many threads as in production."""
    environment = {"ACCORD_BODY_TIMEOUT": str(PATIENCE_S)}
    server = processes.granian(folder, target=TARGET, environment=environment)
    yield server
    server.kill()


@pytest.fixture
def granian(tmp_path: Path) -> Iterator[RunningProcess]:
    """A server of one's own, for whoever leaves it busy."""
    with serving(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProcess]:
    """One server for those who leave no sender behind that it still waits for."""
    with serving(tmp_path_factory.mktemp("granian")) as server:
        yield server


def senders(
    url: str, count: int, pieces: tuple[bytes, ...], stack: contextlib.ExitStack
) -> list[socket.socket]:
    """Open connections that stay open with half a body each."""
    return [stack.enter_context(contextlib.closing(half_sent(url, *pieces))) for _ in range(count)]


def seconds_of_a_get(url: str) -> float:
    began = time.monotonic()
    assert exchange(url, head("GET", "/echo"), method="GET").status == 200
    return time.monotonic() - began


def status_of(connection: socket.socket) -> bytes:
    """Return the status that came, without waiting for the end of the answer."""
    return connection.recv(65536)[9:12]


@pytest.mark.parametrize("pieces", [HALF, ENDLESS], ids=["half", "endless"])
@pytest.mark.parametrize("count", [1, THREADS, 3 * THREADS])
def test_others_are_served_while_sockets_stay_open(
    shared: RunningProcess, pieces: tuple[bytes, ...], count: int
) -> None:
    with contextlib.ExitStack() as stack:
        senders(shared.url, count, pieces, stack)
        assert seconds_of_a_get(shared.url) < PATIENCE_S + 1
        time.sleep(PATIENCE_S)  # by now they are given up, and still hold their sockets
        for _ in range(5):
            assert seconds_of_a_get(shared.url) < 1
        assert exchange(shared.url, head("POST", "/echo", "Content-Length: 2"), b"ok").status == 200


def test_each_is_answered_in_time(shared: RunningProcess) -> None:
    with contextlib.ExitStack() as stack:
        began = time.monotonic()
        statuses = [status_of(one) for one in senders(shared.url, 2 * THREADS, HALF, stack)]
        assert time.monotonic() - began < PATIENCE_S + 1
    assert sorted(statuses) == [b"408"] * PATIENT + [b"503"] * (2 * THREADS - PATIENT)


def test_a_trickle_does_not_prolong_the_wait(shared: RunningProcess) -> None:
    over = threading.Event()

    def trickle(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while not over.wait(0.2):
                connection.sendall(b"x")

    with contextlib.ExitStack() as stack:
        slow = (head("POST", "/echo", "Content-Length: 5000"),)
        held = senders(shared.url, THREADS, slow, stack)
        threads = [threading.Thread(target=trickle, args=(one,)) for one in held]
        for thread in threads:
            stack.callback(thread.join)
            thread.start()
        stack.callback(over.set)
        time.sleep(PATIENCE_S + 0.5)
        assert seconds_of_a_get(shared.url) < 1


def test_clients_that_never_read_their_answer_hold_no_thread(granian: RunningProcess) -> None:
    body = b"x" * 4_000_000  # comes back as it is: more than a socket takes from nobody who reads
    asked = (head("POST", "/echo", f"Content-Length: {len(body)}"), body)
    with contextlib.ExitStack() as stack:
        senders(granian.url, 2 * THREADS, asked, stack)
        for _ in range(5):
            assert seconds_of_a_get(granian.url) < 1


def test_the_refusal_for_want_of_room_says_when_to_come_again(granian: RunningProcess) -> None:
    with contextlib.ExitStack() as stack:
        senders(granian.url, PATIENT, HALF, stack)
        time.sleep(1)
        (late,) = senders(granian.url, 1, HALF, stack)
        answer = late.recv(65536).lower()
    assert answer.startswith(b"http/1.1 503")
    assert b"retry-after: 1" in answer


def test_a_thread_is_left_for_everybody_else() -> None:
    words = list(web_command(1))
    assert PATIENT + COURTEOUS < int(words[words.index("--blocking-threads") + 1]) == THREADS
