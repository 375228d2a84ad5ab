"""Every answer of the native and the descriptor API that a test sees is held against its OpenAPI document.

A document says which statuses, types, members, codes, headers and parameters of the query there are; what
it leaves out must not be answered, so that it cannot fall behind.
"""

from __future__ import annotations

import json
import os
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from accord_server.kit.paths import NATIVE_PREFIX, is_descriptor_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

Json = dict[str, Any]

PROBLEM = "application/problem+json"
ANY_PROBLEM = {
    "native": {"$ref": "#/components/schemas/Problem"},
    "descriptors": {"$ref": "#/components/schemas/DescriptorProblem"},
}
# The tests whose refusals are held by their codes too; elsewhere a refusal is held as a problem document.
EXACT = (
    "tests/contract/",
    "tests/tenants/api/",
    "tests/registry/descriptors/",
    "tests/registry/native/",
    "tests/registry/webhooks/",
)
REFUSED = 400
# Of no operation: the address has no such method; and what no call may lead to is no promise.
OF_NO_OPERATION = frozenset({405, 500})


@pytest.fixture(scope="session", autouse=True)
def _answers_are_as_described() -> Iterator[None]:
    """Let no answer of these APIs pass that is not in the document."""
    from django.test import Client

    ask = Client.request

    def request(self: Client, **environ: Any) -> Any:
        answer: Any = ask(self, **environ)
        found = list(flaws(answer.wsgi_request, answer))
        assert not found, f"{answer.wsgi_request.method} {answer.wsgi_request.path_info}: {'; '.join(found)}"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", request)
        yield


def flaws(request: HttpRequest, answer: HttpResponse) -> Iterator[str]:
    """Say what of an answer the document does not know."""
    dialect, operation = _operation(request)
    if operation is None or answer.status_code in OF_NO_OPERATION:
        return
    if answer.status_code >= REFUSED and not os.environ.get("PYTEST_CURRENT_TEST", "").startswith(EXACT):
        yield from _flaws_of_body(dialect, {"content": {PROBLEM: {"schema": ANY_PROBLEM[dialect]}}}, answer)
        return
    described = operation["responses"].get(str(answer.status_code))
    if described is None:
        yield f"status {answer.status_code} is not in the document: {_start(answer)}"
        return
    yield from _flaws_of_body(dialect, described, answer)
    if answer.status_code < 300:
        known = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        yield from (f"parameter {name!r} is not in the document" for name in request.GET if name not in known)
        given = described.get("headers", {})
        yield from (f"header {name} is missing" for name in given if name not in answer.headers)
        yield from (
            f"header {name} is not in the document"
            for name in ("ETag", "Location")
            if name in answer.headers and name not in given
        )


def _operation(request: HttpRequest) -> tuple[str, Json | None]:
    """Return the dialect and the description of what was called; None where it is no operation of one."""
    match, method = getattr(request, "resolver_match", None), (request.method or "").lower()
    if match is None:
        return "", None
    if is_descriptor_path(request.path_info):
        template = _template(match.kwargs["path"])
        return "descriptors", _document("descriptors")["paths"].get(template, {}).get(method)
    if not request.path_info.startswith(NATIVE_PREFIX):
        return "", None
    name = f"{method}-{(match.url_name or '').removeprefix('native-')}"
    return "native", _operations().get(name)


def _template(path: str) -> str:
    """Return the address of the descriptor API that a path is matched by; nothing where it is none."""
    from registry.api.descriptors.urls import PATTERNS

    return next((template for template, pattern in PATTERNS.items() if pattern.fullmatch(path)), "")


def _flaws_of_body(dialect: str, described: Json, answer: HttpResponse) -> Iterator[str]:
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    content = described.get("content")
    if content is None:
        if answer.content:
            yield "a body is not in the document"
        return
    if kind not in content:
        yield f"type {kind!r} is not in the document"
    elif kind in {"application/json", PROBLEM}:
        body = json.loads(answer.content)
        found = _validator(dialect, json.dumps(content[kind]["schema"])).iter_errors(body)
        yield from (f"{one.json_path}: {one.message[:300]}" for one in found)


def _document(dialect: str) -> Json:
    """A document; what prints it needs Django's settings."""
    from accord_server.kit import openapi as native
    from registry.api.descriptors import openapi as descriptors

    found: Json = {"native": native, "descriptors": descriptors}[dialect].document()
    return found


@cache
def _operations() -> dict[str, Json]:
    paths = _document("native")["paths"].values()
    return {one["operationId"]: one for path in paths for one in path.values()}


@cache
def _components(dialect: str) -> Json:
    """The named shapes, which have no other members than they name: callers bear more, tests do not."""
    found: Json = deepcopy(_document(dialect)["components"])
    for one in found["schemas"].values():
        if one.get("type") == "object" and "properties" in one:
            one["additionalProperties"] = False
    return found


@cache
def _validator(dialect: str, schema: str) -> Any:
    return Draft202012Validator({**json.loads(schema), "components": _components(dialect)})


def _start(answer: HttpResponse) -> str:
    return "" if answer.streaming else answer.content[:300].decode(errors="replace")
