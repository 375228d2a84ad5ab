"""A client of the dialect for tests, and the sets that it uploads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.test import Client

from accord.formats.protobuf.exchange import Job
from tests.accord.protobuf_texts import COMPILER

if TYPE_CHECKING:
    from collections.abc import Mapping

RAW = "application/octet-stream"
JSON = "application/json"
PLAIN = 'syntax = "proto3"; package shop; message Item { string name = 1; }'
ORDER = """syntax = "proto3"; package shop; import "item.proto"; import "google/protobuf/timestamp.proto";
// An order.
message Order { repeated Item items = 1; google.protobuf.Timestamp at = 2; State state = 3; %s
  enum State { STATE_UNSPECIFIED = 0; } message Inner { map<string, int32> counts = 1; } }
message Ping {} service Shop { rpc Send (stream Order) returns (Ping); }
"""
TEXTS = {"item.proto": PLAIN, "order.proto": ORDER % ""}
GROWN = {**TEXTS, "order.proto": ORDER % "string note = 4;"}
BROKEN = {**TEXTS, "item.proto": PLAIN.replace("string name", "int32 name")}


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    raw: bytes
    headers: dict[str, str]

    @property
    def body(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.raw)

    @property
    def error(self) -> tuple[int, str]:
        """Status and code of a refusal."""
        return self.status, self.body["code"]


@dataclass(frozen=True)
class Shelf:
    """The descriptors of one namespace, called with one token."""

    token: str
    prefix: str = "/sr/north/default/descriptors"

    def call(self, method: str, path: str, body: object = b"", **headers: str) -> Reply:
        """Send a request; ``body`` is sent as JSON unless it is bytes."""
        is_raw = isinstance(body, bytes)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = headers.pop("kind", RAW if is_raw else JSON)
        sent = {
            "Authorization": f"Bearer {self.token}",
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        answer: Any = Client().generic(method, self.prefix + path, data, kind, headers=sent)
        return Reply(answer.status_code, answer.content, dict(answer.headers))

    def get(self, path: str, **headers: str) -> Reply:
        """Read."""
        return self.call("GET", path, **headers)

    def ok(self, method: str, path: str, body: object = b"") -> Any:
        """Send a request that succeeds and return its document."""
        reply = self.call(method, path, body)
        assert reply.status < 300, reply.raw
        return reply.body

    def push(self, module: str, texts: Mapping[str, str], query: str = "", *, notes: bool = False) -> Reply:
        """Upload what texts compile to."""
        return self.call(
            "POST", f"/modules/{module}/versions{query}", bytes(compiled_set(texts, notes=notes))
        )


def compiled_set(texts: Mapping[str, str], *, notes: bool = False) -> bytes:
    """What protoc makes of texts, imports included."""
    return _compiled(tuple(texts.items()), notes)


@cache
def _compiled(texts: tuple[tuple[str, str], ...], notes: bool) -> bytes:  # a key of the cache
    found = COMPILER.compile(Job(dict(texts), has_source_info=notes))
    assert found.descriptors, found.diagnostics
    return found.descriptors
