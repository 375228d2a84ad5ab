"""Calls of the Confluent dialect over the network, to processes of their own."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from tests.registry.client import V1

PATIENCE_S = 60


@dataclass(frozen=True)
class Told:
    """What came back, and after how many seconds."""

    status: int
    retry_after: str | None
    body: Any
    seconds: float


@dataclass(frozen=True)
class Distant:
    """One namespace behind an address, called with one token."""

    base: str
    token: str

    def call(self, path: str, body: object = None) -> Told:
        """Read, or send a value."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": V1}
        request = urllib.request.Request(self.base + path, data, headers)
        started = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                status, after, raw = answer.status, None, answer.read()
        except urllib.error.HTTPError as error:
            status, after, raw = error.code, error.headers["Retry-After"], error.read()
        return Told(status, after, json.loads(raw), time.monotonic() - started)

    def register(self, subject: str, schema: object) -> Told:
        """Register a schema given as a value."""
        return self.call(f"/subjects/{subject}/versions", {"schema": json.dumps(schema)})

    def read(self, subject: str) -> Told:
        """Read the latest version."""
        return self.call(f"/subjects/{subject}/versions/latest")
