"""Requests exactly as other products send them: their headers and no others, paths and bodies unchanged."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import closing
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.e2e.platform import Platform

PATIENCE_S = 60
V1 = "application/vnd.schemaregistry.v1+json"
V = "application/vnd.schemaregistry+json"
JSON = "application/json"
# What the clients of Confluent send; the one for Java says on its reads, too, what type their body has.
NEW = {"Confluent-Accept-Unknown-Properties": "true"}
PYTHON = {**NEW, "Confluent-Client-Version": "python/2.16.0", "Accept": f"{V1}, {V}, {JSON}"}
JAVA = {
    **NEW,
    "Confluent-Client-Version": "java/8.1.1",
    "Content-Type": V1,
    "User-Agent": "Java/21.0.8",
    "Accept": "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
    "Connection": "keep-alive",
}
OLD_JAVA = {name: value for name, value in JAVA.items() if not name.startswith("Confluent-")}


@dataclass(frozen=True)
class Heard:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The JSON value of the body."""
        return json.loads(self.raw)

    @property
    def value(self) -> Any:
        """The JSON value of an answer that must be a success."""
        assert self.status == 200, (self.status, self.raw)
        return self.body

    @property
    def error(self) -> tuple[int, int]:
        """Status and code of a refusal, which must have the shape of the dialect."""
        body = self.body
        assert sorted(body) == ["error_code", "message"]
        assert isinstance(body["message"], str)
        assert body["message"]
        return self.status, body["error_code"]


@dataclass(frozen=True)
class Sender:
    """One product that calls one namespace: its headers go out, and nothing that is not among them."""

    base: str
    headers: Mapping[str, str]

    @classmethod
    def basic(cls, platform: Platform, headers: Mapping[str, str]) -> Sender:
        """A product with user and password."""
        pair = b64encode(f"api-key:{platform.token}".encode()).decode()
        return cls(platform.registry_url, {**headers, "Authorization": f"Basic {pair}"})

    @classmethod
    def bearer(cls, platform: Platform, headers: Mapping[str, str]) -> Sender:
        """A product with a token."""
        return cls(platform.registry_url, {**headers, "Authorization": f"Bearer {platform.token}"})

    def with_headers(self, **headers: str | None) -> Sender:
        """Send other headers besides; None leaves one out. An underline stands for a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        merged = {**self.headers, **named}
        return replace(self, headers={name: value for name, value in merged.items() if value is not None})

    def get(self, target: str) -> Heard:
        """Read."""
        return self.send("GET", target)

    def delete(self, target: str) -> Heard:
        """Delete."""
        return self.send("DELETE", target)

    def post(self, target: str, body: object) -> Heard:
        """Post a JSON value."""
        return self.send("POST", target, body)

    def put(self, target: str, body: object) -> Heard:
        """Put a JSON value."""
        return self.send("PUT", target, body)

    def send(self, method: str, target: str, body: object = None) -> Heard:
        """Send one request with a body of known length, or with none."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        length = {} if data is None else {"Content-Length": str(len(data))}
        with closing(self.connect()) as connection:
            begin(connection, method, urlsplit(self.base).path + target, {**self.headers, **length})
            connection.endheaders(data)
            return heard(connection.getresponse())

    def send_chunks(self, method: str, target: str, chunks: Iterable[bytes]) -> Heard:
        """Send one request whose body comes in chunks."""
        headers = {**self.headers, "Transfer-Encoding": "chunked"}
        with closing(self.connect()) as connection:
            begin(connection, method, urlsplit(self.base).path + target, headers)
            connection.endheaders(chunks, encode_chunked=True)
            return heard(connection.getresponse())

    def connect(self) -> HTTPConnection:
        """Open a connection of its own."""
        address = urlsplit(self.base)
        return HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE_S)


def begin(connection: HTTPConnection, method: str, target: str, headers: Mapping[str, str]) -> None:
    """Write the start of a request: the target as it is, the host, and the headers given."""
    connection.putrequest(method, target, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)


def heard(answer: HTTPResponse) -> Heard:
    """Read an answer to its end."""
    return Heard(
        answer.status, {name.title(): value for name, value in answer.headers.items()}, answer.read()
    )
