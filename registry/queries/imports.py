"""Reads of imports, and of the schemas that stand under ids already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import connection
from django.db.models import Q

from accord.model import SubjectName
from accord_server.kit.paging import Batch
from registry.errors import ImportNotFound
from registry.import_records import ImportRecord, ImportResult, IssueRow, Refusal, VersionKey
from registry.models import ImportIssue, ImportRun
from registry.queries.places import namespace_of
from registry.queries.visibility import LISTED, visible
from tenants.access import require

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

RIGHT: Final = "import"
BY_IDS: Final = """
SELECT known.context, known.number, known.id, known.identity FROM registry_schema AS known
JOIN unnest(%s::text[], %s::bigint[]) AS given (context, number)
    ON given.context = known.context AND given.number = known.number
WHERE known.tenant_id = %s AND known.namespace_id = %s
"""
USED_OUTSIDE: Final = """
SELECT DISTINCT edge.target_id FROM registry_schemareference AS edge
WHERE edge.target_id = ANY(%s) AND EXISTS (
    SELECT FROM registry_version AS version
    WHERE version.schema_id = edge.schema_id AND version.deleted_at IS NULL AND NOT version.id = ANY(%s)
)
"""
USED_AMONG: Final = """
SELECT DISTINCT version.id, edge.target_id FROM registry_schemareference AS edge
JOIN registry_version AS version ON version.schema_id = edge.schema_id
WHERE edge.target_id = ANY(%s) AND version.id = ANY(%s) AND version.deleted_at IS NULL
"""

# A context and an id in it.
SchemaKey = tuple[str, int]


class KnownSchema(NamedTuple):
    """A stored schema: its row key, and the digest of all that makes it the same schema."""

    key: int
    identity: bytes


def schemas_by_id(scope: Scope, wanted: Iterable[SchemaKey]) -> dict[SchemaKey, KnownSchema]:
    """Return the schemas that stand under ids, each of a context: one statement."""
    wanted = list(set(wanted))
    contexts, numbers = [context for context, _ in wanted], [number for _, number in wanted]
    with connection.cursor() as cursor:
        cursor.execute(BY_IDS, [contexts, numbers, scope.tenant.id, namespace_of(scope)])
        rows = cursor.fetchall()
    return {(context, number): KnownSchema(key, bytes(identity)) for context, number, key, identity in rows}


def import_record(scope: Scope, run_id: UUID) -> ImportRecord:
    """Return an import of the namespace.

    Raises:
        RightMissing: ``import`` is missing.
        ImportNotFound: There is no such import here.
    """
    return record_of(seen_import(scope, run_id))


def list_imports(scope: Scope, *, before: int | None = None, limit: int) -> Batch[ImportRecord]:
    """Return the namespace's imports, newest first.

    Raises:
        RightMissing: ``import`` is missing.
    """
    require(scope, RIGHT)
    rows = _imports(scope).order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: limit + 1])
    after = str(found[limit - 1].pk) if len(found) > limit else None
    return Batch(tuple(record_of(one) for one in found[:limit]), after)


def import_issues(scope: Scope, run_id: UUID, *, after: int = 0, limit: int) -> Batch[IssueRow]:
    """Return what an import was refused, in order, as far as the caller sees the subjects or began it.

    Raises as `import_record`.
    """
    run = seen_import(scope, run_id)
    seen = visible(scope, LISTED) | Q(run__created_by=scope.principal.key)
    rows = ImportIssue.objects.scoped(scope).filter(seen, run=run, pk__gt=after).order_by("pk")
    found = [_issue(one) for one in rows[: limit + 1]]
    kept = tuple(found[:limit])
    return Batch(kept, str(kept[-1].position) if len(found) > limit else None)


def seen_import(scope: Scope, run_id: UUID) -> ImportRun:
    """Return the row of an import; raises as `import_record`."""
    require(scope, RIGHT)
    run = _imports(scope).filter(public_id=run_id).first()
    if run is None:
        raise ImportNotFound(str(run_id))
    return run


def record_of(run: ImportRun) -> ImportRecord:
    """Return an import as it is followed."""
    return ImportRecord(
        id=run.public_id,
        state=str(run.state),
        source=run.source,
        planned=run.planned,
        registered=run.registered,
        deleted=run.deleted,
        present=run.present,
        refused=run.refused,
        result=None if run.result is None else ImportResult(**run.result),
        created_at=run.created_at,
        created_by=run.created_by,
        heard_at=run.heard_at,
    )


def users_outside(target_keys: Iterable[int], version_keys: Iterable[int]) -> set[int]:
    """Return which versions are referred to by schemas of live versions other than these: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(USED_OUTSIDE, [list(target_keys), list(version_keys)])
        return {key for (key,) in cursor.fetchall()}


def users_among(version_keys: Iterable[int]) -> list[tuple[int, int]]:
    """Return which of these live versions refer to which others of them: one statement."""
    keys = list(version_keys)
    with connection.cursor() as cursor:
        cursor.execute(USED_AMONG, [keys, keys])
        return [(user, target) for user, target in cursor.fetchall()]


def _imports(scope: Scope) -> QuerySet[ImportRun]:
    rows: QuerySet[ImportRun] = ImportRun.objects.scoped(scope)
    return rows.filter(namespace=namespace_of(scope))


def _issue(row: ImportIssue) -> IssueRow:
    key = VersionKey(SubjectName(row.name, row.context), row.number)
    return IssueRow(row.pk, Refusal(key, row.code, row.message))
