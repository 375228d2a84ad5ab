"""From a descriptor back to the nodes of its source, as if somebody had written it.

Source: confluent-api, section 2.7 (a descriptor is stored as text), and protobuf-rules, section 0.2, for the
labels. Types keep the full names of the descriptor, comments and places are gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.descriptors import FieldDescriptorProto, edition_name
from accord.formats.protobuf.fields import camel_case
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.literals import unescaped
from accord.formats.protobuf.option_values import options_of, plain_option
from accord.formats.protobuf.source import (
    Enum,
    EnumValue,
    Extend,
    ExtensionRange,
    Field,
    Group,
    Import,
    ImportKind,
    Label,
    Literal,
    Message,
    Oneof,
    Position,
    Reserved,
    Rpc,
    Service,
    SourceFile,
    Span,
    Text,
    Visibility,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        EnumDescriptorProto,
        FileDescriptorProto,
        MethodDescriptorProto,
        OptionReader,
        ServiceDescriptorProto,
    )
    from accord.formats.protobuf.source import Option

NOWHERE: Final = Position(1, 1)
VISIBILITIES: Final = {0: Visibility.UNSAID, 1: Visibility.LOCAL, 2: Visibility.EXPORT}
LABELS: Final = {1: Label.OPTIONAL, 2: Label.REQUIRED, 3: Label.REPEATED}
LARGEST_FIELD: Final = 536_870_911
LARGEST_VALUE: Final = 2_147_483_647


def decompiled(file: FileDescriptorProto, reader: OptionReader) -> SourceFile:
    """Return the nodes of a descriptor; ``reader`` knows the extensions of what it imports.

    The descriptor must have none of the flaws of `accord.formats.protobuf.soundness`.
    """
    return _Decompiler(file, reader).file()


def bytes_default(text: str) -> bytes | None:
    """Return the bytes that a default value stands for, escaped as C spells them; None for none."""
    unknown: list[bytes] = []
    value = unescaped(text.encode(), unknown.append)
    return None if unknown else value


class _Decompiler:
    """One file on its way back: which labels it writes, and how its options are read."""

    def __init__(self, file: FileDescriptorProto, reader: OptionReader) -> None:
        self.proto = file
        self.reader = reader
        self.has_labels = file.syntax in {"", "proto2"}
        self.has_quotes = file.syntax != "editions"

    def file(self) -> SourceFile:
        file = self.proto
        groups = _group_names(file.extension)
        messages = {one.name: one for one in file.message_type}
        return SourceFile(
            file.syntax or "proto2",
            edition_name(file) if file.syntax == "editions" else "",
            file.package,
            tuple(self.imports()),
            options_of(file.options, self.reader),
            tuple(self.message(one) for one in file.message_type if one.name not in groups),
            tuple(map(self.enum, file.enum_type)),
            self.extends(file.extension, messages),
            tuple(map(self.service, file.service)),
            NOWHERE,
            NOWHERE,
        )

    def imports(self) -> Iterator[Import]:
        public, weak = set(self.proto.public_dependency), set(self.proto.weak_dependency)
        for number, path in enumerate(self.proto.dependency):
            kind = ImportKind.PUBLIC if number in public else ImportKind.PLAIN
            yield Import(path, ImportKind.WEAK if number in weak else kind, NOWHERE)
        for path in self.proto.option_dependency:
            yield Import(path, ImportKind.OPTION, NOWHERE)

    def message(self, proto: DescriptorProto) -> Message:
        nested = {one.name: one for one in proto.nested_type}
        groups = {
            one.type_name.rpartition(".")[2] for one in (*proto.field, *proto.extension) if _is_group(one)
        }
        own = [one for one in proto.field if not _is_in_oneof(one)]
        return Message(
            proto.name,
            tuple(self.field(one) for one in own if not _is_group(one)),
            tuple(self.oneofs(proto, nested)),
            tuple(self.group(one, nested) for one in own if _is_group(one)),
            tuple(self.message(one) for one in proto.nested_type if one.name not in groups),
            tuple(map(self.enum, proto.enum_type)),
            self.extends(proto.extension, nested),
            tuple(_reserved(proto, has_quotes=self.has_quotes)),
            tuple(self.extension_ranges(proto)),
            options_of(proto.options, self.reader),
            NOWHERE,
            0,
            visibility=VISIBILITIES[proto.visibility],
        )

    def oneofs(self, proto: DescriptorProto, nested: Mapping[str, DescriptorProto]) -> Iterator[Oneof]:
        for number, oneof in enumerate(proto.oneof_decl):
            members = [one for one in proto.field if _is_in_oneof(one) and one.oneof_index == number]
            if members:  # one that was made for a proto3 optional field has none
                yield Oneof(
                    oneof.name,
                    tuple(self.field(one) for one in members if not _is_group(one)),
                    tuple(self.group(one, nested) for one in members if _is_group(one)),
                    options_of(oneof.options, self.reader),
                    NOWHERE,
                )

    def field(self, proto: FieldDescriptorProto) -> Field:
        return Field(
            self.label(proto),
            _type_name(proto),
            proto.name,
            proto.number,
            (*options_of(proto.options, self.reader), *_special(proto)),
            NOWHERE,
            NOWHERE,
        )

    def group(self, proto: FieldDescriptorProto, nested: Mapping[str, DescriptorProto]) -> Group:
        message = self.message(nested[proto.type_name.rpartition(".")[2]])
        options = options_of(proto.options, self.reader)
        return Group(self.label(proto), proto.number, message, options, NOWHERE)

    def label(self, proto: FieldDescriptorProto) -> Label:
        if _is_in_oneof(proto):
            return Label.NONE
        if self.has_labels or proto.label == proto.LABEL_REPEATED:
            return LABELS[proto.label]
        return Label.OPTIONAL if proto.proto3_optional else Label.NONE

    def extends(
        self, extensions: Iterable[FieldDescriptorProto], nested: Mapping[str, DescriptorProto]
    ) -> tuple[Extend, ...]:
        found: dict[str, list[FieldDescriptorProto]] = {}
        for one in extensions:
            found.setdefault(one.extendee, []).append(one)
        return tuple(
            Extend(
                extendee,
                tuple(self.field(one) for one in some if not _is_group(one)),
                tuple(self.group(one, nested) for one in some if _is_group(one)),
                NOWHERE,
            )
            for extendee, some in found.items()
        )

    def extension_ranges(self, proto: DescriptorProto) -> Iterator[ExtensionRange]:
        for one in proto.extension_range:
            span = _span(one.start, one.end - 1, LARGEST_FIELD)
            yield ExtensionRange((span,), options_of(one.options, self.reader), NOWHERE)

    def enum(self, proto: EnumDescriptorProto) -> Enum:
        values = (
            EnumValue(one.name, one.number, options_of(one.options, self.reader), NOWHERE)
            for one in proto.value
        )
        return Enum(
            proto.name,
            tuple(values),
            tuple(_reserved(proto, has_quotes=self.has_quotes)),
            options_of(proto.options, self.reader),
            NOWHERE,
            0,
            visibility=VISIBILITIES[proto.visibility],
        )

    def service(self, proto: ServiceDescriptorProto) -> Service:
        rpcs = tuple(map(self.rpc, proto.method))
        return Service(proto.name, rpcs, options_of(proto.options, self.reader), NOWHERE)

    def rpc(self, proto: MethodDescriptorProto) -> Rpc:
        return Rpc(
            proto.name,
            proto.input_type,
            proto.output_type,
            proto.client_streaming,
            proto.server_streaming,
            options_of(proto.options, self.reader),
            NOWHERE,
        )


def _is_group(field: FieldDescriptorProto) -> bool:
    return field.type == FieldDescriptorProto.TYPE_GROUP


def _group_names(fields: Iterable[FieldDescriptorProto]) -> set[str]:
    return {one.type_name.rpartition(".")[2] for one in fields if _is_group(one)}


def _is_in_oneof(field: FieldDescriptorProto) -> bool:
    return field.HasField("oneof_index") and not field.proto3_optional


def _type_name(field: FieldDescriptorProto) -> str:
    return field.type_name or Kind(field.type).spelled


def _special(field: FieldDescriptorProto) -> Iterator[Option]:
    """Yield what descriptors keep apart and text writes among the options."""
    if field.HasField("default_value"):
        yield plain_option("default", _default(field))
    if field.HasField("json_name") and field.json_name != camel_case(field.name) and not field.extendee:
        yield plain_option("json_name", Text(field.json_name.encode()))


def _default(field: FieldDescriptorProto) -> Literal | Text:
    if field.type == FieldDescriptorProto.TYPE_STRING:
        return Text(field.default_value.encode())
    if field.type == FieldDescriptorProto.TYPE_BYTES:
        return Text(bytes_default(field.default_value) or b"")
    return Literal(field.default_value)


def _reserved(proto: DescriptorProto | EnumDescriptorProto, *, has_quotes: bool) -> Iterator[Reserved]:
    """Yield the numbers, then the names; only ranges of messages exclude their end."""
    is_message = proto.DESCRIPTOR.name == "DescriptorProto"
    past, largest = (1, LARGEST_FIELD) if is_message else (0, LARGEST_VALUE)
    spans = tuple(_span(one.start, one.end - past, largest) for one in proto.reserved_range)
    if spans:
        yield Reserved(spans, (), NOWHERE)
    if proto.reserved_name:
        yield Reserved((), tuple(proto.reserved_name), NOWHERE, is_quoted=has_quotes)


def _span(start: int, end: int, largest: int) -> Span:
    return Span(start, None if end >= largest else end)
