"""Calling the native API about policies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.test import Client

if TYPE_CHECKING:
    from collections.abc import Mapping

TENANT = "/api/v1/tenants/north"
NAMESPACE = f"{TENANT}/namespaces/default"
YAML = "application/yaml"


@dataclass(frozen=True)
class Native:
    """The native API of *north*, called with one token."""

    token: str

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send a request; a text is sent as YAML, anything else as JSON."""
        kind, data = (YAML, body.encode()) if isinstance(body, str) else ("application/json", _json(body))
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": f"Bearer {self.token}", **named}
        return Client().generic(method, path, data, content_type=kind, headers=sent)

    def ok(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send a request that must succeed and return its value."""
        answer = self.call(method, path, body, **headers)
        assert answer.status_code < 300, answer.content
        return json.loads(answer.content) if answer.content else None

    def create(self, text: str | Mapping[str, Any]) -> Any:
        """Store a new policy."""
        return self.ok("POST", f"{TENANT}/policies", text)

    def replace(self, name: str, text: str | Mapping[str, Any], version: int) -> Any:
        """Ask for the next version of a policy."""
        return self.call("PUT", f"{TENANT}/policies/{name}", text, If_Match=f'"{version}"')

    def bind(self, name: str, place: str = f"{NAMESPACE}/policy-binding") -> Any:
        """Bind a policy, whatever is bound there."""
        return self.ok("PUT", place, {"policy": name}, If_Match="*")

    def enforce(self, text: str | Mapping[str, Any], place: str = f"{NAMESPACE}/policy-binding") -> Any:
        """Store a policy and bind it."""
        return self.bind(self.create(text)["name"], place)

    def in_force(self, subject: str, query: str = "") -> Any:
        """Return the policy in force for a subject."""
        return self.ok("GET", f"{NAMESPACE}/subjects/{subject}/policy{query}")


def subject_place(subject: str) -> str:
    """Return the address of the binding of a subject."""
    return f"{NAMESPACE}/subjects/{subject}/policy-binding"


def prefix_place(prefix: str) -> str:
    """Return the address of the binding of a prefix."""
    return f"{NAMESPACE}/prefixes/{prefix}/policy-binding"


def _json(body: object) -> bytes:
    return b"" if body is None else json.dumps(body).encode()
