"""Compiled files and sets of them: looked for by digest and kept from being collected, stored, read.

Each function is one statement, however many files it is about. What is kept stays at least until the end of
the transaction: collecting waits for it, and looks again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from django.db import connection

from accord.formats.protobuf.diagnostics import Diagnostic
from accord.formats.protobuf.filing import FiledFile
from accord.model import Format
from registry.errors import PurgedMeanwhile
from registry.queries.places import namespace_of
from registry.queries.rows import references_to_store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from accord.model import Reference
    from accord_server.kit.scope import Scope

Found = TypeVar("Found")

# Always in the order of digests, so that two that store the same files wait for each other and never both.
KEEP_FILES: Final = """
SELECT digest, id FROM registry_protofile
WHERE tenant_id = %s AND digest = ANY(%s) ORDER BY digest FOR KEY SHARE
"""
ADD_FILES: Final = """
INSERT INTO registry_protofile (tenant_id, digest, path, package, descriptor)
SELECT %s, given.* FROM unnest(%s::bytea[], %s::text[], %s::text[], %s::bytea[])
    AS given (digest, path, package, descriptor)
ORDER BY given.digest
ON CONFLICT (tenant_id, digest) DO NOTHING
RETURNING digest, id
"""
KEEP_NOTES: Final = """
SELECT digest, id FROM registry_protonote
WHERE tenant_id = %s AND digest = ANY(%s) ORDER BY digest FOR KEY SHARE
"""
ADD_NOTES: Final = """
INSERT INTO registry_protonote (tenant_id, digest, text, source_info)
SELECT %s, given.* FROM unnest(%s::bytea[], %s::text[], %s::bytea[]) AS given (digest, text, source_info)
ORDER BY given.digest
ON CONFLICT (tenant_id, digest) DO NOTHING
RETURNING digest, id
"""
KEEP_SETS: Final = """
SELECT digest, id FROM registry_descriptorset
WHERE tenant_id = %s AND digest = ANY(%s) ORDER BY digest FOR KEY SHARE
"""
ADD_SETS: Final = """
INSERT INTO registry_descriptorset (tenant_id, digest, warnings)
SELECT %s, given.digest, given.warnings::jsonb
FROM unnest(%s::bytea[], %s::text[]) AS given (digest, warnings)
ORDER BY given.digest
ON CONFLICT (tenant_id, digest) DO NOTHING
RETURNING digest, id
"""
ADD_ENTRIES: Final = """
INSERT INTO registry_descriptorsetentry (tenant_id, set_id, position, file_id, note_id, is_import)
SELECT %s, given.* FROM unnest(%s::bigint[], %s::smallint[], %s::bigint[], %s::bigint[], %s::bool[])
    AS given (set_id, position, file_id, note_id, is_import)
"""
# One that is not wanted is not read: descriptors and texts may be long.
FILES: Final = """
SELECT entry.set_id, file.path, file.package, file.descriptor, entry.is_import,
    CASE WHEN %s THEN note.source_info END, CASE WHEN %s THEN note.text END
FROM registry_descriptorsetentry AS entry
JOIN registry_protofile AS file ON file.id = entry.file_id
LEFT JOIN registry_protonote AS note ON note.id = entry.note_id
WHERE entry.tenant_id = %s AND entry.set_id = ANY(%s)
ORDER BY entry.set_id, entry.position
"""
# Many sets share most of their files, which are read once.
OUTLINES: Final = """
SELECT listed.id, listed.warnings::text, array_agg(entry.file_id ORDER BY entry.position)
FROM registry_descriptorset AS listed
JOIN registry_descriptorsetentry AS entry
    ON entry.tenant_id = listed.tenant_id AND entry.set_id = listed.id
WHERE listed.tenant_id = %s AND listed.id = ANY(%s)
GROUP BY listed.id
"""
DESCRIPTORS: Final = "SELECT id, descriptor FROM registry_protofile WHERE tenant_id = %s AND id = ANY(%s)"
SET_OF_SCHEMA: Final = """
SELECT descriptor_set_id FROM registry_schema
WHERE tenant_id = %s AND namespace_id = %s AND context = %s AND number = %s
"""

# What a text was compiled to depends on what its references are.
SET_OF_TEXT: Final = """
SELECT schema.descriptor_set_id FROM registry_content AS content
JOIN registry_schema AS schema ON schema.content_id = content.id
WHERE content.tenant_id = %s AND content.digest = %s AND content.format = %s AND schema.namespace_id = %s
    AND schema."references" = %s::jsonb AND schema.descriptor_set_id IS NOT NULL
