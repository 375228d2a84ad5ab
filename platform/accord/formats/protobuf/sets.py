"""Sets of descriptors that somebody sent, checked by protoc and put in order as protoc does.

What comes out is what protoc makes of a set: imports before those who import them, types resolved, JSON names
filled in. Built-in files are those of this platform, whoever sends others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.places import shown
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.canonical import canonical_text, escaped
from accord.formats.protobuf.decompiling import decompiled
from accord.formats.protobuf.descriptors import DecodeError, OptionReader, SourceCodeInfo, all_options
from accord.formats.protobuf.diagnostics import Diagnostic, invalid
from accord.formats.protobuf.exchange import Job, Status
from accord.formats.protobuf.filesets import parse_set
from accord.formats.protobuf.paths import path_flaw
from accord.formats.protobuf.references import NOBODY
from accord.formats.protobuf.skimming import set_entry
from accord.formats.protobuf.soundness import descriptor_flaws

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from accord.formats.protobuf.client import Compiler
    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.exchange import Outcome
    from accord.formats.protobuf.skimming import SkimmedFile

SPANS: Final = frozenset((3, 4))
UNREADABLE: Final = "Unable to parse."
BROKEN: Final = "The set cannot be read: its bytes are broken, or its messages nest too deep"
NOT_FOUND: Final = "was not found or had errors"
MISSING: Final = (
    "{0} imports {1}, which is not in the set; send it as well (protoc --include_imports),"
    " or name the module that has it"
)


def checked_set(files: Sequence[SkimmedFile], compiler: Compiler) -> tuple[FileDescriptorProto, ...]:
    """Return the files of a set as protoc makes them, imports first, without notes.

    Raises `accord.errors.InvalidSchema` with all that is wrong, `SchemaTooLarge` for more than the compiler
    takes, and `CompilerUnavailable`.
    """
    own = {one.path: one for one in files if not is_built_in(one.path)}
    _refuse(_path_flaws(files))
    _refuse(_name_flaws(own))
    _refuse(_import_flaws(own))
    _refuse(_circles(own))
    text = 'syntax = "proto3";\n' + "".join(f'import "{escaped(path.encode())}";\n' for path in sorted(own))
    outcome = compiler.compile(Job({NOBODY: text}, b"".join(set_entry(one.data) for one in own.values())))
    made = tuple(parse_set(_compiled(outcome)))[:-1]
    reader = OptionReader(made)
    for file in made:
        if file.name in own:
            _refuse(f"{file.name}: {flaw}" for flaw in descriptor_flaws(file))
            _refuse(_option_flaws(file, reader))
    return made


def checked_notes(notes: bytes) -> bytes:
    """Return a ``SourceCodeInfo`` without the places that are none. Raises `accord.errors.InvalidSchema`."""
    try:
        found = SourceCodeInfo.FromString(notes)
    except DecodeError:
        raise invalid([Diagnostic("", 0, 0, "The source_code_info of a file cannot be read")]) from None
    kept = [one for one in found.location if len(one.span) in SPANS]
    return SourceCodeInfo(location=kept).SerializeToString(deterministic=True)


def file_text(file: FileDescriptorProto, options: OptionReader) -> str:
    """Return a file as somebody might have written it; ``options`` knows what it and its imports declare."""
    return canonical_text(decompiled(file, options))


def _refuse(flaws: Iterable[str]) -> None:
    found = [Diagnostic("", 0, 0, flaw) for flaw in flaws]
    if found:
        raise invalid(found)


def _name_flaws(own: Mapping[str, SkimmedFile]) -> Iterator[str]:
    """Protoc only says that it does not like the set."""
    homes: dict[str, str] = {}
    for path, file in own.items():
        for name in file.names:
            if name in homes:
                yield f"{shown(homes[name])} and {shown(path)} both declare {shown(name)}; take one out"
            homes[name] = path


def _path_flaws(files: Sequence[SkimmedFile]) -> Iterator[str]:
    seen: set[str] = set()
    for one in files:
        flaw = path_flaw(one.path)
        if flaw:
            yield flaw
        if one.path in seen:
            yield f"Two files of the set are called {shown(one.path)}; send one of them"
        seen.add(one.path)


def _import_flaws(own: Mapping[str, SkimmedFile]) -> Iterator[str]:
    for one in own.values():
        for path in one.imports:
            if path not in own and not is_built_in(path):
                yield MISSING.format(shown(one.path), shown(path))


def _circles(own: Mapping[str, SkimmedFile]) -> Iterator[str]:
    """Yield the first import that leads back; protoc says it of each file of the circle."""
    done: set[str] = set()
    for start in own:
        way: dict[str, Iterator[str]] = {}
        waiting = [start]
        while waiting:
            path = waiting[-1]
            if path not in way:
                way[path] = iter(own[path].imports)
            following = next((one for one in way[path] if one in own and one not in done), None)
            if following is None:
                done.add(waiting.pop())
                del way[path]
            elif following in way:
                yield f"{shown(path)} imports {shown(following)}, which leads back to it; break the circle"
                return
            else:
                waiting.append(following)


def _compiled(outcome: Outcome) -> bytes:
    if outcome.status is Status.DIED:
        sentence = f"The compiler refused the set: {outcome.reason}; send fewer or smaller files"
        raise invalid([Diagnostic("", 0, 0, sentence)])
    if outcome.status is Status.REFUSED:
        if any(one.message == UNREADABLE for one in outcome.diagnostics):
            raise invalid([Diagnostic("", 0, 0, BROKEN)])
        told = [one for one in outcome.diagnostics if NOT_FOUND not in one.message] or outcome.diagnostics
        raise invalid(one._replace(file="" if one.file == NOBODY else one.file, line=0) for one in told)
    return outcome.descriptors


def _option_flaws(file: FileDescriptorProto, reader: OptionReader) -> Iterator[str]:
    for name, options in all_options(file):
        for number in reader.unknown(options):
            yield (
                f"{shown(name)} has the option number {number}, which no file of the set declares;"
                " send the file that declares it as well"
            )
