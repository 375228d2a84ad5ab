"""The pages of the reference of all interfaces, made from their OpenAPI documents."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from django.urls import reverse

from accord_server.kit.api_documents import api_documents
from accord_server.kit.examples import SAMPLES
from accord_server.kit.operations import JSON_TYPE
from frontend.pages.api_shapes import Given, Row, Shapes, schema_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]

LONGEST_SEARCH: Final = 200
BADGES: Final = {"get": "pass", "post": "info", "put": "warn", "patch": "warn", "delete": "fail"}
REFUSED: Final = 400
VARIABLE: Final = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address, in one of the documents."""

    id: str
    method: str
    path: str
    summary: str
    group: str
    right: str
    dialect: str
    prefix: str

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
        said = " ".join((self.method, self.prefix + self.path, self.summary, self.group, self.right, self.id))
        return all(word in said.lower() for word in words)


@dataclass(frozen=True, slots=True)
class Group:
    """Operations about the same."""

    name: str
    key: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Interface:
    """One dialect: where it is, its document, and those of its operations that answer a search."""

    name: str
    title: str
    prefix: str
    document_url: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class ReferencePage:
    """The operations that answer a search, interface by interface and group by group."""

    query: str
    interfaces: tuple[Interface, ...]
    found: int
    total: int


@dataclass(frozen=True, slots=True)
class OperationPage:
    """One operation with all that there is to know of it."""

    operation: Operation
    needs_token: bool
    parameters: tuple[Row, ...]
    body_types: tuple[str, ...]
    body: tuple[Row, ...]
    command: str
    given: tuple[Given, ...]
    refusals: tuple[Given, ...]


def reference_page(query: str) -> ReferencePage:
    """Return the operations of which every word of the search is said."""
    query = query[:LONGEST_SEARCH].strip()
    found = [one for one in _operations() if one.answers(query.lower().split())]
    interfaces = tuple(
        Interface(
            name,
            document["info"]["title"],
            document["servers"][0]["url"],
            reverse("frontend:api-document", args=[name]),
            _groups([one for one in found if one.dialect == name]),
        )
        for name, document in _documents().items()
    )
    return ReferencePage(query, interfaces, len(found), len(_operations()))


def operation_page(name: str, origin: str) -> OperationPage | None:
    """Return what there is to know of an operation; None where there is none of the name.

    ``origin`` is where the platform is, such as ``https://registry.example.org``.
    """
    operation = next((one for one in _operations() if one.id == name), None)
    if operation is None:
        return None
    document = _documents()[operation.dialect]
    shapes = Shapes(document["components"]["schemas"])
    described: Json = document["paths"][operation.path][operation.method.lower()]
    body = described.get("requestBody", {}).get("content", {})
    given = tuple(shapes.given(status, one) for status, one in described["responses"].items())
    needs_token = bool(described.get("security", document.get("security")))
    return OperationPage(
        operation=operation,
        needs_token=needs_token,
        parameters=tuple(shapes.parameter(one) for one in described.get("parameters", ())),
        body_types=tuple(body),
        body=tuple(shapes.members(schema_in(body))),
        command=_command(operation, described, origin, needs_token=needs_token),
        given=tuple(one for one in given if int(one.status) < REFUSED),
        refusals=tuple(one for one in given if int(one.status) >= REFUSED),
    )


def openapi_document(name: str) -> Json | None:
    """Return a document by its name in addresses; None where there is none of the name."""
    return _documents().get(name)


@cache
def _documents() -> dict[str, Json]:
    return {one.name: one.load() for one in api_documents()}


@cache
def _operations() -> tuple[Operation, ...]:
    return tuple(
        Operation(
            described["operationId"],
            method.upper(),
            path,
            described["summary"],
            described.get("tags", [path.split("/")[1]])[0] or "registry",
            described.get("x-right", ""),
            name,
            document["servers"][0]["url"],
        )
        for name, document in _documents().items()
        for path, operations in document["paths"].items()
        for method, described in operations.items()
    )


def _groups(operations: Iterable[Operation]) -> tuple[Group, ...]:
    return tuple(
        Group(name, re.sub(r"\W+", "-", name), tuple(rows))
        for name, rows in groupby(sorted(operations, key=_group_of), key=_group_of)
    )


def _group_of(operation: Operation) -> str:
    return operation.group


def _command(operation: Operation, described: Json, origin: str, *, needs_token: bool) -> str:
    """Return a call as one types it; what is in capitals is to be filled in."""
    path = VARIABLE.sub(lambda found: found[1].upper(), operation.prefix + operation.path)
    parameters = described.get("parameters", ())
    asked = [one["name"] for one in parameters if one["in"] == "query" and one.get("required")]
    query = "&".join(f"{name}={quote(str(SAMPLES.get(name, name.upper())))}" for name in asked)
    address = f"{origin}{path}?{query}" if query else f"{origin}{path}"
    method = "" if operation.method == "GET" else f"-X {operation.method} "
    lines = [f"curl {method}{shlex.quote(address)}"]
    if needs_token:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if any(one["name"] == "If-Match" and one.get("required") for one in parameters):
        lines.append("-H 'If-Match: *'")
    lines += _body_lines(described.get("requestBody", {}).get("content", {}))
    return " \\\n  ".join(lines)


def _body_lines(content: Json) -> Iterator[str]:
    """Say what is sent: the example where it is JSON, else a file."""
    if not content:
        return
    kind = JSON_TYPE if JSON_TYPE in content else next(iter(content))
    yield f"-H 'Content-Type: {kind}'"
    example = content[kind].get("example")
    words = "@FILE" if example is None else json.dumps(example, ensure_ascii=False)
    yield f"{'--data-binary' if example is None else '-d'} {shlex.quote(words)}"
