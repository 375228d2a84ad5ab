"""The schemas inside a JSON Schema in the order of its text: what lint rules look at, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.formats.jsonschema.content import unclosed
from accord.formats.jsonschema.keywords import inner_schemas
from accord.lint.jsonschema.nodes import RootNode, SchemaNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats import ParsedSchema
    from accord.formats.jsonschema.schema import JsonSchema


def nodes(schema: ParsedSchema) -> Iterator[object]:
    """Yield the schema as a whole, then every schema object that its text writes."""
    root = cast("JsonSchema", schema).document.value
    if not isinstance(root, dict):
        return
    yield RootNode((), root, root, unclosed(schema))
    waiting = [SchemaNode((), root, root)]
    while waiting:
        node = waiting.pop()
        yield node
        inner = [
            SchemaNode((*node.path, *steps), members, root)
            for _, steps, members in inner_schemas(node.members)
        ]
        waiting.extend(reversed(inner))
