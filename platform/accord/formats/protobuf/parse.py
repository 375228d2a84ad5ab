"""What a registry is given, to nodes: a ``.proto`` text, or a descriptor in base64.

A descriptor is turned back into the text that somebody might have written, and goes on as one.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.errors import SchemaTooLarge
from accord.formats.protobuf.canonical import canonical_text
from accord.formats.protobuf.decompiling import decompiled
from accord.formats.protobuf.descriptors import DecodeError, FileDescriptorProto, OptionReader
from accord.formats.protobuf.diagnostics import (
    Diagnostic,
    invalid,
    merged,
    too_large,
    unsupported_edition,
)
from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.sent import refuse_descriptor, refuse_unlike_imports, sent_files
from accord.formats.protobuf.soundness import descriptor_flaws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from accord.formats.limits import Limits
    from accord.formats.protobuf.sent import SentFiles
    from accord.formats.protobuf.source import SourceFile

    # From a text to what protoc remarks on it.
    AskProtoc: TypeAlias = Callable[[str], Iterable[Diagnostic]]
    # From import paths to files as protoc made them, with all they import.
    FindFiles: TypeAlias = Callable[[Sequence[str]], Iterable[FileDescriptorProto]]

BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
# The alphabet of addresses, which some libraries write.
URL_SAFE: Final = str.maketrans("-_", "+/")
EDITIONS: Final = frozenset(("", "2023", "2024"))
BYTE_ORDER_MARK: Final = "\ufeff"
# How a limit of the parser names where it was met.
PLACE: Final = re.compile(r"^line \d+(?:, column \d+)?: ")
HALF_A_PAIR: Final = re.compile("[\ud800-\udfff]")


class Given(NamedTuple):
    """A schema as it was given: its text and the nodes of it, both made up for a descriptor.

    ``sent`` is that descriptor, None for a text.
    """

    text: str
    file: SourceFile
    sent: FileDescriptorProto | None = None


def read_given(text: str, *, find: FindFiles, limits: Limits, ask: AskProtoc | None = None) -> Given:
    """Read a ``.proto`` text, or a serialized file or set of files in base64.

    ``find`` compiles the files that a descriptor imports, for the sake of the options they declare. ``ask``
    lets protoc say what else is wrong with a text that has a flaw.
    Raises `accord.errors.InvalidSchema` with every flaw, `SchemaTooLarge` beyond the limits.
    """
    check_size(text, limits)
    sent = _sent(text, limits)
    if sent is not None:
        text = _written(sent, find)
    file, flaws = read_source(text, limits) if sent is None else _read_written(text, limits)
    if not flaws and file.edition not in EDITIONS:
        flaws = (Diagnostic("", *file.syntax_position, unsupported_edition(file.edition)),)
    if flaws:
        raise invalid(merged(flaws, ask(text) if ask is not None and sent is None else ()))
    return Given(text, file, None if sent is None else sent.root)


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


def _sent(text: str, limits: Limits) -> SentFiles | None:
    """Return the files that a text holds in base64, or None for a text to read."""
    bare = "".join(text.splitlines()).strip().translate(URL_SAFE)
    if not BASE64.fullmatch(bare) or bare.startswith("//"):  # a comment is written in the same characters
        return None
    try:
        data = base64.b64decode(bare, validate=True)
        if len(data) > limits.descriptor_bytes:
            raise too_large(f"the descriptor has more than {limits.descriptor_bytes} bytes")
        return sent_files(data)
    except (DecodeError, binascii.Error):
        sentence = "The text is neither Protobuf source nor a FileDescriptorProto in base64"
        raise invalid([Diagnostic("", 0, 0, sentence)]) from None


def _read_written(text: str, limits: Limits) -> tuple[SourceFile, tuple[Diagnostic, ...]]:
    """Read the text that a descriptor became; nobody knows its lines, so that none is named."""
    try:
        file, flaws = read_source(text, limits)
    except SchemaTooLarge as error:
        raise too_large(PLACE.sub("", error.details)) from None
    return file, tuple(one._replace(line=0, column=0) for one in flaws)


def _written(sent: SentFiles, find: FindFiles) -> str:
    """Return the text of the root of what was sent."""
    root = sent.root
    refuse_descriptor(descriptor_flaws(root))
    paths = (*root.dependency, *root.option_dependency)
    imports = tuple(find(paths)) if paths else ()
    refuse_unlike_imports(sent, imports)
    return canonical_text(decompiled(root, OptionReader((*imports, root))))
