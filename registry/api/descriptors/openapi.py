"""The OpenAPI document of the dialect: printed from its routes and what `operations` says of them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from accord_server.kit import shapes
from accord_server.kit.examples import add_examples
from accord_server.kit.openapi import BELOW_A_TENANT, BY_A_BODY, BY_ANY_CALL, refusals
from accord_server.kit.operations import JSON_TYPE, TEXT
from accord_server.kit.plain_problems import PROBLEM_TYPE
from registry.api.descriptors.calls import RAW_TYPES
from registry.api.descriptors.operations import OPERATIONS, PLACE
from registry.api.descriptors.shapes import DescriptorProblem
from registry.api.descriptors.urls import ROUTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.operations import Query
    from registry.api.descriptors.operations import Json, Operation
    from registry.api.descriptors.urls import Route

    Named = Callable[[type], Json]

VARIABLE: Final = re.compile(r"{(\w+)}")
VARIABLES: Final = {"version": PLACE}
TAG: Final[Json] = {"type": "string", "pattern": '^"[0-9a-f-]+"$'}
BYTES: Final[Json] = {"type": "string", "format": "binary"}


@cache
def document() -> Json:
    """Return the document; it is the same for as long as the process lives."""
    schemas: dict[str, Json] = {}

    def named(shape: type) -> Json:
        if shape.__name__ not in schemas:
            schemas[shape.__name__] = {}
            schemas[shape.__name__] = shapes.members_of(shape, named)
        return {"$ref": f"#/components/schemas/{shape.__name__}"}

    paths: dict[str, Json] = {}
    for route in ROUTES:
        paths.setdefault(route.template, {})[route.method.lower()] = _operation(route, named)
    variables = {"tenant": {"default": "tenant"}, "namespace": {"default": "default"}}
    made: Json = {
        "openapi": "3.1.0",
        "info": {"title": "Accord: descriptor sets", "version": "1"},
        "servers": [{"url": "/sr/{tenant}/{namespace}/descriptors", "variables": variables}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }
    return add_examples(made)


def codes(route: Route) -> set[str]:
    """Return the codes of all problems that a call may meet."""
    operation = OPERATIONS[route.view]
    found = {*BY_ANY_CALL, *BELOW_A_TENANT, *operation.codes}
    return found | {*BY_A_BODY} if operation.body else found


def _operation(route: Route, named: Named) -> Json:
    operation = OPERATIONS[route.view]
    name = route.view.__name__.replace("_", "-")
    described: Json = {
        "operationId": f"descriptors-{name}",
        "summary": operation.summary,
        "tags": [route.template.split("/")[1]],
        "x-right": route.right,
        "parameters": [*_variables(route.template), *map(_parameter, operation.query), *_known(operation)],
        "responses": dict(_responses(route, operation, named)),
    }
    if operation.body:
        described["requestBody"] = {"required": True, "content": _body(operation, named)}
    return described


def _variables(template: str) -> Iterator[Json]:
    for name in VARIABLE.findall(template):
        yield {"name": name, "in": "path", "required": True, "schema": VARIABLES.get(name, TEXT)}


def _parameter(query: Query) -> Json:
    described = {"name": query.name, "in": "query", "schema": query.schema, "description": query.sentence}
    return {**described, "required": True} if query.is_required else described


def _known(operation: Operation) -> Iterator[Json]:
    if operation.is_kept:
        words = "The ETag that the caller has."
        yield {"name": "If-None-Match", "in": "header", "schema": TEXT, "description": words}


def _body(operation: Operation, named: Named) -> Json:
    kinds = [named(one) for one in operation.body]
    content = {JSON_TYPE: {"schema": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}}
    if operation.is_upload:
        content |= {kind: {"schema": BYTES} for kind in sorted(RAW_TYPES - {""})}
    return content


def _responses(route: Route, operation: Operation, named: Named) -> Iterator[tuple[str, Json]]:
    answer = operation.answer
    tag = {"ETag": {"description": "What this is, byte for byte.", "schema": TAG, "required": True}}
    headers = {"headers": tag} if operation.is_kept else {}
    content = {kind: {"schema": BYTES} for kind in answer.media_types}
    if answer.shape is not None:
        content = {JSON_TYPE: {"schema": shapes.schema_of(answer.shape, named)}}
    for status in (answer.status, *answer.others):
        yield str(status), {"description": operation.summary, "content": content, **headers}
    if operation.is_kept:
        yield "304", {"description": "It is as the caller knows it.", **headers}
    for status, schema, words in refusals(codes(route), named(DescriptorProblem)):
        yield str(status), {"description": words, "content": {PROBLEM_TYPE: {"schema": schema}}}
