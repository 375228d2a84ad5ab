"""The named elements of a Protobuf file, for requirements on names and docs.

A message is a record, an enum value a symbol, an extension a field like any other, and the package is the
namespace, told once with the first type. What protoc makes of a map field is nobody's type. A doc is the
comment in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from accord.formats.elements import Element, ElementKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.parsed import ParsedSchema
    from accord.formats.protobuf import model
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.module_schema import ModuleSchema
    from accord.formats.protobuf.schema import ProtobufSchema

    Node: TypeAlias = model.Message | model.Enum | model.Value | Field


def elements(schema: ParsedSchema) -> Iterator[Element]:
    """Yield the messages, fields, enums and values of the file that a schema is about; not its imports."""
    return file_elements(cast("ProtobufSchema | ModuleSchema", schema).root.root)


def file_elements(file: model.File) -> Iterator[Element]:
    """Yield the messages, fields, enums and values of one file; their paths begin with that of the file."""
    messages = [one for one in file.all_messages if not one.is_map_entry]
    for message in messages:
        yield _element(ElementKind.RECORD, message, file, file.package if message is messages[0] else None)
        yield from (_element(ElementKind.FIELD, field, file) for field in message.fields)
    yield from (_element(ElementKind.FIELD, field, file) for field in file.all_extensions)
    for enum in file.all_enums:
        is_first = not messages and enum is file.all_enums[0]
        yield _element(ElementKind.ENUM, enum, file, file.package if is_first else None)
        yield from (_element(ElementKind.SYMBOL, value, file) for value in enum.values)


def _element(kind: ElementKind, node: Node, file: model.File, namespace: str | None = None) -> Element:
    comment = "" if file.source is None else file.source.comment(node.steps)
    return Element(kind, node.name, node.at, namespace, bool(comment.strip()))
