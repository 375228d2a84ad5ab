"""Message indexes: from a path of numbers to the name of a message, and back.

Framed payloads name a message by its place among those of its file, as `accord.wire.indexes` reads it. The
places are those of the declarations in the stored text: the entry of a map counts where it is written out,
as in the texts of descriptors that were sent, and adds nothing to a map. Source: confluent-api, section 4.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.formats.protobuf.source import Message, SourceFile


def message_name(file: SourceFile, path: Sequence[int]) -> str | None:
    """Return the full name of the message at a path of indexes, or None where there is none."""
    names = [file.package] if file.package else []
    messages = file.messages
    for index in path:
        if not 0 <= index < len(messages):
            return None
        names.append(messages[index].name)
        messages = messages[index].messages
    return ".".join(names) if path else None


def message_indexes(file: SourceFile, name: str) -> tuple[int, ...] | None:
    """Return the path of indexes to a message, by its full name, or None where there is none."""
    prefix = f"{file.package}." if file.package else ""
    if not name.startswith(prefix):
        return None
    path: list[int] = []
    messages: Iterable[Message] = file.messages
    for part in name[len(prefix) :].split("."):
        found = next(((at, one) for at, one in enumerate(messages) if one.name == part), None)
        if found is None:
            return None
        path.append(found[0])
        messages = found[1].messages
    return tuple(path)
