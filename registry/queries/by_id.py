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
from registry.queries.places import namespace_of
from registry.queries.rows import contract_of, references_of
from registry.queries.visibility import BY_ID, cover_of, covered
from registry.records import SchemaRecord
from registry.version_states import NEWBORN, Life, VersionState

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

RIGHTS: Final = {"seen": BY_ID, "read": ("schema.read",)}


# The uses of a schema; the caller must hold one of the rights on each that counts.
USES: Final = """
    FROM registry_version AS version
    JOIN registry_subject AS subject ON subject.id = version.subject_id
    WHERE version.tenant_id = schema.tenant_id AND version.schema_id = schema.id
"""
SEEN: Final = f"{USES} AND {covered('seen_')}"
# Of the subject that the caller names, the newest live use stands for all.
FOUND: Final = f"""
SELECT schema.number, schema.guid, schema.context, content.format, content.text, schema.references::text,
    contract.metadata::text, contract.rule_set::text, schema.created_at,
    named.number, COALESCE(named.is_deleted, seen.is_deleted), life.state, life.state_changed_at,
    seen.may_read
FROM registry_schema AS schema
JOIN registry_content AS content ON content.id = schema.content_id
LEFT JOIN registry_contract AS contract ON contract.id = schema.contract_id
CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT {USES} AND {covered("read_")}) AS may_read,
        NOT EXISTS (SELECT {SEEN} AND version.deleted_at IS NULL) AS is_deleted
) AS seen
LEFT JOIN LATERAL (
    SELECT version.number, version.deleted_at IS NOT NULL AS is_deleted {SEEN} AND subject.name = %(name)s
    ORDER BY is_deleted, version.number DESC LIMIT 1
) AS named ON true
LEFT JOIN LATERAL (
    SELECT version.state, version.state_changed_at {SEEN} AND version.deleted_at IS NULL
        AND (%(name)s = '' OR subject.name = %(name)s)
    ORDER BY array_position(ARRAY['enabled', 'deprecated', 'disabled'], version.state::text),
        version.state_changed_at DESC
    LIMIT 1
) AS life ON true
WHERE schema.tenant_id = %(tenant)s AND schema.namespace_id = %(namespace)s AND EXISTS (SELECT {SEEN})
"""  # noqa: S608  # put together from the constants above
BY_NUMBER: Final = f"""{FOUND} AND schema.number = %(number)s
    AND (%(context)s::text IS NULL OR schema.context = %(context)s)
    AND (%(name)s = '' OR named.number IS NOT NULL
        OR (%(context)s::text IS NULL AND schema.context = %(default)s))
ORDER BY named.number IS NULL, schema.context = %(default)s DESC, schema.context
LIMIT 1
"""
BY_GUID: Final = f"""{FOUND} AND schema.guid = %(guid)s
ORDER BY seen.may_read DESC, schema.context = %(default)s DESC, schema.context, schema.number
LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class SeenSchema:
    """A schema that the caller may see, and whether schemas by id may be read there."""

    record: SchemaRecord
    may_read: bool


def seen_schema(scope: Scope, schema_id: int, subject: SubjectName) -> SeenSchema | None:
    """Choose among the contexts that know the id as the caller's ``subject`` asks for."""
    is_anywhere = bool(subject.name) and subject.context == DEFAULT_CONTEXT
    context = None if is_anywhere else subject.context
    return _one(scope, BY_NUMBER, {"number": schema_id, "context": context, "name": subject.name})


def seen_by_guid(scope: Scope, guid: UUID) -> SeenSchema | None:
    """Choose among the contexts that know the GUID, the default one first: the schema is the same in all."""
    return _one(scope, BY_GUID, {"guid": guid, "name": ""})


def _one(scope: Scope, statement: str, asked: dict[str, Any]) -> SeenSchema | None:
    values = {
        **_covers(scope),
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "default": DEFAULT_CONTEXT,
        **asked,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return None if row is None else SeenSchema(_record(row, asked["name"]), may_read=row[-1])


def _record(row: tuple[Any, ...], name: str) -> SchemaRecord:
    number, guid, context, format_, text, references, *rest = row
    metadata, rule_set, created_at, used_as, is_deleted, state, since, _ = rest
    return SchemaRecord(
        id=number,
        guid=guid,
        context=context,
        format=Format(format_),
        text=text,
        references=references_of(json.loads(references)),
        contract=contract_of(metadata, rule_set),
        created_at=created_at,
        is_deleted=is_deleted,
        use=None if used_as is None else (SubjectName(name, context), used_as),
        life=NEWBORN if state is None else Life(VersionState(state), since),
    )


def _covers(scope: Scope) -> dict[str, Any]:
    return {
        f"{by}_{name}": value
        for by, rights in RIGHTS.items()
        for name, value in cover_of(scope, rights).parameters().items()
    }
