"""The OpenAPI document of the native API: of every address, and true of whatever is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from registry.api.native.openapi import document
from registry.api.native.urls import urlpatterns
from tests.openapi import hold

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

DOCUMENT = document(urlpatterns)
CALLS = [(method, path) for path, operations in DOCUMENT["paths"].items() for method in operations]
# Where there is something to be found.
KNOWN = {"tenant": "north", "namespace": "default"}


def pinned() -> dict[str, Any]:
    """The document for one namespace."""
    found: dict[str, Any] = json.loads(json.dumps(DOCUMENT))
    for operations in found["paths"].values():
        for operation in operations.values():
            for one in operation["parameters"]:
                one["schema"] = {"const": KNOWN[one["name"]]} if one["name"] in KNOWN else one["schema"]
    return found


def test_it_is_served_to_everybody(client: Client) -> None:
    assert client.get("/api/v1/openapi.json").json() == DOCUMENT


def test_every_address_is_in_it() -> None:
    assert len(DOCUMENT["paths"]) == len(urlpatterns)
    for path in ("/rules/{rule}", "/tenants/{tenant}/namespaces/{namespace}/subjects/{subject}/verdict"):
        assert path in DOCUMENT["paths"]


def test_a_body_is_described_by_what_checks_it() -> None:
    verdict = "/tenants/{tenant}/namespaces/{namespace}/subjects/{subject}/verdict"
    body = DOCUMENT["paths"][verdict]["post"]["requestBody"]["content"]["application/json"]["schema"]
    members = body["properties"]
    assert (body["required"], body["additionalProperties"]) == (["schema"], False)
    assert members["format"] == {"enum": ["AVRO", "JSON", "PROTOBUF"], "default": "AVRO"}
    assert members["normalize"] == {"type": "boolean", "default": False}
    references = members["references"]
    assert (references["maxItems"], references["items"]["required"]) == (500, ["name", "subject", "version"])
    version = references["items"]["properties"]["version"]
    assert version == {"type": "integer", "minimum": -1, "maximum": 2**31 - 1}


@pytest.mark.parametrize(("method", "path"), CALLS, ids=[" ".join(call) for call in CALLS])
def test_every_answer_is_as_it_says(alice: Actor, token_for: TokenFor, method: str, path: str) -> None:
    hold(pinned(), method, path, token_for(alice))
