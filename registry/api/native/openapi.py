"""The OpenAPI document of the native API: printed from its URL table and its views."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.plain_problems import PROBLEM_TYPE
from registry.api.native.body_schemas import schema_of
from tenants.api.base import PublicView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.urls import URLPattern
    from rest_framework.views import APIView

Json = dict[str, Any]

VARIABLE: Final = re.compile(r"<(\w+):(\w+)>")
KINDS: Final[dict[str, Json]] = {
    "uuid": {"type": "string", "format": "uuid"},
    "int": {"type": "integer", "minimum": 0},
}
TEXT: Final[Json] = {"type": "string"}
METHODS: Final = ("get", "post", "put", "patch", "delete")
WITH_BODY: Final = frozenset({"post", "put", "patch"})
# What may become of a call, by whether somebody is asked who they are and whether there is a body.
BY_ANY_CALL: Final = (200, 400, 404, 406, 422, 503)
BELOW_A_TENANT: Final = (401, 403)
BY_A_CHANGE: Final = (201, 202, 204, 409, 412, 413, 415, 428, 429)
BY_A_READ: Final = (304,)
WITHOUT_BODY: Final = frozenset({204, 304})
# What a parser reads itself: policies, and lines of an export.
READ_BY_PARSERS: Final[Json] = {"type": "object"}
PROBLEM: Final[Json] = {
    "type": "object",
    "required": ["type", "title", "status", "code"],
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "code": TEXT,
        "request_id": TEXT,
    },
}


def document(patterns: Iterable[URLPattern]) -> Json:
    """Return the OpenAPI document of these patterns, below ``/api/v1/``."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Accord", "version": "1"},
        "servers": [{"url": "/api/v1"}],
        "security": [{"bearer": []}],
        "paths": {"/" + VARIABLE.sub(r"{\2}", str(one.pattern)): dict(_operations(one)) for one in patterns},
        "components": {
            "schemas": {"Problem": PROBLEM},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operations(pattern: URLPattern) -> Iterator[tuple[str, Json]]:
    view = pattern.callback.view_class  # type: ignore[attr-defined]  # every view here is a class
    for method in METHODS:
        handler = getattr(view, method, None)
        if handler is not None:
            yield method, _operation(pattern, view, method)


def _operation(pattern: URLPattern, view: type[APIView], method: str) -> Json:
    described: Json = {
        "operationId": f"{method}-{pattern.name}",
        "summary": _first_line(getattr(view, method)) or _first_line(view),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": KINDS.get(kind, TEXT)}
            for kind, name in VARIABLE.findall(str(pattern.pattern))
        ],
        "responses": {str(status): _response(status, view) for status in _statuses(view, method)},
    }
    if issubclass(view, PublicView):
        described["security"] = []
    else:
        described["x-right"] = view.rights[method.upper()]  # type: ignore[attr-defined]  # of every other view
    if method in WITH_BODY:
        read = getattr(view, "bodies", {}).get(method.upper())
        schema = READ_BY_PARSERS if read is None else schema_of(read())
        described["requestBody"] = {"content": {kind: {"schema": schema} for kind in _read_by(view)}}
    return described


def _statuses(view: type[APIView], method: str) -> list[int]:
    found = [*BY_ANY_CALL, *(() if issubclass(view, PublicView) else BELOW_A_TENANT)]
    return sorted([*found, *(BY_A_READ if method == "get" else BY_A_CHANGE)])


def _response(status: int, view: type[APIView]) -> Json:
    if status in WITHOUT_BODY:
        return {"description": HTTPStatus(status).phrase}
    if status >= HTTPStatus.BAD_REQUEST:
        problem = {"$ref": "#/components/schemas/Problem"}
        return {"description": HTTPStatus(status).phrase, "content": {PROBLEM_TYPE: {"schema": problem}}}
    content: Json = {str(one.media_type): {} for one in view.renderer_classes}
    return {"description": _first_line(view), "content": content}


def _read_by(view: type[APIView]) -> list[str]:
    return [str(one.media_type) for one in view.parser_classes]


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").partition("\n")[0]
