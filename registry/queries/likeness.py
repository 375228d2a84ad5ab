"""Subjects whose latest schemas are like one that is to be registered: two statements, and not for long."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.discovery.likeness import ALIKE, MOST_WAYS, bands, likeness, plain_way
from accord.discovery.query import Search
from accord.model import SubjectName
from registry.discovery_records import Similar
from registry.queries.places import namespace_of
from registry.queries.search_sources import in_time, sources_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from accord_server.kit.scope import Scope

# Nobody waits for a hint.
TIME_LIMIT_MS: Final = 500
# Of subjects that are compared way by way, and that are told.
COMPARED: Final = 20
TOLD: Final = 5
# What may not be read is not among the sources; nor is the subject itself that is asked about.
NEAR: Final = """
SELECT band.source_id FROM registry_fieldband AS band
JOIN registry_fieldsource AS source ON source.id = band.source_id
JOIN registry_subject AS subject ON subject.id = source.subject_id
WHERE band.tenant_id = %(tenant)s AND band.value = ANY(%(bands)s)
    AND band.source_id = ANY(%(sources)s)
    AND (subject.namespace_id, subject.context, subject.name) <> (%(namespace)s, %(context)s, %(name)s)
GROUP BY band.source_id ORDER BY count(*) DESC, band.source_id LIMIT %(most)s
"""
WAYS: Final = """
SELECT namespace.slug, subject.context, subject.name, source.number, source.format, entry.path
FROM unnest(%(near)s::bigint[]) AS near (id)
JOIN registry_fieldsource AS source ON source.id = near.id
JOIN registry_subject AS subject ON subject.id = source.subject_id
JOIN tenants_namespace AS namespace ON namespace.id = source.namespace_id
CROSS JOIN LATERAL (
    SELECT path FROM registry_fieldentry AS entry
    WHERE entry.source_id = source.id AND entry.kind = 'field' AND entry.number = 0
    ORDER BY entry.position LIMIT %(most)s
) AS entry
WHERE source.tenant_id = %(tenant)s
"""


def similar_subjects(scope: Scope, subject: SubjectName, ways: Collection[str]) -> tuple[Similar, ...]:
    """Return the subjects with much the same ways to their fields, the most alike first.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
        SearchTooLong: It took longer than a hint may.
    """
    wanted = bands(ways)
    if not wanted:
        return ()
    with in_time(TIME_LIMIT_MS):
        sources = sources_of(scope, Search())
        values = {"tenant": scope.tenant.id, "bands": list(wanted), "sources": sources, "most": COMPARED}
        place = {"namespace": namespace_of(scope), "context": subject.context, "name": subject.name}
        near = [key for (key,) in _rows(NEAR, {**values, **place})]
        rows = _rows(WAYS, {"tenant": scope.tenant.id, "near": near, "most": MOST_WAYS}) if near else []
    found: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for *there, path in rows:
        found[tuple(there)].add(plain_way(path))
    alike = (_similar(*there, int(100 * likeness(ways, theirs))) for there, theirs in found.items())
    told = [one for one in alike if one.percent >= ALIKE]
    return tuple(sorted(told, key=lambda one: (-one.percent, one.subject))[:TOLD])


def _similar(slug: str, context: str, name: str, *rest: Any) -> Similar:
    return Similar(slug, SubjectName(name, context).qualified, *rest)


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
