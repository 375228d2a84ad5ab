"""File sets from descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import InvalidSchema
from accord.formats.protobuf.descriptors import FileDescriptorSet
from accord.formats.protobuf.features import EDITIONS
from accord.formats.protobuf.model import File, FileSet
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.model import Source


def parse_set(data: bytes) -> list[FileDescriptorProto]:
    """Return the files of a serialized ``FileDescriptorSet``. Raises ``DecodeError`` of protobuf."""
    return list(FileDescriptorSet.FromString(data).file)


def file_set(
    files: Iterable[FileDescriptorProto],
    *,
    imports: Container[str] = (),
    sources: Mapping[str, Source] | None = None,
) -> FileSet:
    """Return the nodes of resolved files, which are read as they are asked for.

    ``imports`` names the files that others own; the first of the rest is the root. ``sources`` holds the
    texts of files as they were parsed, by path. The files must be as protoc writes them: types
    resolved, kinds set, map entries and synthetic oneofs in place. Raises `accord.errors.InvalidSchema` for
    an edition that nobody here knows.
    """
    nodes = FileSet()
    texts = sources or {}
    for proto in files:
        file = File(proto, nodes, is_import=proto.name in imports, source=texts.get(proto.name))
        if file.edition not in EDITIONS:
            raise InvalidSchema(
                format=Format.PROTOBUF,
                details=f"{file.path} is written in an edition that is not supported; use 2023 or 2024",
            )
        nodes.add(file)
    return nodes
