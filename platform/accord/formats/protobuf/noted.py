"""Where in a compiled file a finding is, as protoc noted it down, which costs less than to read the text.

The places are those of `accord.formats.protobuf.positions`: what protoc has no note of, or another one, is
looked for there.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from accord.formats.positions import Position, pointer_tokens
from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.model import File
from accord.formats.protobuf.places import HOLDERS, element_of, steps_of
from accord.formats.protobuf.positions import START, ProtoText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.model import Steps, Tokens
    from accord.formats.protobuf.places import Node

# What is told at the beginning of its element, because the text has no place for it or no single one.
WHOLE: Final = frozenset({"", "name", "label", "oneof", "reserved", "input", "output", "type", "json_name"})
TYPE, TYPE_NAME, JSON_NAME = 5, 6, 10
TAB: Final = 8


class NotedText:
    """The places of one file that was compiled with ``SourceCodeInfo``.

    ``text`` is what it was compiled from, ``path`` what findings call it.
    """

    def __init__(self, file: File, text: str, path: str) -> None:
        self.file = file
        self.text = text
        self.path = path

    def locate(self, path: str) -> Position:
        """Return where a finding's path leads; see `accord.formats.protobuf.positions.ProtoText`."""
        own, *inner = pointer_tokens(path) or [""]
        noted = self._noted(tuple(inner)) if own == self.path else None
        return noted or self._read.locate(path)

    def _noted(self, tokens: Tokens) -> Position | None:
        node, rest = element_of(self.file, tokens)
        part = rest[0] if rest and rest[0] not in HOLDERS else ""
        if isinstance(node, File):
            return None if part else START
        if part not in WHOLE or self.file.source is None:
            return None
        places = map(self.file.source.position, _steps(node, part))
        return next((self._in_characters(*one) for one in places if one is not None), None)

    def _in_characters(self, line: int, column: int) -> Position:
        """Return a place of protoc's, which counts bytes and lets tabs reach to the next eighth column."""
        text, index, at = self._lines[line - 1], 0, 1
        while at < column:
            at += TAB - (at - 1) % TAB if text[index] == "\t" else len(text[index].encode())
            index += 1
        return Position(line, index + 1)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _read(self) -> ProtoText:
        return ProtoText(self.text, self.path)


def _steps(node: Node, part: str) -> Iterator[Steps]:
    """Yield the paths under which protoc may have noted a part of an element, last the element's own."""
    own = steps_of(node)
    if isinstance(node, Field) and not _is_entry_or_group(node):
        if part == "type":
            yield (*own, TYPE_NAME if node.proto.type_name else TYPE)
        elif part == "json_name":
            yield (*own, JSON_NAME)
    yield own


def _is_entry_or_group(field: Field) -> bool:
    """Tell whether a field is written as something else: within a map, or with its message."""
    is_entry = field.message is not None and field.message.is_map_entry
    return is_entry or Kind(field.proto.type) is Kind.GROUP
