"""What only the text of a file tells, as protoc noted it down in ``SourceCodeInfo``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from accord.formats.protobuf.model import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.descriptors import FileDescriptorProto, SourceCodeInfo
    from accord.formats.protobuf.model import Steps


class SourceInfo:
    """The places and comments of one file, read as they are asked for; spelled types are not noted down."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._file = file
        self._read: dict[Steps, SourceCodeInfo.Location] = {}
        self._said: dict[str, bool] = {}

    def position(self, steps: Steps) -> Position | None:
        """Return where an element begins, or None where the text does not have it."""
        found = self._location(steps)
        return None if found is None else Position(found.span[0] + 1, found.span[1] + 1)

    def comment(self, steps: Steps) -> str:
        """Return the comment in front of an element."""
        found = self._location(steps)
        return "" if found is None else found.leading_comments

    def may_say(self, words: str) -> bool:
        """Tell whether a comment may hold these words."""
        if words not in self._said:
            self._said[words] = words.encode() in self._file.source_code_info.SerializeToString()
        return self._said[words]

    def spelled_type(self, steps: Steps) -> str | None:  # noqa: ARG002  # the signature is the port's
        """Return None: what a type is called in the text is not known."""
        return None

    def _location(self, steps: Steps) -> SourceCodeInfo.Location | None:
        found = self._read.get(steps)
        if found is not None:
            return found
        # Who asks for one place of a large file should not pay for all of them.
        for one in self._unread:
            path = tuple(one.path)
            if self._read.setdefault(path, one) is one and path == steps:
                return one
        return None

    @cached_property
    def _unread(self) -> Iterator[SourceCodeInfo.Location]:
        return iter(self._file.source_code_info.location)
