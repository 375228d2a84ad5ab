"""A closed-loop HTTP load generator: some kept-alive connections, each asking again once answered.

One process on raw sockets, because the client must cost less than the server it measures.
"""

from __future__ import annotations

import re
import selectors
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from multiprocessing.synchronize import Event

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"


class BrokenAnswer(Exception):
    """The server closed a connection or answered something other than 200."""


@dataclass
class Connection:
    """One socket, the bytes of an answer that have come, and when the question left."""

    socket: socket.socket
    request: bytes
    received: bytes = b""
    asked_at: float = 0.0
    latencies: list[float] = field(default_factory=list)
    allowed: frozenset[bytes] = frozenset({b"200"})

    def ask(self) -> None:
        """Send the question."""
        self.received = b""
        self.asked_at = time.perf_counter()
        self.socket.sendall(self.request)

    def read(self) -> bool:
        """Take what has come; true when the answer is whole."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise BrokenAnswer("connection closed")
        self.received += chunk
        if not is_whole(self.received, self.allowed):
            return False
        self.latencies.append(time.perf_counter() - self.asked_at)
        return True


def is_whole(answer: bytes, allowed: Container[bytes] = frozenset({b"200"})) -> bool:
    """Tell whether head and body have come; a status that is not allowed breaks off."""
    head, end, body = answer.partition(END_OF_HEAD)
    if not end:
        return False
    if head.split(b" ", 2)[1] not in allowed:
        raise BrokenAnswer(answer[:500].decode(errors="replace"))
    length = LENGTH.search(head)
    if length is None:
        raise BrokenAnswer("an answer without Content-Length")
    return len(body) >= int(length.group(1))


def request_bytes(url: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """Write one request down: GET, or POST where there is a body."""
    parts = urlsplit(url)
    lines = [f"{'POST' if body else 'GET'} {parts.path or '/'} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def requests_per_second(
    url: str, headers: dict[str, str], *, connections: int, seconds: float, body: bytes = b""
) -> float:
    """Ask for some seconds over some connections; answers that are not 200 raise `BrokenAnswer`."""
    request = request_bytes(url, headers, body)
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for _ in range(connections):
            one = stack.enter_context(_connected(url))
            connection = Connection(one, request)
            selector.register(one, selectors.EVENT_READ, connection)
            connection.ask()
        answered, took = _serve(selector, seconds)
    return answered / took


def latencies(url: str, headers: dict[str, str], bodies: Iterable[bytes]) -> list[float]:
    """Post one body after the other over one connection; the seconds until each answer, all of them 200."""
    with _connected(url) as one:
        connection = Connection(one, b"")
        for body in bodies:
            connection.request = request_bytes(url, headers, body)
            connection.ask()
            while not connection.read():
                pass
    return connection.latencies


def latencies_of(url: str, headers: dict[str, str], *, number: int) -> list[float]:
    """Ask for an address again and again over one connection; the seconds until each answer, all 200."""
    with _connected(url) as one:
        connection = Connection(one, request_bytes(url, headers))
        for _ in range(number):
            connection.ask()
            while not connection.read():
                pass
    return connection.latencies


def hammer(url: str, headers: dict[str, str], connections: int, stop: Event) -> None:
    """Ask as fast as answers come until somebody says stop, and take refusals for being too many as well."""
    request = request_bytes(url, headers)
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for _ in range(connections):
            one = stack.enter_context(_connected(url))
            connection = Connection(one, request, allowed=frozenset({b"200", b"429"}))
            selector.register(one, selectors.EVENT_READ, connection)
            connection.ask()
        while not stop.is_set():
            _serve(selector, 0.1)


def _connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    one = socket.create_connection((parts.hostname or "localhost", parts.port or 80))
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one


def _serve(selector: selectors.BaseSelector, seconds: float) -> tuple[int, float]:
    answered, started = 0, time.perf_counter()
    while (took := time.perf_counter() - started) < seconds:
        for key, _ in selector.select(timeout=1):
            connection: Connection = key.data
            if connection.read():
                answered += 1
                connection.ask()
    return answered, took
