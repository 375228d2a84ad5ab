"""The names of fields with their types: what the subjects that may be read agree on, and what they do not.

Two statements for a part of the names, however many fields there are. A name that many fields have is told by
the first of them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.discovery.query import Search
from accord.discovery.types import TypeUse, is_conflicting
from accord.discovery.words import folded
from accord.model import SubjectName
from registry.discovery_records import FieldName, FieldNames, FieldPlace, FieldType
from registry.queries.search_sources import in_time, sources_of

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

# Of fields of one name that are looked at, and of names among which conflicts are looked for at once.
MOST_FIELDS: Final = 2_000
LOOKED_THROUGH: Final = 500
# Of subjects that are told for one type.
MOST_PLACES: Final = 50
NAMES: Final = "SELECT key, spelled, types FROM registry_field_names(%s::bigint[], %s, %s, %s, %s)"
KEY: Final = "SELECT id FROM registry_fieldterm WHERE tenant_id = %s AND kind = 'name' AND text = %s"
PLACES: Final = """
WITH found AS (
    SELECT source.format, entry.type, source.id AS source_id, min(entry.name) AS name,
        min(entry.path) AS path, source.number, namespace.slug, subject.context, subject.name AS subject,
        row_number() OVER (
            PARTITION BY source.format, entry.type ORDER BY subject.name COLLATE "C", source.id
        ) AS place
    FROM registry_field_hits(
        %(sources)s::bigint[], '[]', %(keys)s::bigint[], '{}', '{}', %(most)s, false
    ) AS hit
    JOIN registry_fieldentry AS entry ON entry.id = hit.entry_id
    JOIN registry_fieldsource AS source ON source.id = entry.source_id
    JOIN registry_subject AS subject ON subject.id = source.subject_id
    JOIN tenants_namespace AS namespace ON namespace.id = source.namespace_id
    WHERE entry.tenant_id = %(tenant)s AND entry.kind = 'field'
    GROUP BY source.id, entry.type, subject.id, namespace.id
)
SELECT format, type, max(place), min(name), jsonb_agg(
    jsonb_build_array(slug, context, subject, number, path) ORDER BY place
) FILTER (WHERE place <= %(shown)s)
FROM found GROUP BY format, type ORDER BY max(place) DESC, format, type
"""


def field_names(
    scope: Scope, *, beginning: str = "", after: str = "", conflicts: bool = False, limit: int
) -> FieldNames:
    """Return the names of fields that begin so, behind a name, in their order.

    Those with conflicts alone are looked for among the next `LOOKED_THROUGH` names; there may be fewer than
    asked for, or none, and more behind.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
        SearchTooLong: It took longer than a search may.
    """
    most = LOOKED_THROUGH if conflicts else limit
    found = _names(scope, folded(beginning), after, most + 1)
    kept = [one for one in found[:most] if one.is_conflicting or not conflicts]
    if len(kept) > limit:
        return FieldNames(tuple(kept[:limit]), kept[limit - 1].key)
    return FieldNames(tuple(kept), found[most - 1].key if len(found) > most else None)


def field_named(scope: Scope, name: str) -> FieldName:
    """Return a name with its types and the first subjects of each: three statements.

    One that no field has which may be read has no types.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
        SearchTooLong: It took longer than a search may.
    """
    key = folded(name)
    with in_time():
        sources = sources_of(scope, Search())
        keys = [one for (one,) in _rows(KEY, [scope.tenant.id, key])]
        values = {"tenant": scope.tenant.id, "sources": sources, "keys": keys}
        rows = _rows(PLACES, {**values, "most": MOST_FIELDS, "shown": MOST_PLACES}) if keys else []
    types = tuple(
        FieldType(format_, type_, count, tuple(map(_place, _read(places))))
        for format_, type_, count, _, places in rows
    )
    return _told(key, min((row[3] for row in rows), default=name), types)


def _names(scope: Scope, beginning: str, after: str, most: int) -> list[FieldName]:
    with in_time():
        sources = sources_of(scope, Search())
        return [
            _told(key, spelled, tuple(FieldType(*one) for one in _read(types)))
            for key, spelled, types in _rows(NAMES, [sources, beginning, after, MOST_FIELDS, most])
        ]


def _told(key: str, spelled: str, types: tuple[FieldType, ...]) -> FieldName:
    return FieldName(key, spelled, types, is_conflicting(TypeUse(one.format, one.type) for one in types))


def _place(row: list[Any]) -> FieldPlace:
    namespace, context, subject, number, path = row
    return FieldPlace(namespace, SubjectName(subject, context).qualified, number, path)


def _read(value: Any) -> list[Any]:  # noqa: ANN401  # as the driver hands JSON over
    found: list[Any] = json.loads(value) if isinstance(value, str) else value
    return found


def _rows(statement: str, values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # a list or names
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
