"""What an OpenAPI document says of parameters, bodies and answers, as rows of tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.examples import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

# Shapes hold shapes; what lies deeper is in the document itself.
DEEPEST: Final = 4
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
class Shapes:
    """The named shapes of a document, and what it says by means of them."""

    components: Json

    def parameter(self, one: Json) -> Row:
        """Return a parameter or a header."""
        schema = one["schema"]
        return Row(
            one["name"],
            f"{one['in']}, {self._kind(schema)}",
            _notes(schema),
            one.get("required", False),
            one.get("description", ""),
        )

    def given(self, status: str, one: Json) -> Given:
        """Return what is answered with a status."""
        content = one.get("content", {})
        schema = schema_in(content)
        codes = tuple(schema["allOf"][1]["properties"]["code"]["enum"]) if "allOf" in schema else ()
        headers = tuple(
            self.parameter({"name": name, "in": "header", "required": True, **header})
            for name, header in one.get("headers", {}).items()
        )
        members = () if codes else tuple(self.members(schema))
        return Given(status, one.get("description", ""), tuple(content), members, headers, codes)

    def members(self, schema: Json, before: str = "", depth: int = 0) -> Iterator[Row]:
        """Walk down the members of a schema; ``before`` is the way to it."""
        schema = resolved(schema, self.components)
        for choice in schema.get("anyOf", ()):
            yield from self.members(choice, before, depth)
        if schema.get("type") == "array":
            yield from self.members(schema["items"], f"{before}[]", depth)
        rest = schema.get("additionalProperties")
        if isinstance(rest, dict) and depth < DEEPEST:
            yield from self.members(rest, f"{before}.*" if before else "*", depth + 1)
        required = schema.get("required", ())
        for name, member in schema.get("properties", {}).items() if depth < DEEPEST else ():
            path = f"{before}.{name}" if before else name
            inner = resolved(member, self.components)
            sentence = member.get("description", "")
            yield Row(path, self._kind(member), _notes(inner), name in required, sentence)
            yield from self.members(member, path, depth + 1)

    def _kind(self, schema: Json) -> str:
        """Return in words what a value is."""
        schema = resolved(schema, self.components)
        if "anyOf" in schema or "oneOf" in schema:
            choices = schema.get("anyOf") or schema["oneOf"]
            return " or ".join(dict.fromkeys(map(self._kind, choices)))
        if "enum" in schema:
            return "one of"
        if "const" in schema:
            return json.dumps(schema["const"])
        kind = schema.get("type", "anything")
        words = " or ".join(kind) if isinstance(kind, list) else str(kind)
        if kind == "array":
            return f"list of {self._kind(schema['items'])}"
        return f"{words} ({schema['format']})" if "format" in schema else words


def schema_in(content: Json) -> Json:
    """Return the schema of a body; JSON stands first, and other types mean the same."""
    first: Json = next(iter(content.values())) if content else {}
    found: Json = first.get("schema", {})
    return found


def _notes(schema: Json) -> str:
    bounds = [words.format(schema[name]) for name, words in BOUNDS.items() if name in schema]
    values = ", ".join(map(str, schema.get("enum", ())))
    return "; ".join(filter(None, [values, *bounds]))
