"""Versions with their texts, as one statement without the ORM.

Serializers that use the latest version ask for it before their first message.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.model import Format, SubjectName
from registry.queries.places import namespace_of
from registry.queries.rows import contract_of, references_of
from registry.queries.visibility import COVERED_SUBJECT, READ, cover_of
from registry.records import LATEST, SchemaRecord, VersionRecord
from registry.version_states import Life, VersionState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord_server.kit.scope import Scope

WHOLE: Final = """
SELECT subject.context, subject.name, version.number, version.deleted_at IS NOT NULL, version.created_at,
    version.created_by, version.level, version.state, version.state_changed_at, schema.number, schema.guid,
    schema.context, content.format, content.text, schema."references"::text, contract.metadata::text,
    contract.rule_set::text, schema.created_at
FROM registry_subject AS subject
JOIN registry_version AS version ON version.subject_id = subject.id
JOIN registry_schema AS schema ON schema.id = version.schema_id
JOIN registry_content AS content ON content.id = schema.content_id
LEFT JOIN registry_contract AS contract ON contract.id = schema.contract_id
WHERE subject.tenant_id = %(tenant)s AND
"""
AT: Final = f"""{WHOLE}
    subject.namespace_id = %(namespace)s AND subject.context = %(context)s AND subject.name = %(name)s
    AND CASE WHEN %(number)s::bigint IS NULL THEN version.state <> 'disabled'
        ELSE version.number = %(number)s END
    AND (%(deleted)s OR version.deleted_at IS NULL)
ORDER BY version.number DESC LIMIT 1
"""
# The same of a name in the first other context that has it, as far as the caller may read.
ELSEWHERE: Final = f"""{WHOLE}
    subject.namespace_id = %(namespace)s AND subject.context <> %(context)s AND subject.name = %(name)s
    AND {COVERED_SUBJECT}
    AND CASE WHEN %(number)s::bigint IS NULL THEN version.state <> 'disabled'
        ELSE version.number = %(number)s END
    AND (%(deleted)s OR version.deleted_at IS NULL)
ORDER BY subject.context, version.number DESC LIMIT 1
"""
# The versions that have these properties, and those that may have, since what they say of one is sealed; no
# property asks for nothing.
MAY_HAVE: Final = """
    subject.namespace_id = %(namespace)s AND subject.context = %(context)s AND subject.name = %(name)s
    AND (%(properties)s::jsonb = '{}' OR contract.metadata -> 'properties' @> %(properties)s::jsonb
        OR contract.metadata -> 'sealed' ?| %(names)s::text[])
    AND (%(deleted)s OR version.deleted_at IS NULL) AND version.state <> 'disabled'
"""
WITH_PROPERTIES: Final = f"{WHOLE} {MAY_HAVE} ORDER BY version.number DESC LIMIT 1"
OLDER_WITH_PROPERTIES: Final = f"""
SELECT version.id, contract.metadata::text
FROM registry_subject AS subject
JOIN registry_version AS version ON version.subject_id = subject.id
JOIN registry_schema AS schema ON schema.id = version.schema_id
JOIN registry_contract AS contract ON contract.id = schema.contract_id
WHERE subject.tenant_id = %(tenant)s AND {MAY_HAVE} AND version.number < %(below)s
ORDER BY version.number DESC
"""  # noqa: S608  # put together from the constants above
BY_KEY: Final = f"{WHOLE} version.id = %(key)s"


def version_at(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool = False
) -> VersionRecord | None:
    """Return the version of that number, soft-deleted only if that is asked for, or the latest.

    That is the newest live one that is not disabled.
    """
    return _one(AT, _asked(scope, subject, number, deleted=deleted))


def version_elsewhere(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool = False
) -> VersionRecord | None:
    """Return the same of the subject's namesake in the first other context where it is, and may be read."""
    return _one(
        ELSEWHERE,
        {**_asked(scope, subject, number, deleted=deleted), **cover_of(scope, READ).parameters()},
    )


def version_with(
    scope: Scope, subject: SubjectName, properties: Mapping[str, str], *, deleted: bool = False
) -> VersionRecord | None:
    """Return the newest version whose metadata have all these properties, soft-deleted only if asked for.

    One statement; three at most where the newest that may have them has another value, which is sealed.
    """
    values = {
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "context": subject.context,
        "name": subject.name,
        "properties": json.dumps(properties),
        "names": list(properties),
        "deleted": deleted,
    }
    found = _one(WITH_PROPERTIES, values)
    if found is None or properties.items() <= found.schema.contract.properties.items():
        return found
    key = _older_with(properties, {**values, "below": found.number})
    return None if key is None else version_by_key(scope, key)


def _older_with(properties: Mapping[str, str], values: dict[str, Any]) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(OLDER_WITH_PROPERTIES, values)
        rows = cursor.fetchall()
    having = (
        key for key, metadata in rows if properties.items() <= contract_of(metadata, None).properties.items()
    )
    return next(having, None)


def version_by_key(scope: Scope, version_key: int) -> VersionRecord | None:
    """Return a version by its row key, for services that have found it already: None if it went since."""
    return _one(BY_KEY, {"tenant": scope.tenant.id, "key": version_key})


def _asked(scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool) -> dict[str, Any]:
    is_latest = number == LATEST
    return {
        "tenant": scope.tenant.id,
        "namespace": namespace_of(scope),
        "context": subject.context,
        "name": subject.name,
        "number": None if is_latest else number,
        "deleted": deleted and not is_latest,
    }


def versions_among(statement: str, values: dict[str, Any]) -> list[VersionRecord]:
    """Return what a statement that begins with `WHOLE` finds."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [_record(*row) for row in cursor.fetchall()]


def _one(statement: str, values: dict[str, Any]) -> VersionRecord | None:
    return next(iter(versions_among(statement, values)), None)


def _record(context: str, name: str, *rest: Any) -> VersionRecord:
    number, is_deleted, created_at, created_by, level, state, since, *schema = rest
    return VersionRecord(
        SubjectName(name, context),
        number,
        _schema(*schema),
        is_deleted,
        created_at,
        created_by,
        level,
        Life(VersionState(state), since),
    )


def _schema(number: int, *rest: Any) -> SchemaRecord:
    guid, context, format_, text, references, metadata, rule_set, created_at = rest
    used, contract = references_of(json.loads(references)), contract_of(metadata, rule_set)
    return SchemaRecord(number, guid, context, Format(format_), text, used, contract, created_at=created_at)
