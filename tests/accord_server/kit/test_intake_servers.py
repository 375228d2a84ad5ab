"""Bodies on the wire, under a real Granian and under the standard library's server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import processes
from tests.accord_server.kit.wire import abandon, chunk, exchange, head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.processes import RunningProcess

LIMIT = 64 * 1024
ENVIRONMENT = {"ACCORD_BODY_LIMIT": str(LIMIT), "ACCORD_BODY_TIMEOUT": "2"}
TARGET = "tests.accord_server.kit.echo:application"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.fixture(scope="module")
def granian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProcess]:
    """Granian, as in production."""
    server = processes.granian(tmp_path_factory.mktemp("granian"), target=TARGET, environment=ENVIRONMENT)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningProcess]:
    """The standard library's server, which does not undo chunks."""
    folder = tmp_path_factory.mktemp("plain")
    server = processes.module(folder, "tests.accord_server.kit.echo", environment=ENVIRONMENT)
    yield server
    server.stop()


@pytest.fixture(params=["granian", "plain"])
def server(request: pytest.FixtureRequest) -> RunningProcess:
    """Each of the two."""
    running: RunningProcess = request.getfixturevalue(request.param)
    return running


def test_a_chunked_body_arrives_whole(granian: RunningProcess) -> None:
    answer = exchange(
        granian.url, head("POST", "/echo", CHUNKED), chunk(b"hello "), chunk(b"you"), chunk(b"")
    )
    assert answer.json()["body"] == "hello you"
    assert answer.json()["length"] == "9"


def test_chunks_may_dribble_in(granian: RunningProcess) -> None:
    pieces = [head("POST", "/echo", CHUNKED), *(chunk(b"x") for _ in range(5)), chunk(b"")]
    assert exchange(granian.url, *pieces, pause=0.1).json()["body"] == "xxxxx"


def test_a_chunked_body_up_to_the_limit_is_taken(granian: RunningProcess) -> None:
    body = b"x" * LIMIT
    answer = exchange(granian.url, head("POST", "/echo", CHUNKED), chunk(body), chunk(b""))
    assert answer.json()["length"] == str(LIMIT)


def test_a_chunked_body_beyond_the_limit_is_refused_in_the_dialect(granian: RunningProcess) -> None:
    pieces = [chunk(b"x" * LIMIT) for _ in range(20)]
    answer = exchange(granian.url, head("POST", "/echo", CHUNKED), *pieces, chunk(b""))
    assert (answer.status, answer.json()) == (413, {"error_code": 413})
    assert answer.headers["content-type"] == "application/x-echo"


def test_a_server_that_leaves_chunks_alone_asks_for_a_length(plain: RunningProcess) -> None:
    answer = exchange(plain.url, head("POST", "/echo", CHUNKED), chunk(b"hello"), chunk(b""))
    assert answer.status == 411


def test_a_body_with_a_length_arrives(server: RunningProcess) -> None:
    assert (
        exchange(server.url, head("POST", "/echo", "Content-Length: 5"), b"hello").json()["body"] == "hello"
    )


def test_a_long_body_is_heard_to_its_end_and_refused(server: RunningProcess) -> None:
    length = 10_000_000
    answer = exchange(server.url, head("POST", "/echo", f"Content-Length: {length}"), b"x" * length)
    assert (answer.status, answer.json()) == (413, {"error_code": 413})


def test_a_client_that_asks_first_is_told_at_once(server: RunningProcess) -> None:
    asking = head("POST", "/echo", f"Content-Length: {LIMIT + 1}", "Expect: 100-continue")
    assert exchange(server.url, asking).status == 413


def test_a_client_that_asks_first_may_go_on(granian: RunningProcess) -> None:
    asking = head("POST", "/echo", "Content-Length: 5", "Expect: 100-continue")
    assert exchange(granian.url, asking, b"hello", pause=0.2).json()["body"] == "hello"


def test_a_slow_body_is_given_up(server: RunningProcess) -> None:
    answer = exchange(server.url, head("POST", "/echo", "Content-Length: 5"), b"hel", pause=0)
    assert (answer.status, answer.json()) == (408, {"error_code": 408})


def test_senders_that_hang_up_do_not_hold_the_server(granian: RunningProcess) -> None:
    for _ in range(12):
        abandon(granian.url, head("POST", "/echo", "Content-Length: 5"), b"hel")
    assert exchange(granian.url, head("POST", "/echo", "Content-Length: 2"), b"ok").json()["body"] == "ok"


def test_the_limit_holds_for_a_get_with_a_body(granian: RunningProcess) -> None:
    answer = exchange(granian.url, head("GET", "/echo", CHUNKED), chunk(b"x" * (LIMIT + 1)), chunk(b""))
    assert answer.status == 413


def test_two_lengths_are_refused(granian: RunningProcess) -> None:
    twice = head("POST", "/echo", "Content-Length: 3", "Content-Length: 5")
    assert exchange(granian.url, twice, b"hello").status == 400


@pytest.mark.parametrize("length", ["-1", "+5", "five", "5,5", "\xb2"])
def test_a_length_that_is_no_number_is_refused(server: RunningProcess, length: str) -> None:
    assert exchange(server.url, head("POST", "/echo", f"Content-Length: {length}"), b"hello").status == 400


def test_a_path_that_is_not_text_is_refused(server: RunningProcess) -> None:
    answer = exchange(server.url, head("GET", "/echo/%ff%fe"), method="GET")
    assert (answer.status, answer.json()) == (400, {"error_code": 400})


def test_a_path_is_decoded_once(server: RunningProcess) -> None:
    answer = exchange(server.url, head("GET", "/echo/a%252Fb%2Fc"), method="GET")
    assert answer.json()["path"] == "/echo/a%2Fb/c"


def test_a_refusal_carries_the_id_of_the_request(server: RunningProcess) -> None:
    answer = exchange(server.url, head("GET", "/echo/%ff", "X-Request-ID: mine-1"), method="GET")
    assert answer.headers["x-request-id"] == "mine-1"
