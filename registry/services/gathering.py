"""Which files an upload is about, in whichever of the three ways it is sent, with all that they import.

What is not sent is taken from the modules that the upload names, and from what the latest version of the
module imported. Files of both are imports: others own them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from accord.formats.limits import DEFAULT_LIMITS
from accord.formats.places import shown
from accord.formats.protobuf import service
from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.filing import filed
from accord.formats.protobuf.sets import checked_notes, checked_set
from accord.formats.protobuf.skimming import set_entry, skimmed
from accord.formats.protobuf.texts import set_of_texts
from registry.module_errors import FilesMissing, InvalidUpload
from registry.queries.modules import get_module_version, readable_files, served
from registry.queries.proto_files import stored_sets
from registry.records import LATEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.filing import FiledFile
    from accord.formats.protobuf.skimming import SkimmedFile
    from accord_server.kit.scope import Scope
    from registry.module_records import UploadSet

MOST_DIGESTS: Final = 10_000
DIFFERS: Final = (
    "{0} differs from the file of module {1} version {2}; send it as it is there, or leave it out"
)
NOTHING_OWN: Final = "every file of the set belongs to others; send the files of the module itself"
UNNAMED: Final = "the set has the file {0}, which the digests do not name; name it, or leave it out"


@dataclass(slots=True)
class _Others:
    """Files of others by path, and of which module they are."""

    files: dict[str, FiledFile] = field(default_factory=dict)
    homes: dict[str, tuple[str, int]] = field(default_factory=dict)

    def __contains__(self, path: str) -> bool:
        return path in self.files


def gathered(scope: Scope, command: UploadSet, latest: Sequence[FiledFile]) -> tuple[FiledFile, ...]:
    """Return the files of an upload as they are stored, imports first; ``latest`` is the latest version.

    Raises:
        InvalidUpload, FilesMissing: The parts do not fit together.
        ModuleNotFound, ModuleVersionNotFound: It depends on a module that may not be read.
        InvalidSchema, SchemaTooLarge, CompilerUnavailable: As checking the set does.
    """
    others = _others(scope, command, latest)
    sent = {one.path: one for one in _sent(scope, command, others)}
    _refuse_other_contents(sent, others)
    own = {path for path in sent if path not in others.homes and not is_built_in(path)}
    if not own:
        raise InvalidUpload(NOTHING_OWN)
    made = checked_set(_with_imports(sent, others), service.compiler())
    known = {one.digest: one for one in latest} if command.digests is not None else {}
    return tuple(
        _as_stored(one, sent.get(one.name), command, known) if one.name in own else filed(one, is_import=True)
        for one in made
    )


def _as_stored(
    file: FileDescriptorProto,
    sent: SkimmedFile | None,
    command: UploadSet,
    known: Mapping[bytes, FiledFile],
) -> FiledFile:
    """Return a file of the module; one that was only named keeps what the latest version notes of it."""
    found = filed(file, text=command.texts.get(file.name, ""))
    if sent and sent.notes:
        return found._replace(notes=checked_notes(sent.notes))
    before = known.get(found.digest)
    return found if before is None else found._replace(notes=before.notes, text=before.text)


def _others(scope: Scope, command: UploadSet, latest: Sequence[FiledFile]) -> _Others:
    found = _Others({one.path: one for one in latest if one.is_import})
    named: list[tuple[FiledFile, tuple[str, int]]] = []
    for name, number in command.depends:
        row = served(get_module_version(scope, name, LATEST if number is None else number))
        named += ((one, (name, row.number)) for one in stored_sets(scope, {row.set_key})[row.set_key])
    # Files are those of the module that owns them, whatever others of the named ones were made with.
    for one, home in sorted(named, key=lambda pair: not pair[0].is_import):
        found.files[one.path] = one
        if not is_built_in(one.path):
            found.homes[one.path] = home
    return found


def _sent(scope: Scope, command: UploadSet, others: _Others) -> list[SkimmedFile]:
    if command.texts:
        known = b"".join(
            set_entry(one.data) for one in others.files.values() if one.path not in command.texts
        )
        data = set_of_texts(command.texts, service.compiler(), known=known, limits=DEFAULT_LIMITS)
        return [one for one in skimmed(data) if one.path in command.texts]
    if command.digests is None:
        return skimmed(command.data)
    return _named(scope, command.digests, skimmed(command.data) if command.data else [])


def _named(scope: Scope, digests: Sequence[bytes], sent: Iterable[SkimmedFile]) -> list[SkimmedFile]:
    """Return the files of these digests: sent just now, or readable in some module of the namespace."""
    if len(digests) > MOST_DIGESTS:
        raise InvalidUpload(f"{len(digests)} digests are named, {MOST_DIGESTS} are allowed")
    known = {sha256(one.data).digest(): one for one in sent}
    named = set(digests)
    extra = [one.path for digest, one in known.items() if digest not in named]
    if extra:
        raise InvalidUpload(UNNAMED.format(shown(extra[0])))
    stored = readable_files(scope, [one for one in digests if one not in known])
    missing = tuple(one.hex() for one in digests if one not in known and one not in stored)
    if missing:
        raise FilesMissing(len(missing), missing[0], missing)
    known |= {digest: skimmed(set_entry(one.data))[0] for digest, one in stored.items()}
    return [known[digest] for digest in dict.fromkeys(digests)]


def _refuse_other_contents(sent: Mapping[str, SkimmedFile], others: _Others) -> None:
    for path, (module, number) in others.homes.items():
        if path in sent and sha256(sent[path].data).digest() != others.files[path].digest:
            raise InvalidUpload(DIFFERS.format(shown(path), shown(module), number))


def _with_imports(sent: Mapping[str, SkimmedFile], others: _Others) -> list[SkimmedFile]:
    """Return what was sent with all that it imports from others, directly or not."""
    found = dict(sent)
    waiting = [*sent.values()]
    while waiting:
        for path in waiting.pop().imports:
            if path not in found and path in others:
                found[path] = skimmed(set_entry(others.files[path].data))[0]
                waiting.append(found[path])
    return list(found.values())
