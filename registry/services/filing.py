"""Sets of compiled Protobuf files, stored file by file: each file once per tenant, whoever uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.formats.protobuf.filing import filed, set_digest
from accord.model import Format
from registry.queries.proto_files import (
    add_entries,
    added_files,
    added_notes,
    added_set,
    kept_files,
    kept_notes,
    kept_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from accord.formats import ParsedSchema
    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.formats.protobuf.filing import FiledFile
    from accord.formats.protobuf.schema import ProtobufSchema
    from accord_server.kit.scope import Scope


def store_set(scope: Scope, files: Sequence[FiledFile], warnings: Iterable[Diagnostic] = ()) -> int:
    """Return the key of a set, storing what of it is not there yet, and keep it from being collected.

    Call it in the transaction that makes something point to the set. The number of statements does not
    depend on the number of files.
    """
    digest = set_digest(files)
    known = kept_set(scope, digest)
    if known is not None:
        return known
    file_keys = _stored(scope, {one.digest: one for one in files}, kept_files, added_files)
    noted = {mark: one for one in files if (mark := one.note_digest) is not None}
    note_keys = _stored(scope, noted, kept_notes, added_notes) if noted else {}
    while True:
        made = added_set(scope, digest, warnings)
        if made is not None:
            entries = [
                (file_keys[one.digest], note_keys.get(one.note_digest or b""), one.is_import) for one in files
            ]
            add_entries(scope, made, entries)
            return made
        known = kept_set(scope, digest)
        if known is not None:
            return known


def filed_schema(parsed: ParsedSchema) -> tuple[FiledFile, ...]:
    """Return the files of a Protobuf schema as they are stored; other formats have none."""
    if parsed.format is not Format.PROTOBUF:
        return ()
    *imports, own = cast("ProtobufSchema", parsed).files
    return (*(filed(one, is_import=True) for one in imports), filed(own))


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
