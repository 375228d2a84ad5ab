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
    from collections.abc import Iterable, Sequence

__all__ = [
    "DecodeError",
    "Descriptor",
    "DescriptorProto",
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
    "edition_name",
    "is_understood",
    "message_class",
    "message_type",
    "read_message",
    "set_fields",
]


class OptionReader:
    """Reads options with the extensions that some files declare.

    ``files`` must be as protoc made them, those that are imported first. ``own`` may be any file; what it
    declares counts only where it is sound.
    """

    def __init__(
        self, files: Iterable[FileDescriptorProto] = (), own: FileDescriptorProto | None = None
    ) -> None:
        self._pool = DescriptorPool()
        self._pool.AddSerializedFile(DESCRIPTOR.serialized_pb)
        for file in files:
            if file.name != DESCRIPTOR.name:
                self._pool.AddSerializedFile(file.SerializeToString())
        if own is not None:
            with suppress(TypeError):  # how protobuf says that it is not sound
                self._pool.AddSerializedFile(own.SerializeToString())

    def read(self, options: Message) -> Sequence[tuple[FieldDescriptor, object]]:
        """Return the options that are set, by their numbers; unknown ones are left out."""
        kind = self._pool.FindMessageTypeByName(options.DESCRIPTOR.full_name)
        return GetMessageClass(kind).FromString(options.SerializeToString()).ListFields()


def is_understood(message: Message) -> bool:
    """Tell whether bytes held nothing but what a message declares, on its top level."""
    return not len(UnknownFieldSet(message))


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
