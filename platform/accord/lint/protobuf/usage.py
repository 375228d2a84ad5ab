"""Imports that only pass on what is imported anyway.

protoc counts an import as used if a type comes through it, by a public import of its own, even where the file
imports the type's own file as well. Buf does not, and nobody needs such an import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.model import File, FileSet

# The messages that options are extensions of.
OPTIONS: Final = frozenset(
    f"google.protobuf.{kind}Options"
    for kind in (
        "File",
        "Message",
        "Field",
        "Oneof",
        "ExtensionRange",
        "Enum",
        "EnumValue",
        "Service",
        "Method",
    )
)


def passing_on(files: FileSet) -> Iterator[tuple[str, str]]:
    """Yield such imports of own files, by importing and imported path.

    One through which custom options come is never among them: whether those are used is not looked at.
    """
    for file in files.own:
        imported = set(file.proto.dependency)
        carriers = [
            path for path in file.proto.dependency if path in files.by_path and _passed(files, path) != {path}
        ]
        used = _used(file) if carriers else set()
        for path in carriers:
            through = _passed(files, path)
            has_options = any(
                extension.extendee in OPTIONS
                for one in through
                for extension in files.by_path[one].all_extensions
            )
            is_own = path in used or not (through & used) <= imported
            if not has_options and not is_own and _index(file, path) not in file.proto.public_dependency:
                yield file.path, path


def _index(file: File, path: str) -> int:
    return list(file.proto.dependency).index(path)


def _passed(files: FileSet, path: str) -> set[str]:
    """Return the files whose names come with an import: its own, and what is public in it."""
    found = {path}
    waiting = [path]
    while waiting:
        proto = files.by_path[waiting.pop()].proto
        inner = {proto.dependency[at] for at in proto.public_dependency} - found
        waiting += (one for one in inner if one in files.by_path)
        found |= inner & files.by_path.keys()
    return found


def _used(file: File) -> set[str]:
    """Return the files that declare the types that a file names."""
    types = file.within.types
    fields = [field for message in file.all_messages for field in message.fields]
    names = {field.type_name for field in (*fields, *file.all_extensions)}
    names |= {one.extendee for one in file.all_extensions}
    methods = (method.proto for service in file.services for method in service.methods.values())
    for method in methods:
        names |= {method.input_type.removeprefix("."), method.output_type.removeprefix(".")}
    return {types[name].file.path for name in names if name in types}
