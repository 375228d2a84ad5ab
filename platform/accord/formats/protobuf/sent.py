"""Descriptors that somebody sent: which file of a set is meant, and whether it is what a text says.

A registry stores one text with references, so that whatever a schema imports must come from a reference;
what a set holds besides its root is only compared with those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.places import shown
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.descriptors import (
    DecodeError,
    FileDescriptorProto,
    FileDescriptorSet,
    OptionReader,
    is_understood,
)
from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.likeness import differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.errors import InvalidSchema

NOT_PROTOCS: Final = "The descriptor is not one that protoc makes; compile the file and send its descriptor"
NOT_REFERENCED: Final = (
    "The set was compiled with other files than its references bring;"
    " register those and refer to their versions, or compile it with what is registered"
)
NO_ROOT: Final = "Which file of the set is the schema cannot be told; send the descriptor of that file alone"


class SentFiles(NamedTuple):
    """The file that a descriptor is about, and the others of its set by path."""

    root: FileDescriptorProto
    others: Mapping[str, FileDescriptorProto]


def sent_files(data: bytes) -> SentFiles:
    """Return what a serialized file or set of files holds.

    The bytes of a set begin like those of a file, but hold nothing else. Raises ``DecodeError`` of protobuf
    for neither, `accord.errors.InvalidSchema` where it cannot be told which file of the set is meant.
    """
    file = FileDescriptorProto.FromString(data)
    try:
        files = FileDescriptorSet.FromString(data)
    except DecodeError:
        return SentFiles(file, {})
    if not (files.file and is_understood(files) and all(map(is_understood, files.file))):
        return SentFiles(file, {})
    others = {one.name: one for one in files.file}
    if len(others) < len(files.file):
        refuse_descriptor(["Two files of the set have one name"])
    root = _root(files.file)
    del others[root.name]
    return SentFiles(root, others)


def _root(files: Sequence[FileDescriptorProto]) -> FileDescriptorProto:
    """Return the file that no other one imports; of several the last of the set."""
    imported = {path for file in files for path in (*file.dependency, *file.option_dependency)}
    roots = [file for file in files if file.name not in imported]
    if len(roots) == 1 or (roots and roots[-1] is files[-1]):
        return roots[-1]
    names = [f"{shown(one.name)} may be it" for one in roots] or ["each of them is imported by another one"]
    raise _refused(NO_ROOT, names)


def refuse_unlike_imports(sent: SentFiles, imports: Sequence[FileDescriptorProto]) -> None:
    """Refuse a set whose files are not those that references bring; ``imports`` is all they bring."""
    reader = OptionReader(imports)
    flaws = [
        f"{title} of {shown(made.name)} differs"
        for made in imports
        if made.name in sent.others and not is_built_in(made.name)
        for title in differences(sent.others[made.name], made, reader)
    ]
    refuse_descriptor(flaws, NOT_REFERENCED)


def refuse_unlike(sent: FileDescriptorProto, files: Sequence[FileDescriptorProto]) -> None:
    """Refuse a descriptor whose text compiles to something else; ``files`` ends with what it compiles to."""
    found = differences(sent, files[-1], OptionReader(files))
    refuse_descriptor(f"{title} would be stored as something else" for title in found)


def refuse_descriptor(flaws: Iterable[str], reason: str = NOT_PROTOCS) -> None:
    """Raise `accord.errors.InvalidSchema` with the reason and all the flaws, if there is one."""
    found = list(flaws)
    if found:
        raise _refused(reason, found)


def _refused(reason: str, flaws: Iterable[str]) -> InvalidSchema:
    return invalid(Diagnostic("", 0, 0, sentence) for sentence in (reason, *flaws))
