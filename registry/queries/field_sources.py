"""Which version of a subject its fields are those of, and which are listed so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import connection

from accord_server.kit.each_tenant import tenants_from
from registry.queries.places import namespace_of

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

# Of versions of a subject, before the latest, that are searched.
MOST_OLDER: Final = 20
# The latest live version that may be used, or else one that may not, or else the latest that was deleted.
NEWEST: Final = """
SELECT subject.id, version.number, version.schema_id, content.format, version.created_at,
    version.deleted_at IS NOT NULL, ARRAY(
        SELECT old.id FROM registry_version AS old
        WHERE old.tenant_id = version.tenant_id AND old.subject_id = version.subject_id
            AND old.id <> version.id AND (old.deleted_at IS NOT NULL) = (version.deleted_at IS NOT NULL)
            AND old.state <> 'disabled'
        ORDER BY old.number DESC LIMIT %(older)s
    )
FROM registry_subject AS subject
JOIN registry_version AS version ON version.subject_id = subject.id AND version.tenant_id = subject.tenant_id
JOIN registry_schema AS schema ON schema.id = version.schema_id AND schema.tenant_id = version.tenant_id
JOIN registry_content AS content ON content.id = schema.content_id AND content.tenant_id = schema.tenant_id
WHERE subject.tenant_id = %(tenant)s AND subject.namespace_id = %(namespace)s
    AND subject.context = %(context)s AND subject.name = %(name)s
ORDER BY version.deleted_at IS NOT NULL, version.state = 'disabled', version.number DESC LIMIT 1
"""
OLDER: Final = "SELECT id, number, schema_id FROM registry_version WHERE tenant_id = %s AND id = ANY(%s)"
LISTED: Final = """
SELECT number, schema_key, is_deleted, edition, older FROM registry_fieldsource
WHERE tenant_id = %s AND subject_id = %s
"""
SUBJECTS: Final = """
SELECT subject.id, subject.namespace_id, subject.context, subject.name FROM registry_subject AS subject
LEFT JOIN registry_fieldsource AS source
    ON source.subject_id = subject.id AND source.tenant_id = subject.tenant_id
WHERE subject.tenant_id = %s AND subject.id > %s AND source.edition IS DISTINCT FROM %s
    AND EXISTS (SELECT FROM registry_version AS version WHERE version.subject_id = subject.id)
ORDER BY subject.id LIMIT %s
"""


class Newest(NamedTuple):
    """The version whose fields are those of a subject; ``older`` are keys of those before, newest first."""

    subject_key: int
    number: int
    schema_key: int
    format: str
    created_at: datetime
    is_deleted: bool
    older: list[int]


class Unlisted(NamedTuple):
    """A subject whose fields are not listed as they are now."""

    key: int
    namespace: UUID
    context: str
    name: str


def newest_of(scope: Scope, subject: SubjectName) -> Newest | None:
    """Return the version whose fields are to be found under a subject; None for one without versions."""
    where = {"context": subject.context, "name": subject.name, "namespace": namespace_of(scope)}
    rows = _rows(NEWEST, {**where, "tenant": scope.tenant.id, "older": MOST_OLDER})
    return Newest(*rows[0]) if rows else None


def schemas_of(scope: Scope, versions: list[int]) -> dict[int, tuple[int, int]]:
    """Return the number of each of some versions, and the key of its schema."""
    return {key: (number, schema) for key, number, schema in _rows(OLDER, [scope.tenant.id, versions])}


def is_listed(scope: Scope, newest: Newest, *, edition: int) -> bool:
    """Tell whether the fields of that version are listed, in this edition."""
    rows = _rows(LISTED, [scope.tenant.id, newest.subject_key])
    return rows == [(newest.number, newest.schema_key, newest.is_deleted, edition, newest.older)]


def unlisted(scope: Scope, *, edition: int, after: int, limit: int) -> list[Unlisted]:
    """Return subjects behind a key whose fields are not listed in this edition."""
    return [Unlisted(*row) for row in _rows(SUBJECTS, [scope.tenant.id, after, edition, limit])]


def tenants_with_unlisted(edition: int) -> list[UUID]:
    """Return the tenants that have subjects whose fields are not listed in this edition."""
    return tenants_from("registry_tenants_with_unlisted_subjects", edition)


def tenants_with_subjects() -> list[UUID]:
    """Return the tenants that have subjects."""
    # No edition has this number, so nothing is listed in it.
    return tenants_with_unlisted(-1)


def _rows(statement: str, values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # a list or names
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
