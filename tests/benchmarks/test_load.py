"""The load generator reads whole answers and stops at anything that is not one."""

from __future__ import annotations

import multiprocessing
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from benchmarks.load import (
    BrokenAnswer,
    hammer,
    is_whole,
    latencies,
    latencies_of,
    requests_per_second,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


class Answer(BaseHTTPRequestHandler):
    """Answers /fine with 200, /many with 429 and everything else with 404."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response({"/fine": 200, "/many": 429}.get(self.path, 404))
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Keep the log of the tests quiet."""


class Server(ThreadingHTTPServer):
    """A server that is not surprised when a measurement ends in the middle of an answer."""

    def handle_error(self, *_: object) -> None:
        """Say nothing: the client has what it wanted."""


@pytest.fixture
def address() -> Iterator[str]:
    """A server of our own on a free port."""
    server = Server(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_answers_are_counted(address: str) -> None:
    assert requests_per_second(f"{address}/fine", {}, connections=2, seconds=0.2) > 1


def test_each_question_has_its_latency(address: str) -> None:
    assert len(latencies_of(f"{address}/fine", {}, number=3)) == 3
    with pytest.raises(BrokenAnswer):
        latencies_of(f"{address}/lost", {}, number=1)


def test_who_hammers_takes_refusals_for_being_too_many_and_no_others(address: str) -> None:
    stop = multiprocessing.Event()
    threading.Timer(0.2, stop.set).start()
    hammer(f"{address}/many", {}, 2, stop)
    with pytest.raises(BrokenAnswer):
        hammer(f"{address}/lost", {}, 1, multiprocessing.Event())


def test_each_body_has_its_latency(address: str) -> None:
    found = latencies(f"{address}/fine", {}, [b"{}", b"[]", b"1"])
    assert len(found) == 3
    assert all(one > 0 for one in found)


def test_a_wrong_answer_breaks_off(address: str) -> None:
    with pytest.raises(BrokenAnswer, match="404"):
        requests_per_second(f"{address}/other", {}, connections=1, seconds=0.2)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab", True),
    ],
)
def test_an_answer_is_whole_with_its_body(answer: bytes, expected: bool) -> None:
    assert is_whole(answer) is expected
