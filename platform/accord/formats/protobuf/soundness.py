"""What is wrong with a descriptor that somebody sent, before a text is made of it.

Whatever is written into the text as it stands must be what it claims to be; the rest protoc judges. Source:
descriptor.proto and the language specifications.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from accord.formats.places import shown
from accord.formats.protobuf.decompiling import bytes_default
from accord.formats.protobuf.descriptors import FieldDescriptorProto, broken_string
from accord.formats.protobuf.paths import path_flaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        EnumDescriptorProto,
        FileDescriptorProto,
        ServiceDescriptorProto,
    )

WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
NAME: Final = re.compile(WORD)
DOTTED: Final = re.compile(rf"{WORD}(?:\.{WORD})*+")
# Numbers, true and false, inf and nan, and the names of constants.
LITERAL: Final = re.compile(r"[-+]?[A-Za-z0-9_.](?:[A-Za-z0-9_.]|(?<=[eE])[-+])*+")
SYNTAXES: Final = frozenset(("", "proto2", "proto3", "editions"))
NAMED_TYPES: Final = frozenset(
    (FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_ENUM, FieldDescriptorProto.TYPE_GROUP)
)
ENTRY_FIELDS: Final = 2
FILE: Final = "the file"


def descriptor_flaws(file: FileDescriptorProto) -> Iterator[str]:
    """Yield what makes a descriptor unsound, each with the full name of its element."""
    broken = broken_string(file)
    if broken is not None:  # nothing else can be asked of its strings
        yield f"{FILE}: the string {shown(broken.decode(errors='backslashreplace'))} is not in UTF-8"
        return
    if file.syntax not in SYNTAXES:
        yield f"{FILE}: the syntax {shown(file.syntax)} is none of proto2, proto3 and editions"
    if file.package and not DOTTED.fullmatch(file.package):
        yield f"{FILE}: the package {shown(file.package)} is no name"
    yield from _imports(file)
    has_words = file.syntax == "editions"
    scope = f"{file.package}." if file.package else ""
    for message in file.message_type:
        yield from _message(message, scope, has_words=has_words)
    for enum in file.enum_type:
        yield from _enum(enum, scope, has_words=has_words)
    for field in file.extension:
        yield from _field(field, scope, 0, file.message_type)
    for service in file.service:
        yield from _service(service, scope)


def _imports(file: FileDescriptorProto) -> Iterator[str]:
    flaws = (path_flaw(path) for path in (*file.dependency, *file.option_dependency))
    yield from (f"{FILE}: {flaw}" for flaw in flaws if flaw)
    for number in (*file.public_dependency, *file.weak_dependency):
        if not 0 <= number < len(file.dependency):
            yield f"{FILE}: there is no import {number}, only {len(file.dependency)} of them"


def _message(message: DescriptorProto, scope: str, *, has_words: bool) -> Iterator[str]:
    name = f"{scope}{message.name}"
    yield from _named(message.name, name)
    if message.options.map_entry and len(message.field) != ENTRY_FIELDS:
        yield f"{name}: the entry of a map has exactly the fields key and value"
    yield from _oneofs(message, name)
    yield from _words(message.reserved_name, name, has_words=has_words)
    inner = f"{name}."
    for field in message.field:
        yield from _field(field, inner, len(message.oneof_decl), message.nested_type)
    for field in message.extension:
        yield from _field(field, inner, 0, message.nested_type)
    for nested in message.nested_type:
        yield from _message(nested, inner, has_words=has_words)
    for enum in message.enum_type:
        yield from _enum(enum, inner, has_words=has_words)


def _oneofs(message: DescriptorProto, name: str) -> Iterator[str]:
    members: dict[int, list[FieldDescriptorProto]] = {}
    for field in message.field:
        if field.HasField("oneof_index"):
            members.setdefault(field.oneof_index, []).append(field)
    for number, oneof in enumerate(message.oneof_decl):
        found = members.get(number, [])
        yield from _named(oneof.name, f"{name}.{oneof.name}")
        if not found:
            yield f"{name}.{oneof.name}: the oneof has no fields"
        elif len(found) > 1 and any(one.proto3_optional for one in found):
            yield f"{name}.{oneof.name}: the oneof of a field that is proto3_optional holds other fields too"


def _field(
    field: FieldDescriptorProto, scope: str, oneofs: int, beside: Iterable[DescriptorProto]
) -> Iterator[str]:
    """``oneofs`` is how many there are to be in, ``beside`` the messages among which that of a group is."""
    name = f"{scope}{field.name}"
    yield from _named(field.name, name)
    if field.HasField("oneof_index") and not 0 <= field.oneof_index < oneofs:
        yield f"{name}: there is no oneof {field.oneof_index}, only {oneofs} of them"
    if not field.type_name and (not field.HasField("type") or field.type in NAMED_TYPES):
        yield f"{name}: it has no type"
    yield from _full_name(field.type_name, name)
    yield from _full_name(field.extendee, name)
    is_group = field.type == FieldDescriptorProto.TYPE_GROUP
    if is_group and field.type_name.rpartition(".")[2] not in {one.name for one in beside}:
        yield f"{name}: the message of the group is not declared beside it"
    if field.HasField("default_value") and not _is_default(field):
        yield f"{name}: {shown(field.default_value)} is no default of its type"


def _is_default(field: FieldDescriptorProto) -> bool:
    if field.type == FieldDescriptorProto.TYPE_BYTES:
        return bytes_default(field.default_value) is not None
    is_text = field.type == FieldDescriptorProto.TYPE_STRING
    return is_text or LITERAL.fullmatch(field.default_value) is not None


def _enum(enum: EnumDescriptorProto, scope: str, *, has_words: bool) -> Iterator[str]:
    name = f"{scope}{enum.name}"
    yield from _named(enum.name, name)
    yield from _words(enum.reserved_name, name, has_words=has_words)
    for value in enum.value:
        yield from _named(value.name, f"{name}.{value.name}")


def _service(service: ServiceDescriptorProto, scope: str) -> Iterator[str]:
    name = f"{scope}{service.name}"
    yield from _named(service.name, name)
    for method in service.method:
        own = f"{name}.{method.name}"
        yield from _named(method.name, own)
        for type_name in (method.input_type, method.output_type):
            yield from _full_name(type_name, own) if type_name else (f"{own}: it lacks a type",)


def _named(name: str, element: str) -> Iterator[str]:
    if not NAME.fullmatch(name):
        yield f"{shown(element)}: {shown(name)} is no name"


def _full_name(type_name: str, element: str) -> Iterator[str]:
    if type_name and not DOTTED.fullmatch(type_name.removeprefix(".")):
        yield f"{shown(element)}: {shown(type_name)} is no name of a type"


def _words(names: Iterable[str], element: str, *, has_words: bool) -> Iterator[str]:
    """Reserved names are words in editions; elsewhere they stand in quotes and may be anything."""
    for name in names if has_words else ():
        if not NAME.fullmatch(name):
            yield f"{element}: the reserved {shown(name)} is no name"
