"""Sets of compiled Protobuf files, stored file by file: each file once per tenant, whoever uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from accord.formats.protobuf.filing import filed, set_digest
from accord.model import Format
from registry.queries.proto_files import (
    NewEntry,
    add_entries,
    added_files,
    added_notes,
    added_sets,
    kept_files,
    kept_notes,
    kept_sets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.formats.protobuf.filing import FiledFile
    from accord.formats.protobuf.schema import ProtobufSchema
    from accord_server.kit.scope import Scope


class NewSet(NamedTuple):
    """The files of a set, imports first, and what protoc warned of when it made them."""

    files: Sequence[FiledFile]
    warnings: Sequence[Diagnostic] = ()


def store_set(scope: Scope, files: Sequence[FiledFile], warnings: Sequence[Diagnostic] = ()) -> int:
    """Return the key of a set, storing what of it is not there yet: see `store_sets`."""
    (key,) = store_sets(scope, [NewSet(files, warnings)])
    return key


def store_sets(scope: Scope, sets: Sequence[NewSet]) -> list[int]:
    """Return the keys of sets, storing what is not there yet, and keep them from being collected.

    Call it in the transaction that makes something point to the sets. The number of statements depends
    neither on the number of files nor on that of sets.
    """
    digests = [set_digest(one.files) for one in sets]
    wanted = dict(zip(digests, sets, strict=True))
    found = kept_sets(scope, wanted) if wanted else {}
    missing = {digest: one for digest, one in wanted.items() if digest not in found}
    if missing:
        found |= _stored_sets(scope, missing)
    return [found[digest] for digest in digests]


def set_of(parsed: ParsedSchema) -> NewSet | None:
    """Return what a Protobuf schema was compiled to, so that nobody has to compile it again; else nothing."""
    if parsed.format is not Format.PROTOBUF:
        return None
    return NewSet(filed_schema(parsed), cast("ProtobufSchema", parsed).warnings)


def filed_schema(parsed: ParsedSchema) -> tuple[FiledFile, ...]:
    """Return the files of a Protobuf schema as they are stored."""
    *imports, own = cast("ProtobufSchema", parsed).files
    return (*(filed(one, is_import=True) for one in imports), filed(own))


def _stored_sets(scope: Scope, wanted: Mapping[bytes, NewSet]) -> dict[bytes, int]:
    every = [one for made in wanted.values() for one in made.files]
    files = _stored(scope, {one.digest: one for one in every}, kept_files, added_files)
    noted = {mark: one for one in every if (mark := one.note_digest) is not None}
    notes = _stored(scope, noted, kept_notes, added_notes) if noted else {}
    found: dict[bytes, int] = {}
    while missing := wanted.keys() - found.keys():
        made = added_sets(scope, {digest: wanted[digest].warnings for digest in missing})
        if made:
            add_entries(
                scope,
                [
                    NewEntry(key, at, files[one.digest], notes.get(one.note_digest or b""), one.is_import)
                    for digest, key in made.items()
                    for at, one in enumerate(wanted[digest].files)
                ],
            )
        elsewhere = missing - made.keys()
        found |= made | (kept_sets(scope, elsewhere) if elsewhere else {})
    return found


def _stored(
    scope: Scope,
    wanted: Mapping[bytes, FiledFile],
    keep: Callable[[Scope, Iterable[bytes]], dict[bytes, int]],
    add: Callable[[Scope, Sequence[FiledFile]], dict[bytes, int]],
) -> dict[bytes, int]:
    """Return the row keys of all that is wanted; what is collected between two statements is stored anew."""
    found = keep(scope, wanted)
    while missing := wanted.keys() - found.keys():
        found |= add(scope, [wanted[digest] for digest in missing])
        elsewhere = missing - found.keys()
        if elsewhere:
            found |= keep(scope, elsewhere)
    return found
