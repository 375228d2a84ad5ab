"""The pages of the reference of the native API, made from its OpenAPI document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse

from accord_server.kit.openapi import document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]

LONGEST_SEARCH: Final = 200
# Shapes hold shapes; what lies deeper is in the document itself.
DEEPEST: Final = 4
BADGES: Final = {"get": "pass", "post": "info", "put": "warn", "patch": "warn", "delete": "fail"}
BOUNDS: Final = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "minimum": "from {}",
    "maximum": "to {}",
    "pattern": "like {}",
    "default": "unless given {}",
}
OK: Final = 300


@dataclass(frozen=True, slots=True)
class Row:
    """A parameter, a header, or a member of a body: its name, what it is, and what it is for."""

    name: str
    kind: str
    notes: str
    is_required: bool
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What is answered with one status: types, members, headers; or the codes of problems."""

    status: str
    sentence: str
    types: tuple[str, ...]
    members: tuple[Row, ...]
    headers: tuple[Row, ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    id: str
    method: str
    path: str
    summary: str
    group: str
    right: str

    @property
    def url(self) -> str:
        """The page about it."""
        return reverse("frontend:api-operation", args=[self.id])

    @property
    def badge(self) -> str:
        """How its method is coloured."""
        return BADGES[self.method.lower()]

    def answers(self, words: Iterable[str]) -> bool:
        """Tell whether all words are said of it."""
        said = f"{self.method} {self.path} {self.summary} {self.group} {self.right} {self.id}".lower()
        return all(word in said for word in words)


@dataclass(frozen=True, slots=True)
class Group:
    """Operations about the same."""

    name: str
    key: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class ReferencePage:
    """The operations that answer a search, group by group."""

    query: str
    groups: tuple[Group, ...]
    found: int
    total: int
    document_url: str


@dataclass(frozen=True, slots=True)
class OperationPage:
    """One operation with all that there is to know of it."""

    operation: Operation
    parameters: tuple[Row, ...]
    body_types: tuple[str, ...]
    body: tuple[Row, ...]
    command: str
    given: tuple[Given, ...]
    refusals: tuple[Given, ...]


def reference_page(query: str) -> ReferencePage:
    """Return the operations of which every word of the search is said."""
    query = query[:LONGEST_SEARCH].strip()
    every = _operations()
    found = [one for one in every if one.answers(query.lower().split())]
    groups = tuple(
        Group(name, name.replace(" ", "-"), tuple(rows))
        for name, rows in groupby(sorted(found, key=lambda one: one.group), key=lambda one: one.group)
    )
    return ReferencePage(query, groups, len(found), len(every), reverse("native-openapi"))


def operation_page(name: str, origin: str) -> OperationPage | None:
    """Return what there is to know of an operation; None where there is none of the name.

    ``origin`` is where the API is, such as ``https://registry.example.org``.
    """
    operation = next((one for one in _operations() if one.id == name), None)
    if operation is None:
        return None
    described: Json = document()["paths"][operation.path][operation.method.lower()]
    parameters = tuple(_parameter(one) for one in described.get("parameters", ()))
    body = described.get("requestBody", {}).get("content", {})
    schema = _schema_in(body)
    given = tuple(_given(status, one) for status, one in described["responses"].items())
    return OperationPage(
        operation=operation,
        parameters=parameters,
        body_types=tuple(body),
        body=tuple(_members(schema)),
        command=_command(operation, described, schema, origin),
        given=tuple(one for one in given if int(one.status) < OK or not one.codes),
        refusals=tuple(one for one in given if one.codes),
    )


@cache
def _operations() -> tuple[Operation, ...]:
    return tuple(
        Operation(
            described["operationId"],
            method.upper(),
            path,
            described["summary"],
            described["tags"][0],
            described.get("x-right", ""),
        )
        for path, operations in document()["paths"].items()
        for method, described in operations.items()
    )


def _parameter(one: Json) -> Row:
    schema = one["schema"]
    return Row(
        one["name"],
        f"{one['in']}, {_kind(schema)}",
        _notes(schema),
        one.get("required", False),
        one.get("description", ""),
    )


def _given(status: str, one: Json) -> Given:
    content = one.get("content", {})
    schema = _schema_in(content)
    codes = tuple(schema["allOf"][1]["properties"]["code"]["enum"]) if "allOf" in schema else ()
    headers = tuple(
        _parameter({"name": name, "in": "header", "required": True, **header})
        for name, header in one.get("headers", {}).items()
    )
    members = () if codes else tuple(_members(schema))
    return Given(status, one.get("description", ""), tuple(content), members, headers, codes)


def _schema_in(content: Json) -> Json:
    """Return the schema of a body, the same for each of its types; JSON stands first."""
    first: Json = next(iter(content.values())) if content else {}
    found: Json = first.get("schema", {})
    return found


def _members(schema: Json, before: str = "", depth: int = 0) -> Iterator[Row]:
    """Walk down the members of a schema; ``before`` is the way to it."""
    schema = _resolved(schema)
    for choice in schema.get("anyOf", ()):
        yield from _members(choice, before, depth)
    if schema.get("type") == "array":
        yield from _members(schema["items"], f"{before}[]", depth)
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict) and depth < DEEPEST:
        yield from _members(rest, f"{before}.*" if before else "*", depth + 1)
    required = schema.get("required", ())
    for name, member in schema.get("properties", {}).items() if depth < DEEPEST else ():
        path = f"{before}.{name}" if before else name
        inner = _resolved(member)
        yield Row(path, _kind(member), _notes(inner), name in required, member.get("description", ""))
        yield from _members(member, path, depth + 1)


