"""Normalised nodes: what order and spelling do not mean, settled.

Source: confluent-api, section 2.8. Types keep their order, since message indexes count on it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from accord.formats.protobuf.features import file_features, within
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.source import Extend, Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord.formats.protobuf.descriptors import (
        DescriptorProto,
        EnumDescriptorProto,
        FieldDescriptorProto,
        FileDescriptorProto,
        ServiceDescriptorProto,
    )
    from accord.formats.protobuf.features import Features
    from accord.formats.protobuf.source import (
        Enum,
        EnumValue,
        ExtensionRange,
        Field,
        Group,
        Message,
        Oneof,
        Option,
        Reserved,
        Service,
        SourceFile,
    )

    Named = TypeVar("Named", DescriptorProto, EnumDescriptorProto, FieldDescriptorProto)

LARGEST: Final = 2**31


class _Scope(NamedTuple):
    """What a body was compiled to, by name, and the features in force there."""

    fields: Mapping[str, FieldDescriptorProto]
    extensions: Mapping[str, FieldDescriptorProto]
    messages: Mapping[str, DescriptorProto]
    enums: Mapping[str, EnumDescriptorProto]
    features: Features


def normalized(file: SourceFile, descriptor: FileDescriptorProto) -> SourceFile:
    """Return a file in its normal spelling; ``descriptor`` is what it compiled to."""
    scope = _Scope(
        {},
        _by_name(descriptor.extension),
        _by_name(descriptor.message_type),
        _by_name(descriptor.enum_type),
        file_features(descriptor),
    )
    services = {one.name: one for one in descriptor.service}
    imports = {(one.kind, one.path): one for one in file.imports}
    return replace(
        file,
        syntax="" if file.syntax == "proto2" else file.syntax,
        imports=tuple(imports[key] for key in sorted(imports, key=lambda key: key[1])),
        options=_options(file.options),
        messages=tuple(_message(one, scope) for one in file.messages),
        enums=tuple(_enum(one, scope) for one in file.enums),
        extends=_extends(file.extends, scope),
        services=tuple(_service(one, services[one.name]) for one in file.services),
    )


def _message(message: Message, outer: _Scope) -> Message:
    descriptor = outer.messages[message.name]
    scope = _Scope(
        _by_name(descriptor.field),
        _by_name(descriptor.extension),
        _by_name(descriptor.nested_type),
        _by_name(descriptor.enum_type),
        within(outer.features, descriptor),
    )
    oneofs = (_oneof(one, scope) for one in message.oneofs)
    return replace(
        message,
        fields=_fields(message.fields, scope.fields, scope),
        oneofs=tuple(sorted(oneofs, key=_first_number)),
        groups=_groups(message.groups, scope),
        messages=tuple(
            _message(one, scope) for one in message.messages if not scope.messages[one.name].options.map_entry
        ),
        enums=tuple(_enum(one, scope) for one in message.enums),
        extends=_extends(message.extends, scope),
        reserved=_reserved(message.reserved),
        extensions=_extensions(message.extensions),
        options=_options(message.options),
    )


def _by_name(elements: Iterable[Named]) -> dict[str, Named]:
    return {one.name: one for one in elements}


def _fields(
    fields: Iterable[Field], compiled: Mapping[str, FieldDescriptorProto], scope: _Scope
) -> tuple[Field, ...]:
    found = (_field(one, compiled[one.name], scope) for one in fields)
    return tuple(sorted(found, key=_number))


def _field(field: Field, compiled: FieldDescriptorProto, scope: _Scope) -> Field:
    """Return a field with the full name of its type, of a map that of its values; scalars keep theirs.

    A list of entries that are written out becomes a map.
    """
    type_name, options = compiled.type_name, _options(field.options)
    entry = scope.messages.get(type_name.rpartition(".")[2])
    if entry is None or not entry.options.map_entry or compiled.label != compiled.LABEL_REPEATED:
        return replace(field, type_name=type_name or field.type_name, options=options)
    key, value = entry.field
    return replace(
        field,
        label=Label.NONE,
        key_type=Kind(key.type).spelled,
        type_name=value.type_name or Kind(value.type).spelled,
        options=options,
    )


def _groups(groups: Iterable[Group], scope: _Scope) -> tuple[Group, ...]:
    found = (
        replace(one, message=_message(one.message, scope), options=_options(one.options)) for one in groups
    )
    return tuple(sorted(found, key=_number))


def _number(numbered: Field | Group | EnumValue) -> int:
    return numbered.number


def _oneof(oneof: Oneof, scope: _Scope) -> Oneof:
    return replace(
        oneof,
        fields=_fields(oneof.fields, scope.fields, scope),
        groups=_groups(oneof.groups, scope),
        options=_options(oneof.options),
    )


def _first_number(oneof: Oneof) -> int:
    members: tuple[Field | Group, ...] = (*oneof.fields, *oneof.groups)
    return min(map(_number, members))


def _enum(enum: Enum, scope: _Scope) -> Enum:
    """Return an enum with its values by number; an open one begins with zero, or nobody could compile it."""
    values = sorted((replace(one, options=_options(one.options)) for one in enum.values), key=_number)
    if within(scope.features, scope.enums[enum.name]).is_open:
        values.sort(key=lambda one: one.number != 0)
    return replace(
        enum,
        values=tuple(values),
        reserved=_reserved(enum.reserved),
        options=_options(enum.options),
    )


def _extends(extends: Iterable[Extend], scope: _Scope) -> tuple[Extend, ...]:
    """Return one block for each message that is extended, in the order of their names."""
    found: dict[str, Extend] = {}
    for one in extends:
        name = one.fields[0].name if one.fields else one.groups[0].name.lower()
        extendee = scope.extensions[name].extendee
        before = found.get(extendee, Extend(extendee, (), (), one.position))
        found[extendee] = replace(
            before, fields=(*before.fields, *one.fields), groups=(*before.groups, *one.groups)
        )
    return tuple(
        replace(one, fields=_fields(one.fields, scope.extensions, scope), groups=_groups(one.groups, scope))
        for _, one in sorted(found.items())
    )


def _service(service: Service, descriptor: ServiceDescriptorProto) -> Service:
    methods = {one.name: one for one in descriptor.method}
    rpcs = (
        replace(
            one,
            request=methods[one.name].input_type,
            response=methods[one.name].output_type,
            options=_options(one.options),
        )
        for one in service.rpcs
    )
    return replace(service, rpcs=tuple(rpcs), options=_options(service.options))


def _reserved(reserved: tuple[Reserved, ...]) -> tuple[Reserved, ...]:
    """Return one statement for each range, by number, then for each name."""
    spans = {_plain(span): one for one in reserved for span in one.spans}
    names = {name: one for one in reserved for name in one.names}
    return (
        *(replace(spans[span], spans=(span,), names=()) for span in sorted(spans, key=_place)),
        *(replace(names[name], spans=(), names=(name,)) for name in sorted(names)),
    )


def _extensions(extensions: Iterable[ExtensionRange]) -> tuple[ExtensionRange, ...]:
    """Return one statement for each range, by number."""
    found = [
        replace(one, spans=(_plain(span),), options=_options(one.options))
        for one in extensions
        for span in one.spans
    ]
    return tuple(sorted(found, key=lambda one: _place(one.spans[0])))


def _plain(span: Span) -> Span:
    return Span(span.start, span.end)


def _place(span: Span) -> tuple[int, int]:
    return span.start, LARGEST if span.end is None else span.end


def _options(options: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(sorted(options, key=lambda one: one.spelled))
