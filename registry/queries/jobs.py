"""All that workers do for a tenant, in one list: a union over the tables of each kind of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord_server.kit.paging import Batch, batch_of
from registry.job_records import RIGHT, STATES, JobKind, JobRecord
from registry.models import CheckRun
from tenants.access import namespaces_with, require
from tenants.queries import namespaces_of
from tenants.queries.parts import place_of, read_place

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.job_records import WantedJobs

# A branch for each kind; PostgreSQL takes what is asked for down into each of them.
JOBS: Final = """
SELECT kind, public_id, namespace_id, state, done, total, created_at, created_by FROM (
    SELECT 'check' AS kind, tenant_id, namespace_id, public_id, state::text, done,
        jsonb_array_length(version_keys) AS total, created_at, created_by::text
    FROM registry_checkrun
    UNION ALL
    SELECT 'dry_run', tenant_id, namespace_id, public_id, state::text, done, total,
        created_at, created_by::text
    FROM registry_dryrun
    UNION ALL
    SELECT 'import', tenant_id, namespace_id, public_id, state::text,
        registered + deleted + present + refused,
        coalesce((planned ->> 'register')::int, 0) + coalesce((planned ->> 'delete')::int, 0),
        created_at, created_by::text
    FROM registry_importrun
    UNION ALL
    SELECT 'export', tenant_id, NULL, public_id, state::text, done, total, created_at, created_by::text
    FROM registry_tenantexport
) AS job
WHERE tenant_id = %(tenant)s
    AND (namespace_id = ANY(%(namespaces)s) OR (%(is_whole)s AND namespace_id IS NULL))
    AND (%(kind)s = '' OR kind = %(kind)s) AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s))
    AND (%(at)s::timestamptz IS NULL OR (created_at, public_id) < (%(at)s, %(id)s::uuid))
ORDER BY created_at DESC, public_id DESC LIMIT %(most)s
"""


def list_jobs(scope: Scope, *, wanted: WantedJobs, after: str = "", limit: int) -> Batch[JobRecord]:
    """Return a part of the jobs, newest first: two statements however many there are.

    Of the scope's namespace; where it has none, of all in which the right is held, and whoever holds it in
    the whole tenant sees what is the tenant's own as well.

    Raises:
        RightMissing: Without ``job.read`` there.
        HttpError: 400 for a place that no answer had.
    """
    namespaces, is_whole = _readable(scope)
    at, own = read_place(CheckRun._meta.get_field("public_id"), after) if after else (None, None)
    asked = {
        "tenant": scope.tenant.id,
        "namespaces": list(namespaces),
        "is_whole": is_whole,
        "kind": wanted.kind,
        "states": list(map(str, STATES[wanted.state])) if wanted.state else None,
        "at": at,
        "id": own,
        "most": limit + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(JOBS, asked)
        found = [_record(row, namespaces) for row in cursor.fetchall()]
    return batch_of(found, limit, lambda one: place_of(one.created_at, one.id))


def _readable(scope: Scope) -> tuple[dict[UUID, str], bool]:
    """Return the namespaces whose jobs may be seen, by id, and whether all of the tenant's may be."""
    if scope.namespace is not None:
        require(scope, RIGHT)
        return {scope.namespace.id: scope.namespace.slug}, False
    held = namespaces_with(scope, RIGHT)
    slugs = {one.id: one.slug for one in namespaces_of(scope) if held is None or one.id in held}
    return slugs, held is None


def _record(row: tuple[Any, ...], slugs: dict[UUID, str]) -> JobRecord:
    kind, public_id, namespace, *rest = row
    return JobRecord(JobKind(kind), public_id, slugs.get(namespace), *rest)