LIMIT 1
"""


class SetOutline(NamedTuple):
    """The row keys of the files of a set, imports first, and what protoc warned of when it made them."""

    file_keys: tuple[int, ...]
    warnings: tuple[Diagnostic, ...]


class NewEntry(NamedTuple):
    """A file at its place in a set, by row keys."""

    set_key: int
    position: int
    file_key: int
    note_key: int | None
    is_import: bool


def kept_files(scope: Scope, digests: Iterable[bytes]) -> dict[bytes, int]:
    """Return the row keys of the files that are there, and keep them."""
    return _keys(KEEP_FILES, [scope.tenant.id, sorted(digests)])


def added_files(scope: Scope, files: Sequence[FiledFile]) -> dict[bytes, int]:
    """Store files and return the row keys of those that nobody else stored meanwhile."""
    columns = [[one.digest, one.path, one.package, one.data] for one in files]
    return _keys(ADD_FILES, [scope.tenant.id, *map(list, zip(*columns, strict=True))])


def kept_notes(scope: Scope, digests: Iterable[bytes]) -> dict[bytes, int]:
    """Return the row keys of the notes that are there, and keep them."""
    return _keys(KEEP_NOTES, [scope.tenant.id, sorted(digests)])


def added_notes(scope: Scope, files: Sequence[FiledFile]) -> dict[bytes, int]:
    """Store what is noted of files and return the row keys of what nobody else stored meanwhile."""
    columns = [[one.note_digest, one.text, one.notes] for one in files]
    return _keys(ADD_NOTES, [scope.tenant.id, *map(list, zip(*columns, strict=True))])


def kept_sets(scope: Scope, digests: Iterable[bytes]) -> dict[bytes, int]:
    """Return the row keys of the sets that are there, and keep them with all their files."""
    return _keys(KEEP_SETS, [scope.tenant.id, sorted(digests)])


def added_sets(scope: Scope, sets: Mapping[bytes, Iterable[Diagnostic]]) -> dict[bytes, int]:
    """Store sets, with what protoc warned of, and return the row keys of those that nobody else stored."""
    warnings = [json.dumps(list(one)) for one in sets.values()]
    return _keys(ADD_SETS, [scope.tenant.id, list(sets), warnings])


def add_entries(scope: Scope, entries: Sequence[NewEntry]) -> None:
    """Store the files of sets at their places."""
    with connection.cursor() as cursor:
        cursor.execute(ADD_ENTRIES, [scope.tenant.id, *map(list, zip(*entries, strict=True))])


def stored_sets(
    scope: Scope, set_keys: Collection[int], *, notes: bool = False, texts: bool = False
) -> dict[int, tuple[FiledFile, ...]]:
    """Return the files of sets by row key; ``notes`` and ``texts`` only where they are asked for.

    Raises:
        PurgedMeanwhile: One of them was collected since its key was read.
    """
    found: defaultdict[int, list[FiledFile]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(FILES, [notes, texts, scope.tenant.id, list(set_keys)])
        for key, path, package, data, is_import, noted, text in cursor.fetchall():
            found[key].append(
                FiledFile(path, package, bytes(data), is_import, bytes(noted or b""), text or "")
            )
    return _whole({key: tuple(files) for key, files in found.items()}, set_keys)


def set_outlines(scope: Scope, set_keys: Collection[int]) -> dict[int, SetOutline]:
    """Return of which files sets consist, by row key; raises as `stored_sets`."""
    with connection.cursor() as cursor:
        cursor.execute(OUTLINES, [scope.tenant.id, list(set_keys)])
        found = {
            key: SetOutline(tuple(files), tuple(Diagnostic(*one) for one in json.loads(told)))
            for key, told, files in cursor.fetchall()
        }
    return _whole(found, set_keys)


def descriptors_of(scope: Scope, file_keys: Collection[int]) -> dict[int, bytes]:
    """Return descriptors by the row keys of their files; raises as `stored_sets`."""
    with connection.cursor() as cursor:
        cursor.execute(DESCRIPTORS, [scope.tenant.id, list(file_keys)])
        return _whole({key: bytes(data) for key, data in cursor.fetchall()}, file_keys)


def set_of_schema(scope: Scope, schema_id: int, *, context: str) -> int | None:
    """Return the row key of what a schema was compiled to; None where nobody kept that."""
    return _key(SET_OF_SCHEMA, [scope.tenant.id, namespace_of(scope), context, schema_id])


def set_of_text(scope: Scope, digest: bytes, references: Sequence[Reference]) -> int | None:
    """Return the row key of what a canonical text with these references was compiled to, if that is known."""
    values = [scope.tenant.id, digest, Format.PROTOBUF, namespace_of(scope)]
    return _key(SET_OF_TEXT, [*values, json.dumps(references_to_store(references))])


def _whole(found: dict[int, Found], wanted: Collection[int]) -> dict[int, Found]:
    if len(found) < len(set(wanted)):
        raise PurgedMeanwhile
    return found


def _keys(statement: str, values: list[Any]) -> dict[bytes, int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return {bytes(digest): key for digest, key in cursor.fetchall()}


def _key(statement: str, values: list[Any]) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found: tuple[int | None] | None = cursor.fetchone()
        return None if found is None else found[0]
