"""What a registration reads besides the subject itself: texts on demand, referenced schemas in one sweep.

Each function is one statement, however much it finds. Only `reference_targets` looks at rights: services
admit the caller to the subject itself first.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import Q

from accord.errors import SchemaTooLarge
from accord.formats.limits import DEFAULT_LIMITS
from accord.model import Format, SchemaText, SubjectName
from registry.errors import PurgedMeanwhile
from registry.models import Schema, Version
from registry.queries.places import namespace_of
from registry.queries.rows import references_of
from registry.queries.visibility import READ, visible
from registry.records import Referenced, ReferenceTarget, StoredSchema

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from accord_server.kit.scope import Scope

Coordinates = tuple[SubjectName, int]

NEWEST: Final = -1
# Everything reachable through references, each target once.
CLOSURE: Final = """
WITH RECURSIVE reached(schema_id) AS (
    {start}
    UNION
    SELECT version.schema_id
    FROM reached
    JOIN registry_schemareference AS edge ON edge.schema_id = reached.schema_id
    JOIN registry_version AS version ON version.id = edge.target_id
)
SELECT DISTINCT subject.context, subject.name, version.number, home.id, home.context,
       content.format, content.text, home.references::text
FROM reached
JOIN registry_schemareference AS edge ON edge.schema_id = reached.schema_id
JOIN registry_version AS version ON version.id = edge.target_id
JOIN registry_subject AS subject ON subject.id = version.subject_id
JOIN registry_schema AS home ON home.id = version.schema_id
JOIN registry_content AS content ON content.id = home.content_id
LIMIT %s
"""
BY_KEYS: Final = CLOSURE.format(start="SELECT key FROM unnest(%s::bigint[]) AS key")
BY_ID: Final = CLOSURE.format(
    start="SELECT id FROM registry_schema WHERE namespace_id = %s AND context = %s AND number = %s"
)

# The same of several schemas apart, in numbers.
SIZES: Final = """
WITH RECURSIVE reached(start, schema_id) AS (
    SELECT key, key FROM unnest(%s::bigint[]) AS key
    UNION
    SELECT reached.start, version.schema_id
    FROM reached
    JOIN registry_schemareference AS edge ON edge.schema_id = reached.schema_id
    JOIN registry_version AS version ON version.id = edge.target_id
)
SELECT reached.start, sum(octet_length(content.text)), count(*)
FROM reached
JOIN registry_schema AS home ON home.id = reached.schema_id
JOIN registry_content AS content ON content.id = home.content_id
WHERE reached.schema_id <> reached.start
GROUP BY reached.start
"""


class Texts(dict[int, StoredSchema]):
    """Texts by row key; who takes one that was purged since its key was read is told to try again."""

    def __missing__(self, key: int) -> StoredSchema:
        raise PurgedMeanwhile


def stored_schemas(scope: Scope, schema_keys: Collection[int]) -> Texts:
    """Return texts by row key."""
    rows = Schema.objects.scoped(scope).filter(pk__in=schema_keys)
    fields = ("pk", "context", "content__format", "content__text", "references", "descriptor_set")
    return Texts((key, _stored(key, *rest)) for key, *rest in rows.values_list(*fields))


def reference_targets(scope: Scope, wanted: Iterable[Coordinates]) -> dict[Coordinates, ReferenceTarget]:
    """Return the readable versions that references name; number -1 finds the newest live one."""
    wanted = set(wanted)
    rows = Version.objects.scoped(scope).filter(
        _any_of(wanted), visible(scope, READ, prefix="subject__"), subject__namespace=namespace_of(scope)
    )
    fields = ("pk", "subject__context", "subject__name", "number", "deleted_at", "schema__pk")
    found: dict[Coordinates, ReferenceTarget] = {}
    for key, context, name, number, deleted_at, schema_key in rows.order_by("number").values_list(*fields):
        subject = SubjectName(name, context)
        target = ReferenceTarget(key, subject, number, deleted_at is None, schema_key)
        if (subject, number) in wanted:
            found[subject, number] = target
        if (subject, NEWEST) in wanted and target.is_live:
            found[subject, NEWEST] = target
    return found


def closure_of(
    scope: Scope, schema_keys: Collection[int], *, limit: int | None = None
) -> Mapping[Coordinates, StoredSchema]:
    """Return all that schemas refer to, directly or not, by subject and version.

    Row-level security keeps it inside the tenant, as the composite keys of the edges do.

    Raises:
        SchemaTooLarge: More than ``limit`` schemas are reachable.
    """
    del scope  # the connection serves its tenant and no other
    found = _closure(BY_KEYS, [list(schema_keys), None if limit is None else limit + 1])
    if limit is not None:
        require_few(len(found), limit)
    return found


def require_few(count: int, limit: int) -> None:
    """Refuse what reaches too many schemas.

    Raises:
        SchemaTooLarge: It does.
    """
    if count > limit:
        raise SchemaTooLarge(f"more than {limit} schemas are reachable through references")


def referenced_by(scope: Scope, schema_keys: Collection[int]) -> dict[int, Referenced]:
    """Return how much schemas refer to, by row key; those that refer to nothing are left out."""
    del scope  # as above
    with connection.cursor() as cursor:
        cursor.execute(SIZES, [list(schema_keys)])
        return {key: Referenced(int(size), files) for key, size, files in cursor.fetchall()}


def closure_of_id(scope: Scope, schema_id: int, *, context: str) -> Mapping[Coordinates, StoredSchema]:
    """Return all that one schema refers to, directly or not: nothing once it is gone."""
    return _closure(BY_ID, [namespace_of(scope), context, schema_id, None])


def reference_limit() -> int:
    """Return how many schemas a new one may reach."""
    return DEFAULT_LIMITS.references


def _closure(statement: str, values: list[Any]) -> dict[Coordinates, StoredSchema]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    return {
        (SubjectName(name, context), number): _stored(key, home, format_, text, json.loads(references))
        for context, name, number, key, home, format_, text, references in rows
    }


def _any_of(wanted: Iterable[Coordinates]) -> Q:
    found = Q(pk__in=())
    for subject, number in wanted:
        place = Q(subject__context=subject.context, subject__name=subject.name)
        found |= place & (Q(deleted_at__isnull=True) if number == NEWEST else Q(number=number))
    return found


def _stored(
    key: int,
    context: str,
    format_: str,
    text: str,
    references: list[list[Any]],
    descriptor_set: int | None = None,
) -> StoredSchema:
    source = SchemaText(Format(format_), text, references_of(references))
    return StoredSchema(key, context, source, descriptor_set)
