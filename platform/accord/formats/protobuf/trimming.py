"""A file without what extends it: no extensions, no numbers kept for them, no custom options.

Source: Confluent's form ``ignore_extensions``, which keeps its own custom options.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from accord.formats.protobuf.source import (
        Enum,
        EnumValue,
        Field,
        Group,
        Message,
        Oneof,
        Option,
        Rpc,
        Service,
        SourceFile,
    )

KEPT: Final = "confluent."


def trimmed(file: SourceFile) -> SourceFile:
    """Return a file without extensions; what it imports stays."""
    return replace(
        file,
        options=_options(file.options),
        messages=tuple(map(_message, file.messages)),
        enums=tuple(map(_enum, file.enums)),
        extends=(),
        services=tuple(map(_service, file.services)),
    )


def _options(options: tuple[Option, ...]) -> tuple[Option, ...]:
    return tuple(one for one in options if not one.name[0].is_extension or one.name[0].text.startswith(KEPT))


def _message(message: Message) -> Message:
    return replace(
        message,
        options=_options(message.options),
        fields=tuple(map(_bare, message.fields)),
        oneofs=tuple(map(_oneof, message.oneofs)),
        groups=tuple(map(_group, message.groups)),
        messages=tuple(map(_message, message.messages)),
        enums=tuple(map(_enum, message.enums)),
        extends=(),
        extensions=(),
    )


def _bare(one: Field) -> Field:
    return replace(one, options=_options(one.options))


def _group(group: Group) -> Group:
    return replace(group, options=_options(group.options), message=_message(group.message))


def _oneof(oneof: Oneof) -> Oneof:
    return replace(
        oneof,
        options=_options(oneof.options),
        fields=tuple(map(_bare, oneof.fields)),
        groups=tuple(map(_group, oneof.groups)),
    )


def _enum(enum: Enum) -> Enum:
    return replace(enum, options=_options(enum.options), values=tuple(map(_value, enum.values)))


def _value(value: EnumValue) -> EnumValue:
    return replace(value, options=_options(value.options))


def _service(service: Service) -> Service:
    return replace(service, options=_options(service.options), rpcs=tuple(map(_rpc, service.rpcs)))


def _rpc(rpc: Rpc) -> Rpc:
    return replace(rpc, options=_options(rpc.options))
