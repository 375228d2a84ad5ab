"""A client of the Confluent dialect for tests: real requests through every layer of Django."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.test import Client

if TYPE_CHECKING:
    from collections.abc import Callable

V1 = "application/vnd.schemaregistry.v1+json"
PROBE: dict[str, Any] = {"type": "record", "name": "Probe", "fields": [{"name": "id", "type": "long"}]}


def record(*fields: object, name: str = "R", **members: object) -> dict[str, Any]:
    """Make a record schema; a bare text is an int field without default."""
    made = [{"name": one, "type": "int"} if isinstance(one, str) else one for one in fields]
    return {"type": "record", "name": name, "fields": made, **members}


def optional(name: str) -> dict[str, Any]:
    """Make a field with a default: adding it breaks no reader."""
    return {"name": name, "type": "int", "default": 0}


def segment(subject: str) -> str:
    """Quote a subject as the Python client does."""
    return quote(subject, safe="")


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: Any
    headers: dict[str, str]
    raw: bytes

    @property
    def code(self) -> int:
        """The error code of the dialect."""
        return int(self.body["error_code"])

    @property
    def error(self) -> tuple[int, int]:
        """Status and error code."""
        return self.status, self.code


# Told of every call: method, path with its query, and what came back.
LISTENERS: list[Callable[[str, str, Answer], None]] = []


@dataclass(frozen=True)
class Registry:
    """One namespace, called with one token."""

    token: str
    prefix: str = "/sr/north/default"
    new_members: bool = False

    def with_new_members(self) -> Registry:
        """Call as clients of the 8.x line do."""
        return replace(self, new_members=True)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request; ``body`` is sent as JSON unless it is bytes."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Accept": V1, **_named(headers)}
        if self.new_members:
            sent["Confluent-Accept-Unknown-Properties"] = "true"
        content_type = sent.pop("Content-Type", V1)
        response = _django().generic(
            method, self.prefix + path, data, content_type=content_type, headers=_given(sent)
        )
        answer = _answer(response)
        for hear in LISTENERS:
            hear(method, path, answer)
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        """Read."""
        return self.call("GET", path, **headers)

    def ok(self, method: str, path: str, body: object = None) -> Any:
        """Send a request that must succeed and return its value."""
        answer = self.call(method, path, body)
        assert answer.status == 200, answer.raw
        return answer.body

    def register(self, subject: str, schema: object, *, query: str = "", **members: Any) -> Answer:
        """Register a schema given as a value."""
        path = f"/subjects/{segment(subject)}/versions{query}"
        return self.call("POST", path, {"schema": json.dumps(schema), **members})

    def registered(self, subject: str, schema: object, **members: Any) -> int:
        """Register a schema, which must succeed, and return its id."""
        answer = self.register(subject, schema, **members)
        assert answer.status == 200, answer.raw
        return int(answer.body["id"])

    def look_up(self, subject: str, schema: object, *, query: str = "", **members: object) -> Answer:
        """Look a schema up."""
        path = f"/subjects/{segment(subject)}{query}"
        return self.call("POST", path, {"schema": json.dumps(schema), **members})

    def check(self, path: str, schema: object, **members: object) -> Answer:
        """Ask whether a schema is compatible; ``path`` begins at the subject."""
        return self.call("POST", f"/compatibility/subjects/{path}", {"schema": json.dumps(schema), **members})

    def versions(self, subject: str, query: str = "") -> Any:
        """List the versions of a subject."""
        return self.ok("GET", f"/subjects/{segment(subject)}/versions{query}")

    def delete(self, path: str) -> Answer:
        """Delete."""
        return self.call("DELETE", path)

    def level(self, subject: str, level: str) -> None:
        """Set the level of a subject."""
        self.ok("PUT", f"/config/{segment(subject)}", {"compatibility": level})

    def mode(self, subject: str, mode: str, query: str = "") -> None:
        """Set the mode of a subject."""
        self.ok("PUT", f"/mode/{segment(subject)}{query}", {"mode": mode})


@cache
def _django() -> Client:
    """One client for all: each new one would load every middleware anew."""
    return Client()


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def _given(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if value}


def _answer(response: Any) -> Answer:
    raw = response.content
    body = json.loads(raw) if raw and raw[:1] in b'[{0123456789"ntf' else None
    return Answer(response.status_code, body, dict(response.headers), raw)
