"""The nodes of Protobuf files in the order of their texts: what lint rules look at, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.lint.protobuf.modules import Folder, Import, Module, Package

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.model import File, Message


def nodes(module: Module) -> Iterator[object]:
    """Yield the module, its folders and packages, and what is declared in its own files.

    The entries of maps and the oneofs that protoc makes are written nowhere, and left out.
    """
    yield module
    if module.has_paths:
        yield from map(Folder, module.by_folder.values())
    yield from (Package(files, module.has_paths) for files in module.by_package.values())
    for file in module.own:
        yield file
        yield from (Import(file, at, path, module) for at, path in enumerate(file.proto.dependency))
        yield from _declared(file)


def _declared(file: File) -> Iterator[object]:
    for message in file.all_messages:
        if not message.is_map_entry:
            yield from _in_message(message)
    yield from file.all_extensions
    for enum in file.all_enums:
        yield enum
        yield from enum.values
    for service in file.services:
        yield service
        yield from service.methods.values()


def _in_message(message: Message) -> Iterator[object]:
    yield message
    yield from message.fields
    yield from message.oneofs.values()
