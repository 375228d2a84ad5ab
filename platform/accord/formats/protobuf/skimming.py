"""Sets of descriptors that somebody sent, looked through before anything is made of their bytes.

Two bytes can stand for an empty message that takes hundreds of bytes of memory, so that a set is not decoded
by whoever serves requests until protoc, in its bounded child, has found it sound. Here only the top level of
each file is read, and no more of it than the limits allow. Source: the encoding of Protobuf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf.diagnostics import Diagnostic, invalid, too_large

if TYPE_CHECKING:
    from collections.abc import Iterator

VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5
WIDTHS: Final = {FIXED64: 8, FIXED32: 4}
LONGEST_VARINT: Final = 10
SET_FILE: Final = 1
# Messages, enums, services and extensions.
DECLARED: Final = frozenset((4, 5, 6, 7))
NAME, PACKAGE, DEPENDENCY, SOURCE_INFO, OPTION_DEPENDENCY = 1, 2, 3, 9, 15
NO_SET: Final = (
    "The body is no serialized FileDescriptorSet: {0}; send what protoc writes with --descriptor_set_out"
)


@dataclass(frozen=True, slots=True)
class SetLimits:
    """Bounds on a set: ``parts`` counts what stands on the top level of its files, and their notes."""

    files: int = 10_000
    parts: int = 500_000


class SkimmedFile(NamedTuple):
    """The outside of one file: what it is called, imports and declares; ``data`` is without its notes."""

    path: str
    package: str
    imports: tuple[str, ...]
    names: tuple[str, ...]
    data: bytes
    notes: bytes


class _Malformed(Exception):
    """Bytes that are no message; the message says why."""


class _Field(NamedTuple):
    number: int
    start: int
    end: int
    is_delimited: bool


def skimmed(data: bytes, limits: SetLimits | None = None) -> list[SkimmedFile]:
    """Return the files of a serialized ``FileDescriptorSet`` as they stand there.

    Raises `accord.errors.InvalidSchema` for what is none, `SchemaTooLarge` beyond the limits.
    """
    skimmer = _Skimmer(data, limits or SetLimits())
    try:
        return list(skimmer.files())
    except _Malformed as reason:
        raise invalid([Diagnostic("", 0, 0, NO_SET.format(reason))]) from None


class _Skimmer:
    def __init__(self, data: bytes, limits: SetLimits) -> None:
        self._data = data
        self._limits = limits
        self._parts = 0

    def files(self) -> Iterator[SkimmedFile]:
        count = 0
        for one in self._fields(0, len(self._data)):
            if one.number != SET_FILE or not one.is_delimited:
                continue
            count += 1
            if count > self._limits.files:
                raise too_large(
                    f"the set has more than {self._limits.files} files; make several modules of it"
                )
            yield self._file(one)
        if not count:
            raise _Malformed("it has no files")

    def _file(self, file: _Field) -> SkimmedFile:
        texts = {NAME: "", PACKAGE: ""}
        imports: list[str] = []
        names: list[str] = []
        notes, data = bytearray(), bytearray()
        before = file.start
        for one in self._fields(file.start, file.end):
            if one.is_delimited and one.number in texts:
                texts[one.number] = self._text(one)
            elif one.is_delimited and one.number in {DEPENDENCY, OPTION_DEPENDENCY}:
                imports.append(self._text(one))
            elif one.is_delimited and one.number in DECLARED:
                names.append(self._name(one))
            elif one.is_delimited and one.number == SOURCE_INFO:
                for _ in self._fields(one.start, one.end):
                    pass  # counted
                notes += self._data[one.start : one.end]
            if one.number != SOURCE_INFO:
                data += self._data[before : one.end]
            before = one.end
        prefix = f"{texts[PACKAGE]}." if texts[PACKAGE] else ""
        full = tuple(prefix + one for one in names)
        return SkimmedFile(texts[NAME], texts[PACKAGE], tuple(imports), full, bytes(data), bytes(notes))

    def _name(self, declared: _Field) -> str:
        """Return the name of a declaration, which all kinds of them have in the same place."""
        named = (one for one in self._fields(declared.start, declared.end) if one.number == NAME)
        found = next((one for one in named if one.is_delimited), None)
        return "" if found is None else self._text(found)

    def _text(self, field: _Field) -> str:
        try:
            return self._data[field.start : field.end].decode()
        except UnicodeDecodeError:
            raise _Malformed(f"the name at byte {field.start} is not in UTF-8") from None

    def _fields(self, start: int, end: int) -> Iterator[_Field]:
        at = start
        while at < end:
            self._parts += 1
            if self._parts > self._limits.parts:
                parts = self._limits.parts
                raise too_large(
                    f"the files have more than {parts} parts together; make several modules of them"
                )
            key, at = self._number(at, end)
            kind = key & 7
            if kind == DELIMITED:
                length, at = self._number(at, end)
                past = at + length
            elif kind == VARINT:
                _, past = self._number(at, end)
            elif kind in WIDTHS:
                past = at + WIDTHS[kind]
            else:
                raise _Malformed(f"there is nothing like it at byte {at - 1}")
            if past > end:
                raise _Malformed("it ends early")
            yield _Field(key >> 3, at, past, kind == DELIMITED)
            at = past

    def _number(self, at: int, end: int) -> tuple[int, int]:
        value = 0
        for place in range(LONGEST_VARINT):
            if at + place >= end:
                raise _Malformed("it ends early")
            byte = self._data[at + place]
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:  # noqa: PLR2004  # the last byte of a number
                return value, at + place + 1
        raise _Malformed(f"the number at byte {at} has no end")


def set_entry(data: bytes, notes: bytes = b"") -> bytes:
    """Return a descriptor as a part of a serialized ``FileDescriptorSet``, with its notes if it has any."""
    whole = data + (b"J" + _varint(len(notes)) + notes if notes else b"")
    return b"\n" + _varint(len(whole)) + whole


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 0x7F:  # noqa: PLR2004  # seven bits a byte
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)
