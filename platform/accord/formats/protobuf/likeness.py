"""Whether two descriptors mean the same file, and which elements of them do not.

Source info, the name of the file, JSON names that are as protoc makes them, the order in which a text is
printed and names of types that are not full make no difference. Source: descriptor.proto.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from accord.formats.protobuf.decompiling import bytes_default
from accord.formats.protobuf.descriptors import (
    FieldDescriptorProto,
    FileDescriptorProto,
    is_understood,
)
from accord.formats.protobuf.features import edition_of
from accord.formats.protobuf.fields import camel_case
from accord.formats.protobuf.legacy import forget_clashes

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from accord.formats.protobuf.descriptors import DescriptorProto, FieldDescriptor, Message, OptionReader

# What of an element is an element of its own, is told in another way, or does not matter.
ELSEWHERE: Final = frozenset(
    (
        "name",
        "source_code_info",
        "syntax",
        "edition",
        "dependency",
        "public_dependency",
        "weak_dependency",
        "option_dependency",
        "message_type",
        "nested_type",
        "enum_type",
        "service",
        "method",
        "extension",
        "field",
        "oneof_decl",
        "oneof_index",
        "json_name",
        "label",
        "type",
        "default_value",
    )
)
TYPE_NAMES: Final = frozenset(("type_name", "extendee", "input_type", "output_type"))


class _Element(NamedTuple):
    """A part of a file: what it is, its full name, itself, and the oneof of a field."""

    kind: str
    name: str
    proto: Message
    oneof: str = ""

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        return f"{self.kind} {self.name}".strip()


def differences(sent: FileDescriptorProto, made: FileDescriptorProto, reader: OptionReader) -> Iterator[str]:
    """Yield the elements that are not alike, in the order of ``sent``, with what of them is not.

    ``made`` must be as protoc made it; ``reader`` knows the options of both.
    """
    ours, theirs = _by_title(made), _by_title(sent)
    for title, elements in theirs.items():
        found = ours.pop(title, [])
        if len(found) != len(elements):
            yield title
            continue
        for one, other in zip(elements, found, strict=True):
            unlike = _unlike(_told(one, other, reader), _told(other, other, reader))
            if unlike:
                yield f"{title} ({', '.join(unlike)})"
    yield from ours


def _by_title(file: FileDescriptorProto) -> dict[str, list[_Element]]:
    bare = FileDescriptorProto()
    bare.CopyFrom(file)
    forget_clashes(bare)
    found: dict[str, list[_Element]] = {}
    for one in _elements(bare):
        found.setdefault(one.title, []).append(one)
    return found


def _unlike(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


def _elements(file: FileDescriptorProto) -> Iterator[_Element]:
    scope = f"{file.package}." if file.package else ""
    yield _Element("the file", "", file)
    yield from _types(file.message_type, file, scope)
    yield from (_Element("extension", f"{scope}{one.name}", one) for one in file.extension)
    for service in file.service:
        yield _Element("service", f"{scope}{service.name}", service)
        for method in service.method:
            yield _Element("method", f"{scope}{service.name}.{method.name}", method)


def _types(
    messages: Iterable[DescriptorProto], holder: FileDescriptorProto | DescriptorProto, scope: str
) -> Iterator[_Element]:
    yield from (_Element("enum", f"{scope}{one.name}", one) for one in holder.enum_type)
    for message in messages:
        name = f"{scope}{message.name}"
        yield _Element("message", name, message)
        yield from _members(message, f"{name}.")
        yield from _types(message.nested_type, message, f"{name}.")


def _members(message: DescriptorProto, scope: str) -> Iterator[_Element]:
    # protoc makes up a oneof for each optional field of proto3; others may call it something else.
    made_up = {one.oneof_index for one in message.field if one.proto3_optional}
    for number, oneof in enumerate(message.oneof_decl):
        if number not in made_up:
            yield _Element("oneof", f"{scope}{oneof.name}", oneof)
    for field in message.field:
        is_member = field.HasField("oneof_index") and not field.proto3_optional
        oneof_name = message.oneof_decl[field.oneof_index].name if is_member else ""
        yield _Element("field", f"{scope}{field.name}", field, oneof_name)
    yield from (_Element("extension", f"{scope}{one.name}", one) for one in message.extension)


def _told(element: _Element, like: _Element, reader: OptionReader) -> dict[str, object]:
    """Return what an element says by the names of its parts; ``like`` is what protoc made of it."""
    proto, model = element.proto, like.proto
    told = dict(_parts(proto, reader, without=ELSEWHERE))
    for name in TYPE_NAMES & told.keys():
        told[name] = _full_name(getattr(proto, name), getattr(model, name))
    if isinstance(proto, FieldDescriptorProto) and isinstance(model, FieldDescriptorProto):
        kind = proto.type if proto.HasField("type") else model.type
        told |= {"label": proto.label, "type": kind, "oneof": element.oneof}
        told["default value"] = _default(proto, kind)
        if not proto.extendee:
            told["JSON name"] = proto.json_name or camel_case(proto.name)
    if isinstance(proto, FileDescriptorProto):
        told |= {"imports": _imports(proto), "syntax": proto.syntax or "proto2"}
        # Some say the edition that the syntax stands for besides.
        told["edition"] = proto.edition if proto.HasField("edition") else edition_of(proto)
    return told


def _parts(
    message: Message, reader: OptionReader, *, without: Container[str] = ()
) -> Iterator[tuple[str, object]]:
    """Yield what is set; what only repeats a default is not set."""
    if not is_understood(message):
        yield "what protobuf does not know", True
    for field, value in message.ListFields():
        if field.name not in without:
            part = _part(field, value, reader)
            if part != field.default_value:
                yield field.name, part


def _part(field: FieldDescriptor, value: Any, reader: OptionReader) -> object:  # noqa: ANN401  # what protobuf holds
    if field.message_type is None:
        return list(value) if field.is_repeated else value
    if field.is_repeated:
        return [dict(_parts(one, reader)) for one in value]
    return reader.plain(value) or None  # options, which may be there and empty


def _full_name(name: str, full: str) -> str:
    return full if not name.startswith(".") and full.endswith(f".{name}") else name


def _default(field: FieldDescriptorProto, kind: int) -> object:
    if not field.HasField("default_value"):
        return None
    text = field.default_value
    with suppress(ValueError):
        if kind == FieldDescriptorProto.TYPE_FLOAT:
            return repr(ctypes.c_float(float(text)).value)
        if kind == FieldDescriptorProto.TYPE_DOUBLE:
            return repr(float(text))
    return bytes_default(text) if kind == FieldDescriptorProto.TYPE_BYTES else text


def _imports(file: FileDescriptorProto) -> set[tuple[str, bool, bool, bool]]:
    public, weak = set(file.public_dependency), set(file.weak_dependency)
    plain = {(path, at in public, at in weak, False) for at, path in enumerate(file.dependency)}
    return plain | {(path, False, False, True) for path in file.option_dependency}
