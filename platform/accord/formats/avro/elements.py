"""The named elements of an Avro schema, for requirements on names and docs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from accord.formats.avro.model import Array, Enum, Fixed, Map, Record, Union
from accord.formats.elements import Element, ElementKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.avro.model import Named, Node
    from accord.formats.avro.schema import AvroSchema
    from accord.formats.parsed import ParsedSchema

    Tokens: TypeAlias = tuple[str, ...]


def elements(schema: ParsedSchema) -> Iterator[Element]:
    """Yield the named types, fields and symbols that the text itself writes, each once."""
    for node, path in own_types(cast("AvroSchema", schema)):
        if isinstance(node, Record | Enum | Fixed):
            yield _named(node, path)
        yield from _parts(node, path)


def own_types(schema: AvroSchema) -> Iterator[tuple[Node, Tokens]]:
    """Yield the types that the text itself writes, in its order, named ones once each."""
    seen = {named.name.full for named in schema.external.values()}
    waiting: list[tuple[Node, Tokens]] = [(schema.root, ())]
    while waiting:
        node, path = waiting.pop()
        if isinstance(node, Record | Enum | Fixed):
            if node.name.full in seen:
                continue
            seen.add(node.name.full)
        yield node, path
        waiting.extend(reversed(inner_types(node, path)))


def _named(node: Named, path: Tokens) -> Element:
    kind = ElementKind(node.kind)
    return Element(kind, node.name.simple, path, node.name.namespace or "", bool((node.doc or "").strip()))


def _parts(node: Node, path: Tokens) -> Iterator[Element]:
    if isinstance(node, Record):
        for position, field in enumerate(node.fields):
            at = (*path, "fields", str(position))
            has_doc = bool((field.doc or "").strip())
            yield Element(ElementKind.FIELD, field.name, at, is_documented=has_doc)
    if isinstance(node, Enum):
        for position, symbol in enumerate(node.symbols):
            yield Element(ElementKind.SYMBOL, symbol, (*path, "symbols", str(position)))


def inner_types(node: Node, path: Tokens) -> list[tuple[Node, Tokens]]:
    """Return the types directly inside one, with their places."""
    match node:
        case Record():
            fields = enumerate(node.fields)
            return [(field.type, (*path, "fields", str(at), "type")) for at, field in fields]
        case Array():
            return [(node.items, (*path, "items"))]
        case Map():
            return [(node.values, (*path, "values"))]
        case Union():
            return [(branch, (*path, str(at))) for at, branch in enumerate(node.branches)]
    return []
