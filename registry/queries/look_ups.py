"""Where a schema is that somebody knows by what it is: one statement each, whatever is stored.

What the caller may read is data of the statement and not a part of its text; a row that may not be read is
no row, so that it changes neither a list nor where its parts end.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.model import Format, SubjectName
from accord_server.kit.paging import Batch
from registry.look_up_records import FoundSchema, Identity, Use, UsePlace
from registry.queries.places import namespace_of
from registry.queries.rows import references_of
from registry.queries.visibility import COVERED_SUBJECT, COVERS, cover_of, covered_by_column, covers_of
from tenants.access import require_somewhere
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

RIGHT: Final = "schema.read"
BEGINNING: Final = UsePlace("", "", "", 0)


COLUMNS: Final = {
    Identity.DIGEST: "content.digest",
    Identity.GUID: "schema.guid",
    Identity.RABIN: "schema.rabin",
    Identity.MD5: "schema.md5",
    Identity.SHA256: "schema.sha256",
}
FOUND: Final = f"""
SELECT schema.id, schema.number, schema.context, schema.guid, content.digest, content.format,
    schema.references::text, schema.rabin, schema.md5, schema.sha256, schema.created_at
FROM registry_schema AS schema
JOIN registry_content AS content ON content.id = schema.content_id AND content.tenant_id = schema.tenant_id
WHERE schema.tenant_id = %(tenant)s AND schema.namespace_id = %(namespace)s AND {{column}} = %(value)s
    AND schema.id > %(after)s
    AND EXISTS (
        SELECT FROM registry_version AS version
        JOIN registry_subject AS subject ON subject.id = version.subject_id
        WHERE version.tenant_id = schema.tenant_id AND version.schema_id = schema.id
            AND {COVERED_SUBJECT}
    )
ORDER BY schema.id
LIMIT %(limit)s
"""  # noqa: S608  # put together from the constants above
BY: Final = {one: FOUND.format(column=column) for one, column in COLUMNS.items()}
USES: Final = f"""
SELECT namespace.slug, subject.context, subject.name, version.number, schema.number, content.format,
    version.deleted_at IS NOT NULL
FROM registry_content AS content
JOIN registry_schema AS schema ON schema.tenant_id = content.tenant_id AND schema.content_id = content.id
JOIN registry_version AS version
    ON version.tenant_id = schema.tenant_id AND version.schema_id = schema.id
JOIN registry_subject AS subject ON subject.id = version.subject_id
JOIN tenants_namespace AS namespace
    ON namespace.tenant_id = schema.tenant_id AND namespace.id = schema.namespace_id
JOIN {COVERS} ON cover.namespace = schema.namespace_id
WHERE content.tenant_id = %(tenant)s AND content.digest = %(digest)s
    AND (%(deleted)s OR version.deleted_at IS NULL)
    AND {covered_by_column("cover.")}
    AND (namespace.slug COLLATE "C", subject.context, subject.name, version.number)
        > (%(slug)s COLLATE "C", %(context)s, %(name)s, %(version)s)
ORDER BY namespace.slug COLLATE "C", subject.context, subject.name, version.number
LIMIT %(limit)s
"""  # noqa: S608  # as above
UNPRINTED: Final = "SELECT * FROM registry_tenants_with_unprinted_schemas()"


def find_schemas(
    scope: Scope, identity: Identity, value: bytes | UUID, *, after: int, limit: int
) -> Batch[FoundSchema]:
    """Return the schemas of the namespace that are called so, of whichever context, oldest first.

    Soft-deleted ones count, as they do for reads by id. ``after`` is our own key of the last one told.

    Raises:
        RightMissing: ``schema.read`` is held on no subject of the namespace.
    """
    require_somewhere(scope, RIGHT)
    values = {
        **cover_of(scope, (RIGHT,)).parameters(),
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "value": value,
        "after": after,
        "limit": limit + 1,
    }
    rows = _rows(BY[identity], values)
    kept = rows[:limit]
    return Batch(tuple(map(_found, kept)), str(kept[-1][0]) if len(rows) > limit else None)


def uses_of(
    scope: Scope, digest: bytes, *, deleted: bool, after: UsePlace | None, limit: int
) -> tuple[tuple[Use, ...], UsePlace | None]:
    """Return the versions with this content wherever in the tenant the caller may read, and where to go on.

    Raises:
        RightMissing: ``schema.read`` is held on no subject of any namespace.
    """
    covers = covers_of(scope, (RIGHT,))
    if not covers:
        raise RightMissing(RIGHT)
    place = after or BEGINNING
    values = {
        "covers": json.dumps(covers),
        "tenant": scope.tenant.id,
        "digest": digest,
        "deleted": deleted,
        "slug": place.namespace,
        "context": place.context,
        "name": place.name,
        "version": place.version,
        "limit": limit + 1,
    }
    rows = _rows(USES, values)
    kept = tuple(map(_use, rows[:limit]))
    return kept, _place(kept[-1]) if len(rows) > limit else None


def tenants_with_unprinted_schemas() -> list[UUID]:
    """Return the tenants that have schemas whose fingerprints wait to be filled in."""
    return [tenant for (tenant,) in _rows(UNPRINTED, {})]


def _found(row: tuple[Any, ...]) -> FoundSchema:
    _, number, context, guid, digest, format_, references, rabin, md5, sha256, created_at = row
    hashes = {"rabin": rabin, "md5": md5, "sha256": sha256}
    return FoundSchema(
        id=number,
        context=context,
        guid=guid,
        digest=bytes(digest).hex(),
        format=Format(format_),
        references=references_of(json.loads(references)),
        fingerprints={name: bytes(value).hex() for name, value in hashes.items() if value},
        created_at=created_at,
    )


def _use(row: tuple[Any, ...]) -> Use:
    slug, context, name, version, schema_id, format_, is_deleted = row
    return Use(slug, SubjectName(name, context), version, schema_id, Format(format_), is_deleted)


def _place(use: Use) -> UsePlace:
    return UsePlace(use.namespace, use.subject.context, use.subject.name, use.version)


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