def _resolved(schema: Json) -> Json:
    """Return what a reference leads to."""
    if "$ref" not in schema:
        return schema
    found: Json = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _kind(schema: Json) -> str:
    """Return in words what a value is."""
    schema = _resolved(schema)
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(dict.fromkeys(map(_kind, schema.get("anyOf") or schema["oneOf"])))
    if "enum" in schema:
        return "one of"
    if "const" in schema:
        return json.dumps(schema["const"])
    kind = schema.get("type", "anything")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    if kind == "array":
        return f"list of {_kind(schema['items'])}"
    return f"{words} ({schema['format']})" if "format" in schema else words


def _notes(schema: Json) -> str:
    bounds = [words.format(schema[name]) for name, words in BOUNDS.items() if name in schema]
    values = ", ".join(map(str, schema.get("enum", ())))
    return "; ".join(filter(None, [values, *bounds]))


def _command(operation: Operation, described: Json, schema: Json, origin: str) -> str:
    """Return a call as one types it; what is in capitals is to be filled in."""
    path = operation.path.replace("{", "").replace("}", "")
    for name in (one["name"] for one in described.get("parameters", ()) if one["in"] == "path"):
        path = path.replace(f"/{name}", f"/{name.upper()}", -1) if f"{{{name}}}" in operation.path else path
    lines = [f"curl {origin}/api/v1{path}"]
    if operation.method != "GET":
        lines[0] = f"curl -X {operation.method} {origin}/api/v1{path}"
    if described.get("security"):
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if any(one["name"] == "If-Match" and one.get("required") for one in described.get("parameters", ())):
        lines.append("-H 'If-Match: \"1\"'")
    if schema.get("$ref"):
        lines += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(_example(schema))}'"]
    return " \\\n  ".join(lines)


def _example(schema: Json) -> Any:  # noqa: ANN401  # any value of JSON
    """Return the smallest value that says all that must be said."""
    schema = _resolved(schema)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema or "oneOf" in schema:
        return _example((schema.get("anyOf") or schema["oneOf"])[0])
    kinds = schema.get("type", "string")
    match kinds if isinstance(kinds, str) else kinds[0]:
        case "object":
            members = schema.get("properties", {})
            return {name: _example(members[name]) for name in schema.get("required", ())}
        case "array":
            return [_example(schema["items"])]
        case "integer":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
    return "…"
