"""Calls to addresses that tenants name: which are refused, and that the judged address is the one called."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit.outbound import Place, Refused, Unreachable, address_of, place_of, post

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import Settings

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
LOOPBACK = (ip_network("127.0.0.0/8"),)


def heard(connection: socket.socket) -> bytes:
    """What a caller says: the head of a request comes in one piece, its body as it likes."""
    said = connection.recv(65536)
    head, _, body = said.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    missing = int(length[1]) - len(body) if length else 0
    return said + (connection.recv(missing, socket.MSG_WAITALL) if missing else b"")


@contextmanager
def receiver(*answers: bytes, hangs: bool = False) -> Iterator[tuple[int, list[bytes]]]:
    """A server that says the same to everybody; yields its port and what it was told."""
    told: list[bytes] = []
    ended = threading.Event()

    def serve() -> None:
        for answer in answers:
            connection, _ = server.accept()
            with connection:
                told.append(heard(connection))
                connection.sendall(answer)
                if hangs:
                    ended.wait(60)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], told
        ended.set()
        thread.join(60)


@pytest.fixture
def resolves(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let every name have these addresses."""

    def to(*addresses: str) -> None:
        found = [(0, 0, 0, "", (address, 443)) for address in addresses]
        monkeypatch.setattr("accord_server.kit.outbound.socket.getaddrinfo", lambda *_asked, **_more: found)

    return to


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/x",
        "//example.org/x",
        "https://",
        "https://user@example.org/",
        "https://:secret@example.org/",
        "https://example.org/#part",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://[::1/",
        "https://example.org/a b",
        "https://example.org/\r\nX: y",
        "https://größe.example.org/",
        "https://example.org/" + "x" * 2000,
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        place_of(url)


def test_an_address_is_taken_apart() -> None:
    assert place_of("https://Example.org?a=b") == Place("https", "example.org", 443, "/?a=b")
    assert place_of("http://[2001:db8::1]:8080/x") == Place("http", "2001:db8::1", 8080, "/x")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",  # noqa: S104  # an address to be refused
        "224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1", "192.0.2.1", "::1", "::", "fe80::1%eth0",
        "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(address: str, resolves: Callable[..., None]) -> None:
    resolves(address)
    with pytest.raises(Refused, match="private network"):
        address_of(place_of("https://inside.example.org/"))
    resolves("93.184.216.34", address)
    with pytest.raises(Refused, match="private network"):
        address_of(place_of("https://both.example.org/"))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_public_addresses_are_called_with_tls_alone(address: str, resolves: Callable[..., None]) -> None:
    resolves(address)
    assert address_of(place_of("https://example.org/")) == address
    with pytest.raises(Refused, match="https://"):
        address_of(place_of("http://example.org/"))


@pytest.mark.parametrize("spelling", ["localhost", "127.1", "2130706433", "0x7f000001", "[::1]"])
def test_no_spelling_leads_home(spelling: str) -> None:
    with pytest.raises((Refused, Unreachable)):
        address_of(place_of(f"https://{spelling}/"))


def test_an_unknown_name_is_told_as_one_inside(resolves: Callable[..., None]) -> None:
    with pytest.raises(Refused, match="not known") as unknown:
        address_of(place_of("https://nowhere.invalid/"))
    resolves("10.1.2.3")
    with pytest.raises(Refused) as private:
        address_of(place_of("https://inside.example.org/"))
    assert str(unknown.value) == str(private.value)


def test_a_network_that_the_operator_names_is_called(settings: Settings) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS = LOOPBACK
    with receiver(OK) as (port, told):
        reply = post(f"http://localhost:{port}/in?a=1", b"{}", {"webhook-id": "1"})
    assert (reply.status, reply.milliseconds >= 0) == (200, True)
    head, _, body = told[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /in?a=1 HTTP/1.1\r\n")
    assert f"Host: localhost:{port}".encode() in head
    assert b"webhook-id: 1" in head
    assert body == b"{}"


def test_the_address_that_was_judged_is_the_one_called(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS = LOOPBACK
    asked: list[str] = []

    def resolve(host: str, port: int, *_more: Any, **_named: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host if host[0] == "1" else "127.0.0.1", port))]

    monkeypatch.setattr("accord_server.kit.outbound.socket.getaddrinfo", resolve)
    with receiver(OK) as (port, _):
        assert post(f"http://changing.example.org:{port}/", b"", {}).status == 200
    # A second look would be at the name again; the connection is made to the address itself.
    assert asked[0] == "changing.example.org"
    assert set(asked[1:]) <= {"127.0.0.1"}


def test_a_redirect_is_an_answer_like_any_other(settings: Settings) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS = LOOPBACK
    away = b"HTTP/1.1 307 Away\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    with receiver(away) as (port, _):
        assert post(f"http://127.0.0.1:{port}/", b"", {}).status == 307


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nX: "])
def test_who_does_not_answer_in_time_is_left(settings: Settings, answer: bytes) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS, settings.ACCORD_WEBHOOK_TIMEOUT = LOOPBACK, 0.2
    with receiver(answer, hangs=True) as (port, _), pytest.raises(Unreachable, match="in time"):
        post(f"http://127.0.0.1:{port}/", b"", {})


def test_who_took_all_the_time_to_greet_is_not_asked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline ends what the connection was before TLS; what came of it would have no other."""
    settings.ACCORD_WEBHOOK_NETWORKS, settings.ACCORD_WEBHOOK_TIMEOUT = LOOPBACK, 0.1

    class Slow:
        def wrap_socket(self, sock: socket.socket, **_named: Any) -> socket.socket:
            greeted = socket.socket(fileno=sock.detach())
            threading.Event().wait(0.5)
            return greeted

    monkeypatch.setattr("accord_server.kit.outbound.ssl.create_default_context", Slow)
    with receiver(OK) as (port, told), pytest.raises(Unreachable, match="in time"):
        post(f"https://127.0.0.1:{port}/", b"", {})
    assert told == [b""]


def test_what_is_no_http_is_told(settings: Settings) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS = LOOPBACK
    with receiver(b"SSH-2.0\r\n") as (port, _), pytest.raises(Unreachable, match="BadStatusLine"):
        post(f"http://127.0.0.1:{port}/", b"", {})
    with pytest.raises(Unreachable, match="ConnectionRefusedError"):
        post("http://127.0.0.1:1/", b"", {})


def test_a_receiver_without_tls_is_not_called_with_it(settings: Settings) -> None:
    settings.ACCORD_WEBHOOK_NETWORKS = LOOPBACK
    with receiver(OK) as (port, _), pytest.raises(Unreachable, match="SSLError"):
        post(f"https://127.0.0.1:{port}/", b"", {})
