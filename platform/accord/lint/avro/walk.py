"""The nodes of an Avro schema in the order of its text: what lint rules look at, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.formats.avro.elements import own_types
from accord.formats.avro.model import Enum, Fixed, Record, Union
from accord.lint.avro.nodes import EnumNode, FieldNode, TypeNode, UnionNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats import ParsedSchema
    from accord.formats.avro.schema import AvroSchema


def nodes(schema: ParsedSchema) -> Iterator[object]:
    """Yield the types that the text itself writes, their fields and the unions."""
    for node, path in own_types(cast("AvroSchema", schema)):
        if isinstance(node, Record | Enum | Fixed):
            yield TypeNode(path, node)
        if isinstance(node, Record):
            fields = enumerate(node.fields)
            yield from (FieldNode((*path, "fields", str(at)), field) for at, field in fields)
        elif isinstance(node, Enum):
            yield EnumNode(path, node)
        elif isinstance(node, Union):
            yield UnionNode(path, node)
