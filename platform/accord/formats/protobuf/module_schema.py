"""Protobuf files that belong together, seen as one schema, so that whole modules can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from accord.formats.protobuf.grammar import read_source
from accord.formats.protobuf.model import File, FileSet
from accord.formats.protobuf.outline import Outline
from accord.model import Format

if TYPE_CHECKING:
    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.model import Reference


@dataclass(frozen=True, slots=True)
class ModuleSchema:
    """A set of files as an `accord.formats.ParsedSchema`; it is compared and never stored.

    ``digest`` is one that two modules share if their own files are the same; ``canonical`` is the text of
    the one file that this is about, and the digest of many.
    """

    root: FileSet
    digest: str
    canonical: str
    references: tuple[Reference, ...] = ()
    format: ClassVar[Format] = Format.PROTOBUF

    def normalized(self) -> ModuleSchema:
        """Return the module itself: its digest is over descriptors, in which spelling is settled."""
        return self

    def resolved(self) -> str:
        """Return the text as it is, or the digest: many files are no text."""
        return self.canonical

    def comparable(self) -> str:
        """Return the digest."""
        return self.digest


def module_schema(files: FileSet) -> ModuleSchema:
    """Return all own files of a set as one schema."""
    digest = _digest(files)
    return ModuleSchema(files, digest, digest)


def file_in_module(files: FileSet, path: str, text: str) -> ModuleSchema:
    """Return one file of a set as a schema by itself: all that it imports serves its names.

    ``text`` is what it was compiled from; some presets look at names as they are spelled there.
    """
    written, flaws = read_source(text)
    nodes = FileSet()
    for proto in _with_imports(files, path):
        is_root = proto.name == path
        source = Outline(written, proto) if is_root and not flaws else None
        nodes.add(File(proto, nodes, is_import=not is_root, source=source))
    return ModuleSchema(nodes, _digest(nodes), text)


def _with_imports(files: FileSet, path: str) -> list[FileDescriptorProto]:
    """The descriptors of a file and of all that it needs, in the order of the set."""
    needed, waiting = {path}, [path]
    while waiting:
        imported = files.by_path[waiting.pop()].proto.dependency
        waiting += [one for one in imported if one not in needed]
        needed.update(imported)
    return [one.proto for one in files.files if one.path in needed]


def _digest(files: FileSet) -> str:
    found = sha256()
    for file in sorted(files.own, key=lambda one: one.path):
        found.update(sha256(file.proto.SerializeToString(deterministic=True)).digest())
    return found.hexdigest()
