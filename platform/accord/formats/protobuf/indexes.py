"""Message indexes: from a path of numbers to the name of a message, and back.

Framed payloads name a message by its place among those of its file, as `accord.wire.indexes` reads it. The
places are those of the descriptor, in which map entries and groups are messages too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.formats.protobuf.descriptors import DescriptorProto, FileDescriptorProto


def message_name(file: FileDescriptorProto, path: Sequence[int]) -> str | None:
    """Return the full name of the message at a path of indexes, or None where there is none."""
    names = [file.package] if file.package else []
    messages: Sequence[DescriptorProto] = file.message_type
    for index in path:
        if not 0 <= index < len(messages):
            return None
        names.append(messages[index].name)
        messages = messages[index].nested_type
    return ".".join(names) if path else None


def message_indexes(file: FileDescriptorProto, name: str) -> tuple[int, ...] | None:
    """Return the path of indexes to a message, by its full name, or None where there is none."""
    prefix = f"{file.package}." if file.package else ""
    if not name.startswith(prefix):
        return None
    path: list[int] = []
    messages: Iterable[DescriptorProto] = file.message_type
    for part in name[len(prefix) :].split("."):
        found = next(((at, one) for at, one in enumerate(messages) if one.name == part), None)
        if found is None:
            return None
        path.append(found[0])
        messages = found[1].nested_type
    return tuple(path)
