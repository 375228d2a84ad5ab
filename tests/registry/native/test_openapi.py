"""The OpenAPI document of the native API: of every address, and true of whatever is sent."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from openapi_spec_validator import validate

from accord_server.kit.openapi import document
from registry.api.native.urls import urlpatterns
from tests.contract.addresses import PLACE, claimed_by
from tests.openapi import hold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

# Where there is something to be found.
KNOWN = {"tenant": "north", "namespace": "default"}
METHODS = ("get", "post", "put", "patch", "delete")


def calls() -> Iterator[tuple[str, str]]:
    """Every method of every address."""
    for address in claimed_by("native"):
        view: Any = address.view
        path = "/" + PLACE.sub(r"{\1}", address.pattern.removeprefix("api/v1/"))
        yield from ((method, path) for method in METHODS if hasattr(view.view_class, method))


CALLS = list(calls())


@cache
def pinned() -> dict[str, Any]:
    """The document for one namespace."""
    found: dict[str, Any] = json.loads(json.dumps(document()))
    for operations in found["paths"].values():
        for operation in operations.values():
            for one in operation.get("parameters", ()):
                one["schema"] = {"const": KNOWN[one["name"]]} if one["name"] in KNOWN else one["schema"]
    return found


@pytest.mark.parametrize(("method", "path"), CALLS, ids=[" ".join(call) for call in CALLS])
def test_every_method_of_every_view_says_what_it_gives(method: str, path: str) -> None:
    """Declare ``answers`` on the view (see `accord_server.kit.operations` and any view beside it)."""
    (view,) = {
        address.view.view_class  # type: ignore[attr-defined]  # views are classes here
        for address in claimed_by("native")
        if "/" + PLACE.sub(r"{\1}", address.pattern.removeprefix("api/v1/")) == path
    }
    assert method.upper() in view.answers, f"{view.__name__} lacks answers[{method.upper()!r}]"


def test_it_is_made_without_a_warning_and_is_valid() -> None:
    document.cache_clear()
    validate(document())
    assert not GENERATOR_STATS


def test_every_call_is_in_it_and_nothing_else() -> None:
    described = {(method, path) for path, operations in document()["paths"].items() for method in operations}
    assert described == set(CALLS)
    assert len(urlpatterns) == len(document()["paths"])


def test_it_is_served_to_everybody(client: Client) -> None:
    assert client.get("/api/v1/openapi.json").json() == document()


def test_a_body_is_described_by_what_checks_it() -> None:
    verdict = "/tenants/{tenant}/namespaces/{namespace}/subjects/{subject}/verdict"
    shapes = document()["components"]["schemas"]
    sent = document()["paths"][verdict]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = shapes[sent["$ref"].rpartition("/")[2]]
    members = body["properties"]
    assert (body["required"], body["additionalProperties"]) == (["schema"], False)
    assert members["format"] == {"enum": ["AVRO", "JSON", "PROTOBUF"], "type": "string", "default": "AVRO"}
    assert members["normalize"] == {"type": "boolean", "default": False}
    references = members["references"]
    reference = shapes[references["items"]["$ref"].rpartition("/")[2]]
    assert (references["maxItems"], reference["required"]) == (500, ["name", "subject", "version"])
    version = reference["properties"]["version"]
    assert version == {"type": "integer", "minimum": -1, "maximum": 2**31 - 1}


@pytest.mark.parametrize(("method", "path"), CALLS, ids=[" ".join(call) for call in CALLS])
def test_every_answer_is_as_it_says(alice: Actor, token_for: TokenFor, method: str, path: str) -> None:
    hold(pinned(), method, path, token_for(alice))
