"""Every subject of a namespace in brief: how many versions it has, and the settings of its own.

For whoever copies the whole of it: asked one by one, settings cost more than all schemas together.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.model import SubjectName
from accord_server.kit.paging import Batch
from registry.queries.levels_in_force import shown_members
from registry.queries.places import namespace_of
from tenants.access import require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.scope import Scope

# On everything, since what is left out would be taken for what is not there.
RIGHTS: Final = ("subject.read", "config.read", "mode.read")
IN_BRIEF: Final = """
WITH page AS (
    SELECT id, tenant_id, namespace_id, context, name FROM registry_subject
    WHERE tenant_id = %s AND namespace_id = %s AND id > %s ORDER BY id LIMIT %s
)
SELECT page.id, page.context, page.name, counted.versions, counted.deleted, config.record::text, mode.mode
FROM page
CROSS JOIN LATERAL (
    SELECT count(*) AS versions, count(deleted_at) AS deleted
    FROM registry_version AS version WHERE version.subject_id = page.id
) AS counted
LEFT JOIN registry_config AS config ON config.tenant_id = page.tenant_id
    AND config.namespace_id = page.namespace_id AND config.context = page.context AND config.name = page.name
LEFT JOIN registry_mode AS mode ON mode.tenant_id = page.tenant_id
    AND mode.namespace_id = page.namespace_id AND mode.context = page.context AND mode.name = page.name
ORDER BY page.id
"""


@dataclass(frozen=True, slots=True)
class SubjectInBrief:
    """One subject; ``deleted`` of its versions are so softly, ``config`` and ``mode`` are its own or None."""

    subject: SubjectName
    versions: int
    deleted: int
    config: Mapping[str, Any] | None
    mode: str | None


def subjects_in_brief(scope: Scope, *, after: int = 0, limit: int) -> Batch[SubjectInBrief]:
    """Return the subjects in the order in which they came: one statement.

    Raises:
        RightMissing: One of `RIGHTS` is missing on some of the namespace.
    """
    for right in RIGHTS:
        require(scope, right)
    with connection.cursor() as cursor:
        cursor.execute(IN_BRIEF, [scope.tenant.id, namespace_of(scope), after, limit + 1])
        rows = cursor.fetchall()
    kept = rows[:limit]
    following = str(kept[-1][0]) if len(rows) > limit else None
    return Batch(tuple(_in_brief(*row) for _, *row in kept), following)


def _in_brief(
    context: str, name: str, versions: int, deleted: int, config: str | None, mode: str | None
) -> SubjectInBrief:
    shown = None if config is None else shown_members(json.loads(config))
    return SubjectInBrief(SubjectName(name, context), versions, deleted, shown, mode)
