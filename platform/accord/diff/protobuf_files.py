"""Files and packages: what is gone from them, and the options that shape generated code."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from accord.diff.protobuf_changes import Difference, Differs
from accord.diff.protobuf_sides import nearest
from accord.formats.protobuf.model import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from accord.diff.changes import Steps
    from accord.diff.protobuf_sides import Sides
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import Enum, File, FileSet, Service, Tokens

SPEED = "SPEED"
# Option, rule; the values are those of the descriptor, with its defaults.
OPTIONS = {
    "cc_enable_arenas": Difference.FILE_SAME_CC_ENABLE_ARENAS,
    "cc_generic_services": Difference.FILE_SAME_CC_GENERIC_SERVICES,
    "csharp_namespace": Difference.FILE_SAME_CSHARP_NAMESPACE,
    "go_package": Difference.FILE_SAME_GO_PACKAGE,
    "java_generic_services": Difference.FILE_SAME_JAVA_GENERIC_SERVICES,
    "java_multiple_files": Difference.FILE_SAME_JAVA_MULTIPLE_FILES,
    "java_outer_classname": Difference.FILE_SAME_JAVA_OUTER_CLASSNAME,
    "java_package": Difference.FILE_SAME_JAVA_PACKAGE,
    "objc_class_prefix": Difference.FILE_SAME_OBJC_CLASS_PREFIX,
    "optimize_for": Difference.FILE_SAME_OPTIMIZE_FOR,
    "php_class_prefix": Difference.FILE_SAME_PHP_CLASS_PREFIX,
    "php_metadata_namespace": Difference.FILE_SAME_PHP_METADATA_NAMESPACE,
    "php_namespace": Difference.FILE_SAME_PHP_NAMESPACE,
    "py_generic_services": Difference.FILE_SAME_PY_GENERIC_SERVICES,
    "ruby_package": Difference.FILE_SAME_RUBY_PACKAGE,
    "swift_prefix": Difference.FILE_SAME_SWIFT_PREFIX,
}
OPTIMIZE_MODES = {1: SPEED, 2: "CODE_SIZE", 3: "LITE_RUNTIME"}


class Sort(NamedTuple):
    """A sort of declaration that files and packages lose: its rules, and where to find it.

    Where a package has none of a sort left, only the loss of services is told. Source: Buf 1.75.
    """

    in_file: Difference
    in_package: Difference
    of: Callable[[File], Iterable[Enum | Message | Field | Service]]
    is_last_told: bool = False


SORTS = (
    Sort(Difference.ENUM_NO_DELETE, Difference.PACKAGE_ENUM_NO_DELETE, lambda file: file.all_enums),
    Sort(
        Difference.EXTENSION_NO_DELETE,
        Difference.PACKAGE_EXTENSION_NO_DELETE,
        lambda file: file.all_extensions,
    ),
    Sort(Difference.MESSAGE_NO_DELETE, Difference.PACKAGE_MESSAGE_NO_DELETE, lambda file: file.all_messages),
    Sort(
        Difference.SERVICE_NO_DELETE,
        Difference.PACKAGE_SERVICE_NO_DELETE,
        lambda file: file.services,
        is_last_told=True,
    ),
)


def files(sides: Sides) -> Steps:
    """Compare the files, and the packages of those that differ."""
    for reader, writer in sides.file_pairs():
        if reader is None:
            yield Differs(writer.at, Difference.FILE_NO_DELETE, writer.path)
        elif reader.proto != writer.proto:
            yield from _file(reader, writer)
            yield from _declarations(reader, writer)
    yield from _packages(sides)


def _file(reader: File, writer: File) -> Steps:
    if reader.syntax != writer.syntax:
        at = (*reader.at, "syntax")
        yield Differs(at, Difference.FILE_SAME_SYNTAX, reader.path, reader.syntax, writer.syntax)
    if reader.package != writer.package:
        at = (*reader.at, "package")
        values = (reader.package or "none", writer.package or "none")
        yield Differs(at, Difference.FILE_SAME_PACKAGE, reader.path, *values)
    new, old = reader.proto.options, writer.proto.options
    for option, kind in OPTIONS.items():
        is_, was = getattr(new, option), getattr(old, option)
        if is_ != was:
            at = (*reader.at, "options", option)
            yield Differs(at, kind, option, _option(option, is_), _option(option, was))


def _option(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if name == "optimize_for" and isinstance(value, int):
        return OPTIMIZE_MODES.get(value, str(value))
    return str(value) or "none"


def _declarations(reader: File, writer: File) -> Steps:
    for sort in SORTS:
        left = {one.nested_name for one in sort.of(reader)}
        for one in sort.of(writer):
            if one.nested_name not in left:
                at = nearest(reader, one) or reader.at
                yield Differs(at, sort.in_file, one.nested_name, lost=one.at)


def _packages(sides: Sides) -> Steps:
    """Compare what the packages hold, of which a file changed or went away."""
    pairs = list(sides.file_pairs())
    changed = {old.package: None for new, old in pairs if new is None or new.proto != old.proto}
    if not changed:
        return
    ours = _by_package(sides.reader_files)
    theirs = _by_package(old for _, old in pairs)
    for package in changed:
        if package not in ours:
            first = theirs[package][0]
            at = (sides.reader.by_path.get(first.path) or first).at
            yield Differs(at, Difference.PACKAGE_NO_DELETE, package or "none")
            continue
        yield from _package(sides.reader, ours[package], theirs[package])


def _package(within: FileSet, ours: list[File], theirs: list[File]) -> Steps:
    for sort in SORTS:
        left = {one.nested_name for file in ours for one in sort.of(file)}
        if not left and not sort.is_last_told:
            continue
        for file in theirs:
            counterpart = within.by_path.get(file.path)
            for one in sort.of(file):
                if one.nested_name not in left:
                    at = _left(counterpart, one, file)
                    yield Differs(at, sort.in_package, one.nested_name, lost=one.at)


def _left(counterpart: File | None, one: Enum | Message | Field | Service, file: File) -> Tokens:
    """Return the place of what is left around a deleted thing.

    For a message that is the file alone, if that has another package now; else the message around it may
    have gone to another file. Source: Buf 1.75.
    """
    if isinstance(one, Message) and counterpart is not None:
        if counterpart.package != file.package:
            return counterpart.at
        return _elsewhere(counterpart, one) or nearest(counterpart, one) or file.at
    return nearest(counterpart, one) or file.at


def _elsewhere(file: File, one: Message) -> Tokens | None:
    """Return the place of the message around a deleted one, if another file has it now."""
    found = None if one.parent is None else file.within.types.get(one.parent.full_name)
    return found.at if isinstance(found, Message) and found.file is not file else None


def _by_package(files: Iterable[File]) -> dict[str, list[File]]:
    found: dict[str, list[File]] = defaultdict(list)
    for file in files:
        found[file.package].append(file)
    return found
