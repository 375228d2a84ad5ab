"""Descriptors: the one module that knows Google's Protobuf library.

It comes with the extra ``protobuf``; whoever imports this module without it gets an ImportError, so nothing
that the base package needs may import it at the top.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import (
    DESCRIPTOR,
    DescriptorProto,
    Edition,
    EnumDescriptorProto,
    EnumValueDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    OneofDescriptorProto,
    ServiceDescriptorProto,
    SourceCodeInfo,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.unknown_fields import UnknownFieldSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "DecodeError",
    "Descriptor",
    "DescriptorProto",
    "Edition",
    "EnumDescriptorProto",
    "EnumValueDescriptorProto",
    "FeatureSet",
    "FieldDescriptor",
    "FieldDescriptorProto",
    "FileDescriptorProto",
    "FileDescriptorSet",
    "Message",
    "MethodDescriptorProto",
    "OneofDescriptorProto",
    "OptionReader",
    "ServiceDescriptorProto",
    "SourceCodeInfo",
    "all_options",
    "broken_string",
    "edition_name",
    "is_understood",
    "message_class",
    "message_type",
    "read_message",
    "set_fields",
    "unknown_numbers",
]


class OptionReader:
    """Reads options with the extensions that some files declare.

    ``files`` should be as protoc made them, those that are imported first. What one declares that is not
    sound, or clashes with protobuf's own names, does not count.
    """

    def __init__(self, files: Iterable[FileDescriptorProto] = ()) -> None:
        self._pool = DescriptorPool()
        self._pool.AddSerializedFile(DESCRIPTOR.serialized_pb)
        for file in files:
            if file.name != DESCRIPTOR.name:
                with suppress(TypeError):  # how protobuf says that it is not sound
                    self._pool.AddSerializedFile(file.SerializeToString())

    def read(self, options: Message) -> Sequence[tuple[FieldDescriptor, object]]:
        """Return the options that are set, by their numbers; unknown ones are left out."""
        return self._known(options).ListFields()

    def plain(self, options: Message) -> bytes:
        """Return options in bytes that are the same for the same options, unknown ones as they are."""
        return self._known(options).SerializeToString(deterministic=True)

    def unknown(self, options: Message) -> Sequence[int]:
        """Return the numbers of options that none of the files declares."""
        return sorted(unknown_numbers(self._known(options))) if unknown_numbers(options) else ()

    def _known(self, options: Message) -> Message:
        kind = GetMessageClass(self._pool.FindMessageTypeByName(options.DESCRIPTOR.full_name))
        try:
            return kind.FromString(options.SerializeToString())
        except DecodeError:  # an extension says that they hold something else
            return options


def is_understood(message: Message) -> bool:
    """Tell whether bytes held nothing but what a message declares, on its top level."""
    return not len(UnknownFieldSet(message))


def broken_string(message: Message) -> bytes | None:
    """Return a string of a message that is not UTF-8, which protobuf hands out as bytes; None without one."""
    for field, value in message.ListFields():
        held = value if field.is_repeated else (value,)
        for one in held:
            broken = broken_string(one) if isinstance(one, Message) else one
            if isinstance(broken, bytes) and field.type != FieldDescriptor.TYPE_BYTES:
                return broken
    return None


def all_options(file: Message, name: str = "") -> Iterator[tuple[str, Message]]:
    """Yield the options of a descriptor and of all that it declares, each with the name of its element."""
    own = ".".join(filter(None, (name, getattr(file, "name", ""))))
    for field, value in file.ListFields():
        if field.message_type is None or field.name == "source_code_info":
            continue
        for one in value if field.is_repeated else (value,):
            if field.name == "options":
                yield own, one
            else:
                yield from all_options(one, own)


def unknown_numbers(message: Message) -> frozenset[int]:
    """Return the numbers of what a message holds and does not declare, on its top level."""
    found = UnknownFieldSet(message)
    return frozenset(found[at].field_number for at in range(len(found)))


def edition_name(file: FileDescriptorProto) -> str:
    """Return the edition of a file as its text names it, ``UNKNOWN`` for one that protobuf does not know."""
    return Edition.Name(file.edition).removeprefix("EDITION_")


def message_type(files: bytes, name: str) -> Descriptor:
    """Return a message by its full name; it knows no extensions, so that what is in one stays bytes.

    ``files`` is a serialized ``FileDescriptorSet``, imports first. Raises `TypeError` for files that are not
    sound, `KeyError` for a name that none of them has.
    """
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(files).file:
        _drop_extensions(file)
        pool.AddSerializedFile(file.SerializeToString())
    return pool.FindMessageTypeByName(name)


def _drop_extensions(file: FileDescriptorProto) -> None:
    file.ClearField("extension")
    waiting = list(file.message_type)
    while waiting:
        message = waiting.pop()
        message.ClearField("extension")
        waiting += message.nested_type


def message_class(message: Descriptor) -> type[Message]:
    """Return the class of a message."""
    return GetMessageClass(message)


def read_message(kind: type[Message], data: bytes) -> Message:
    """Return the message that bytes hold; raises `DecodeError`, also where a required field is missing.

    Methods are taken from a class of Google's: a message of anybody's may have fields that are called so.
    """
    message = kind()
    FileDescriptorSet.MergeFromString(message, data)
    if not FileDescriptorSet.IsInitialized(message):
        raise DecodeError("a required field is missing")
    return message


def set_fields(message: Message) -> Sequence[tuple[FieldDescriptor, object]]:
    """Return the fields that are set, by number; without presence, those that differ from their default."""
    return FileDescriptorSet.ListFields(message)
