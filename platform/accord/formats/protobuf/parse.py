"""What a registry is given, to nodes: a ``.proto`` text, or a descriptor in base64.

A descriptor is turned back into the text that somebody might have written, and goes on as one.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf.canonical import canonical_text
from accord.formats.protobuf.decompiling import decompiled
from accord.formats.protobuf.descriptors import (
    DecodeError,
    FileDescriptorProto,
    FileDescriptorSet,
    OptionReader,
    is_understood,
)
from accord.formats.protobuf.diagnostics import Diagnostic, invalid, too_large
from accord.formats.protobuf.grammar import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from accord.formats.limits import Limits
    from accord.formats.protobuf.source import SourceFile

    # From import paths to files as protoc made them, with all they import.
    FindFiles: TypeAlias = Callable[[Iterable[str]], Iterable[FileDescriptorProto]]

BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
EDITIONS: Final = frozenset(("", "2023", "2024"))
BYTE_ORDER_MARK: Final = "\ufeff"
HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


class Given(NamedTuple):
    """A schema as it was given: its text, which is made up for a descriptor, and the nodes of it."""

    text: str
    file: SourceFile


def read_given(text: str, *, find: FindFiles, limits: Limits) -> Given:
    """Read a ``.proto`` text, or a serialized file or set of files in base64.

    ``find`` compiles the files that a descriptor imports, for the sake of the options they declare.
    Raises `accord.errors.InvalidSchema` with every flaw, `SchemaTooLarge` beyond the limits.
    """
    check_size(text, limits)
    descriptor = _descriptor(text, limits)
    if descriptor is not None:
        text = _written(descriptor, find)
    file, flaws = read_source(text, limits)
    if not flaws and file.edition not in EDITIONS:
        sentence = f"Edition {file.edition} is not supported; use 2023 or 2024"
        flaws = (Diagnostic("", *file.syntax_position, sentence),)
    if flaws:
        raise invalid(flaws)
    return Given(text, file)


def check_size(text: str, limits: Limits) -> None:
    """Refuse a text that is too long, or holds what no text should."""
    if len(text) > limits.text_bytes or len(text.encode(errors="replace")) > limits.text_bytes:
        raise too_large(f"the text has more than {limits.text_bytes} bytes; split it into several schemas")
    if text.startswith(BYTE_ORDER_MARK):
        raise invalid([Diagnostic("", 1, 1, "The text begins with a byte order mark; save it without one")])
    half = HALF_A_PAIR.search(text)
    if half:
        line = text.count("\n", 0, half.start()) + 1
        sentence = "One half of a surrogate pair stands alone; write the whole character"
        raise invalid([Diagnostic("", line, half.start() - text.rfind("\n", 0, half.start()), sentence)])


def _descriptor(text: str, limits: Limits) -> FileDescriptorProto | None:
    """Return the file that a text holds in base64, of a set the last one, or None for a text to read."""
    bare = "".join(text.splitlines()).strip()
    if not BASE64.fullmatch(bare) or bare.startswith("//"):  # a comment is written in the same characters
        return None
    try:
        data = base64.b64decode(bare, validate=True)
        if len(data) > limits.descriptor_bytes:
            raise too_large(f"the descriptor has more than {limits.descriptor_bytes} bytes")
        return _file(data)
    except (DecodeError, binascii.Error):
        sentence = "The text is neither Protobuf source nor a FileDescriptorProto in base64"
        raise invalid([Diagnostic("", 0, 0, sentence)]) from None


def _file(data: bytes) -> FileDescriptorProto:
    """Return a file from its bytes; those of a set begin like those of a file, but hold nothing else."""
    file = FileDescriptorProto.FromString(data)
    try:
        files = FileDescriptorSet.FromString(data)
    except DecodeError:
        return file
    is_set = bool(files.file) and is_understood(files) and all(map(is_understood, files.file))
    return files.file[-1] if is_set else file


def _written(descriptor: FileDescriptorProto, find: FindFiles) -> str:
    paths = (*descriptor.dependency, *descriptor.option_dependency)
    reader = OptionReader(find(paths) if paths else (), descriptor)
    try:
        return canonical_text(decompiled(descriptor, reader))
    except (KeyError, ValueError) as reason:
        sentence = "The descriptor is not one that protoc makes; compile the file and send its descriptor"
        raise invalid([Diagnostic("", 0, 0, f"{sentence} ({type(reason).__name__}: {reason})")]) from reason
