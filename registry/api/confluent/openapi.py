"""The OpenAPI document of the dialect: printed from its routes and what `operations` says of them."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from accord_server.kit.examples import add_examples
from registry.api.confluent.negotiation import PRODUCED
from registry.api.confluent.operations import (
    COMPONENTS,
    NUMBER,
    OPERATIONS,
    PARAMETERS,
    TEXT,
    WARNED,
    listed,
    ref,
)
from registry.api.life_headers import DEPRECATION, WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from registry.api.confluent.operations import Json, Operation
    from registry.api.confluent.urls import Route

VARIABLE: Final = re.compile(r"{(\w+)}")
VARIABLES: Final = {"id": NUMBER}
PLAIN: Final = frozenset({"string", "integer", "object"})
# What any call may meet: no token, no such namespace or number, a type we cannot write, too many requests, a
# failing database.
BY_ANY_CALL: Final = (401, 404, 406, 429, 503)
# What a body may meet besides: it is no JSON or of the wrong shape, too long, of another type, empty.
BY_A_BODY: Final = (400, 413, 415, 422)
# Only where what is answered is deprecated or disabled.
LIFE_HEADERS: Final[Json] = {
    DEPRECATION: {
        "description": "Since when the version is deprecated or disabled: `@` and a Unix time (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    WARNING: {"description": "The same in words, with the code 299.", "schema": TEXT},
}
SECURITY: Final = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {"type": "http", "scheme": "basic", "description": "The token is the password."},
}


def document(routes: Iterable[Route]) -> Json:
    """Return the OpenAPI document of these routes, below the address of a namespace."""
    paths: dict[str, Json] = {}
    for route in routes:
        operation = OPERATIONS[route.method, route.template]
        paths.setdefault(route.template, {})[route.method.lower()] = _operation(route, operation)
    made: Json = {
        "openapi": "3.1.0",
        "info": {"title": "Accord: Confluent interface", "version": "1"},
        "servers": [
            {
                "url": "/sr/{tenant}/{namespace}",
                "variables": {"tenant": {"default": "tenant"}, "namespace": {"default": "default"}},
            }
        ],
        "security": [{name: []} for name in SECURITY],
        "paths": paths,
        "components": {"schemas": dict(COMPONENTS), "securitySchemes": SECURITY},
    }
    return add_examples(made)


def statuses(route: Route) -> list[int]:
    """Return every status below 500, and 503, that a route can answer with."""
    operation = OPERATIONS[route.method, route.template]
    found = {200, *BY_ANY_CALL, *(code // 100 for code in operation.codes)}
    if route.method == "DELETE":
        found.add(204)
    if route.right:
        found.add(403)
    if route.method not in {"GET", "DELETE"}:
        found.add(415)
    if operation.body:
        found |= {*BY_A_BODY}
    if "key" in operation.query:
        found.add(400)
    return sorted(found)


def _operation(route: Route, operation: Operation) -> Json:
    name = f"{route.method.lower()}{''.join(word.title() for word in re.findall(r'[a-z]+', route.template))}"
    described: Json = {
        "operationId": name,
        "summary": operation.summary,
        "parameters": [*_variables(route.template), *map(_parameter, operation.query)],
        "responses": {str(status): _response(operation, status) for status in statuses(route)},
    }
    if (route.method, route.template) in WARNED:
        described["responses"]["200"]["headers"] = LIFE_HEADERS
    if route.right:
        described["x-right"] = route.right
    if operation.body:
        content = {kind: {"schema": ref(operation.body)} for kind in PRODUCED}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _variables(template: str) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": VARIABLES.get(name, TEXT)}
        for name in VARIABLE.findall(template)
    ]


def _parameter(name: str) -> Json:
    schema, sentence = PARAMETERS[name]
    return {"name": name, "in": "query", "schema": schema, "description": sentence}


def _response(operation: Operation, status: int) -> Json:
    if status == HTTPStatus.NO_CONTENT:
        return {"description": "Done; there is nothing to say."}
    if status == HTTPStatus.OK:
        return {"description": operation.summary, "content": _content(_answer(operation.answer))}
    codes = [code for code in operation.codes if code // 100 == status]
    words = HTTPStatus(status).phrase + (f": {', '.join(map(str, codes))}" if codes else "")
    return {"description": words, "content": _content(ref("Error"))}


def _answer(name: str) -> Json:
    """Return the schema of an answer; the text of a schema may be any JSON, or Protobuf."""
    if name == "text":
        return {}
    if name in PLAIN:
        return {"type": name}
    if name.startswith("["):
        inner = name[1:-1]
        return {"type": "array", "items": {"type": inner}} if inner in PLAIN else listed(inner)
    return ref(name)


def _content(schema: Json) -> Json:
    return {kind: {"schema": schema} for kind in PRODUCED}
