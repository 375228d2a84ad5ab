"""HTTP/1.1 by hand: what well-behaved client libraries refuse to send."""

from __future__ import annotations

import json
import socket
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """Return the body read as JSON."""
        document: dict[str, Any] = json.loads(self.body)
        return document


def exchange(url: str, *pieces: bytes, pause: float = 0, method: str = "POST") -> Answer:
    """Send the pieces one after the other, with a pause between them, and read one answer."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    with closing(
        socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S)
    ) as connection:
        # A server may answer before it has heard everything; what it says still counts.
        with suppress(BrokenPipeError, ConnectionResetError):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
        response = HTTPResponse(connection, method=method)
        response.begin()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, headers, response.read())


def abandon(url: str, *pieces: bytes) -> None:
    """Send the pieces and hang up."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    with closing(
        socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S)
    ) as connection:
        for piece in pieces:
            connection.sendall(piece)


def head(method: str, path: str, *headers: str) -> bytes:
    """Return the start of a request up to the empty line."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def chunk(data: bytes) -> bytes:
    """Return one chunk; the empty one ends the body."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def half_sent(url: str, *pieces: bytes) -> socket.socket:
    """Send the pieces and keep the connection; whoever opened it closes it."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    connection = socket.create_connection((address.hostname, address.port), timeout=PATIENCE_S)
    for piece in pieces:
        connection.sendall(piece)
    return connection
