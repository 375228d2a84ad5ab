"""Asking for checks over the native API and following them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.test import Client

if TYPE_CHECKING:
    from tests.registry.client import Registry

CHECKS = "/api/v1/tenants/{tenant}/namespaces/default/checks"


def ask(api: Registry, candidate: object, *, tenant: str = "north", **members: object) -> Any:
    """Ask for a check of a schema given as a value."""
    body = {"subject": "s", "schema": json.dumps(candidate), **members}
    return send(api, json.dumps(body).encode(), tenant=tenant)


def send(api: Registry, body: bytes, *, tenant: str = "north") -> Any:
    """Ask with a body as it is."""
    return Client().post(
        CHECKS.format(tenant=tenant), body, content_type="application/json", headers=_headers(api)
    )


def follow(api: Registry, where: str) -> Any:
    """Look where a check stands."""
    return Client().get(where, headers=_headers(api))


def cancel(api: Registry, where: str) -> Any:
    """Cancel a check."""
    return Client().delete(where, headers=_headers(api))


def _headers(api: Registry) -> dict[str, str]:
    return {"Authorization": f"Bearer {api.token}"}
