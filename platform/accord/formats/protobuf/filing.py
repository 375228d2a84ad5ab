"""Files as they are stored: descriptors in the bytes that all who have them share, and what is noted apart.

Source: house, section 15 and S19. The digest is over the descriptor without its notes, so that a file whose
comments change stays the same file. Descriptors are those that protoc made: JSON names filled in.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.protobuf.descriptors import FileDescriptorProto

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_NOTE: Final = bytes(32)


class FiledFile(NamedTuple):
    """One file: its descriptor in bytes, and beside it what only its text tells.

    ``notes`` is a serialized ``SourceCodeInfo``, ``text`` the ``.proto`` text that the file was made of; both
    are empty where nobody sent them. ``is_import`` is True for what others own.
    """

    path: str
    package: str
    data: bytes
    is_import: bool = False
    notes: bytes = b""
    text: str = ""

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the descriptor."""
        return sha256(self.data).digest()

    @property
    def note_digest(self) -> bytes | None:
        """The SHA-256 of what is noted beside the descriptor; None without anything."""
        if not self.notes and not self.text:
            return None
        return sha256(len(self.notes).to_bytes(8, "big") + self.notes + self.text.encode()).digest()

    @property
    def descriptor(self) -> FileDescriptorProto:
        """The descriptor, without notes."""
        return FileDescriptorProto.FromString(self.data)

    @property
    def noted(self) -> FileDescriptorProto:
        """The descriptor with its notes."""
        file = self.descriptor
        if self.notes:
            file.source_code_info.MergeFromString(self.notes)
        return file


def filed(file: FileDescriptorProto, *, is_import: bool = False, text: str = "") -> FiledFile:
    """Return a file as it is stored; what it notes of its text comes apart."""
    bare = FileDescriptorProto()
    bare.CopyFrom(file)
    notes = b""
    if bare.HasField("source_code_info"):
        notes = bare.source_code_info.SerializeToString(deterministic=True)
        bare.ClearField("source_code_info")
    data = bare.SerializeToString(deterministic=True)
    return FiledFile(file.name, file.package, data, is_import, notes, text)


def set_digest(files: Iterable[FiledFile]) -> bytes:
    """Return the digest of files in their order: of descriptors, of whose they are, and of what is noted."""
    found = sha256()
    for one in files:
        found.update(one.digest + bytes([one.is_import]) + (one.note_digest or NO_NOTE))
    return found.digest()
