"""The read that consumers make most, as one statement without the ORM.

Building this query anew for every read cost ten times what the database needed to answer it. What the
caller may see is data of the statement, not a part of its text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.model import DEFAULT_CONTEXT, Format, SubjectName
from accord_server.kit.scope import TOPIC_SUFFIXES, SelectorKind
from registry.queries.places import namespace_of
from registry.queries.rows import references_of
from registry.queries.visibility import BY_ID
from registry.records import SchemaRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope, SubjectSelector

# The uses of a schema that one of the caller's selectors covers.
USES: Final = """
    FROM registry_version AS version
    JOIN registry_subject AS subject ON subject.id = version.subject_id
    JOIN selector ON (selector.context IS NULL OR selector.context = subject.context)
        AND (selector.name IS NULL OR selector.name = subject.name)
        AND starts_with(subject.name, selector.prefix)
    WHERE version.tenant_id = schema.tenant_id AND version.schema_id = schema.id
"""
# Of the subject that the caller names, the newest live use stands for all.
SCHEMA: Final = f"""
WITH selector AS (
    SELECT * FROM unnest(%(reads)s::bool[], %(contexts)s::text[], %(names)s::text[], %(prefixes)s::text[])
        AS given (reads, context, name, prefix)
)
SELECT schema.guid, schema.context, content.format, content.text, schema.references::text,
    schema.created_at, named.number, COALESCE(named.is_deleted, seen.is_deleted), seen.may_read
FROM registry_schema AS schema
JOIN registry_content AS content ON content.id = schema.content_id
CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT {USES} AND selector.reads) AS may_read,
        NOT EXISTS (SELECT {USES} AND version.deleted_at IS NULL) AS is_deleted
) AS seen
LEFT JOIN LATERAL (
    SELECT version.number, version.deleted_at IS NOT NULL AS is_deleted {USES} AND subject.name = %(name)s
    ORDER BY is_deleted, version.number DESC LIMIT 1
) AS named ON true
WHERE schema.tenant_id = %(tenant)s AND schema.namespace_id = %(namespace)s AND schema.number = %(number)s
    AND (%(context)s::text IS NULL OR schema.context = %(context)s)
    AND (%(name)s = '' OR named.number IS NOT NULL
        OR (%(context)s::text IS NULL AND schema.context = %(default)s))
    AND EXISTS (SELECT {USES})
ORDER BY named.number IS NULL, schema.context = %(default)s DESC, schema.context
LIMIT 1
"""  # noqa: S608  # put together from the constant above


@dataclass(frozen=True, slots=True)
class SeenSchema:
    """A schema that the caller may see, and whether schemas by id may be read there."""

    record: SchemaRecord
    may_read: bool


def seen_schema(scope: Scope, schema_id: int, subject: SubjectName) -> SeenSchema | None:
    """Choose among the contexts that know the id as the caller's ``subject`` asks for."""
    is_anywhere = bool(subject.name) and subject.context == DEFAULT_CONTEXT
    values = {
        **_selectors(scope),
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "number": schema_id,
        "context": None if is_anywhere else subject.context,
        "name": subject.name,
        "default": DEFAULT_CONTEXT,
    }
    with connection.cursor() as cursor:
        cursor.execute(SCHEMA, values)
        row = cursor.fetchone()
    return None if row is None else SeenSchema(_record(schema_id, row, subject.name), may_read=row[-1])


def _record(schema_id: int, row: tuple[Any, ...], name: str) -> SchemaRecord:
    guid, context, format_, text, references, created_at, used_as, is_deleted, _ = row
    return SchemaRecord(
        id=schema_id,
        guid=guid,
        context=context,
        format=Format(format_),
        text=text,
        references=references_of(json.loads(references)),
        created_at=created_at,
        is_deleted=is_deleted,
        use=None if used_as is None else (SubjectName(name, context), used_as),
    )


def _selectors(scope: Scope) -> dict[str, list[Any]]:
    """Return the caller's selectors as columns; a null covers everything."""
    rows = [
        (right == "schema.read", selector.context, name, prefix)
        for right in BY_ID
        for selector in scope.selectors(right)
        for name, prefix in _names(selector)
    ]
    columns: tuple[tuple[Any, ...], ...] = tuple(zip(*rows, strict=True)) or ((), (), (), ())
    return dict(zip(("reads", "contexts", "names", "prefixes"), map(list, columns), strict=True))


def _names(selector: SubjectSelector) -> Iterator[tuple[str | None, str]]:
    """Yield what a name must be and begin with."""
    match selector.kind:
        case SelectorKind.LITERAL:
            yield selector.value, ""
        case SelectorKind.PREFIX:
            yield None, selector.value
        case SelectorKind.TOPIC:
            yield from ((selector.value + suffix, "") for suffix in TOPIC_SUFFIXES)
        case SelectorKind.ALL:
            yield None, ""
