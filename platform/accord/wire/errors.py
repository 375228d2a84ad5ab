"""What can be wrong with framed bytes; ``code`` doubles as the reason in quarantine tables."""

from __future__ import annotations

from typing import ClassVar

from accord.errors import Invalid, error


class WireError(Invalid):
    """Base of all framing errors."""


@error
class EmptyFrame(WireError):
    """No byte at all where a frame was expected."""

    code: ClassVar[str] = "empty"
    template: ClassVar[str] = "the record is empty"


@error
class WrongMagic(WireError):
    """The first byte is neither 0 (numeric id) nor 1 (GUID); ``magic`` is that byte."""

    code: ClassVar[str] = "wrong_magic"
    template: ClassVar[str] = "the first byte is {magic}, expected 0 or 1"
    magic: int


@error
class TruncatedFrame(WireError):
    """The bytes end inside the frame; ``needed`` and ``got`` count bytes."""

    code: ClassVar[str] = "truncated"
    template: ClassVar[str] = "the frame needs {needed} bytes and has {got}"
    needed: int
    got: int


@error
class MalformedIndexes(WireError):
    """A message-index list that no serializer writes."""

    code: ClassVar[str] = "malformed_indexes"
    template: ClassVar[str] = "the message indexes are malformed: {details}"
    details: str


@error
class InvalidSchemaId(WireError):
    """A schema id that does not fit the four bytes of the frame."""

    code: ClassVar[str] = "invalid_schema_id"
    template: ClassVar[str] = "schema id {id} is outside 0 to 2147483647"
    id: int
