"""Taking rows away for good: versions, and what nobody uses any more because of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from registry.models import Config, Mode
from registry.queries.locks import lock_contents, lock_contracts, lock_counter
from registry.queries.places import namespace_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

# A version that some schema refers to stays.
VERSIONS: Final = """
DELETE FROM registry_version AS version
WHERE tenant_id = %s AND id = ANY(%s)
  AND NOT EXISTS (SELECT FROM registry_schemareference AS edge WHERE edge.target_id = version.id)
RETURNING id
"""
CONTENTS_OF_VERSIONS: Final = """
SELECT DISTINCT schema.content_id FROM registry_version AS version
JOIN registry_schema AS schema ON schema.id = version.schema_id
WHERE version.tenant_id = %s AND version.id = ANY(%s)
"""
CONTRACTS_OF_VERSIONS: Final = """
SELECT DISTINCT schema.contract_id FROM registry_version AS version
JOIN registry_schema AS schema ON schema.id = version.schema_id
WHERE version.tenant_id = %s AND version.id = ANY(%s) AND schema.contract_id IS NOT NULL
"""
# Schemas that only these versions use; their references go first, so that versions of one subject
# that refer to each other can go together.
ORPHANS: Final = """
SELECT DISTINCT gone.schema_id FROM registry_version AS gone
WHERE gone.tenant_id = %s AND gone.id = ANY(%s) AND NOT EXISTS (
    SELECT FROM registry_version AS kept WHERE kept.schema_id = gone.schema_id AND NOT kept.id = ANY(%s)
)
"""
EDGES: Final = "DELETE FROM registry_schemareference WHERE tenant_id = %s AND schema_id = ANY(%s)"
SCHEMAS: Final = "DELETE FROM registry_schema WHERE tenant_id = %s AND id = ANY(%s)"
CONTENTS: Final = """
DELETE FROM registry_content AS content
WHERE tenant_id = %s AND id = ANY(%s)
  AND NOT EXISTS (SELECT FROM registry_schema AS schema WHERE schema.content_id = content.id)
"""
CONTRACTS: Final = """
DELETE FROM registry_contract AS contract
WHERE tenant_id = %s AND id = ANY(%s)
  AND NOT EXISTS (SELECT FROM registry_schema AS schema WHERE schema.contract_id = contract.id)
"""
# What is found of subjects that go now.
FIELDS: Final = """
WITH source AS (
    SELECT source.id FROM registry_fieldsource AS source
    WHERE source.tenant_id = %(tenant)s AND source.subject_id = ANY(%(subjects)s) AND NOT EXISTS (
        SELECT FROM registry_version AS version WHERE version.subject_id = source.subject_id
    )
), entries AS (
    DELETE FROM registry_fieldentry WHERE tenant_id = %(tenant)s AND source_id IN (SELECT id FROM source)
)
DELETE FROM registry_fieldsource WHERE tenant_id = %(tenant)s AND id IN (SELECT id FROM source)
"""
SUBJECTS: Final = """
DELETE FROM registry_subject AS subject
WHERE tenant_id = %s AND id = ANY(%s)
  AND NOT EXISTS (SELECT FROM registry_version AS version WHERE version.subject_id = subject.id)
RETURNING id
"""


def remove_version_rows(scope: Scope, version_keys: Collection[int]) -> set[int]:
    """Remove versions that nothing refers to, leaving their schemas; return the keys of those that went."""
    return set(_column(VERSIONS, scope.tenant.id, list(version_keys)))


def remove_for_good(scope: Scope, subjects: Mapping[int, SubjectName], version_keys: Collection[int]) -> None:
    """Remove versions of locked subjects with the schemas, contents and contracts that only they used.

    With its last version a subject goes, and its config and mode. The caller has locked the versions
    and made sure that no schema of another one refers to these.
    """
    tenant, keys = scope.tenant.id, list(version_keys)
    contents = _column(CONTENTS_OF_VERSIONS, tenant, keys)
    lock_contents(scope, contents)
    contracts = _column(CONTRACTS_OF_VERSIONS, tenant, keys)
    lock_contracts(scope, contracts)
    # Registrations look for schemas to reuse under these locks.
    for context in sorted({subject.context for subject in subjects.values()}):
        lock_counter(scope, context)
    orphans = _column(ORPHANS, tenant, keys, keys)
    _run(EDGES, tenant, orphans)
    _run(VERSIONS, tenant, keys)
    _run(SCHEMAS, tenant, orphans)
    _run(CONTENTS, tenant, contents)
    _run(CONTRACTS, tenant, contracts)
    _run(FIELDS, {"tenant": tenant, "subjects": list(subjects)})
    for gone in _column(SUBJECTS, tenant, list(subjects)):
        _forget_settings(scope, subjects[gone])


def _forget_settings(scope: Scope, subject: SubjectName) -> None:
    where = {"namespace": namespace_of(scope), "context": subject.context, "name": subject.name}
    Config.objects.scoped(scope).filter(**where).delete()
    Mode.objects.scoped(scope).filter(**where).delete()


def _run(statement: str, *values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values[0] if values and isinstance(values[0], dict) else values)
        return int(cursor.rowcount)


def _column(statement: str, *values: Any) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [key for (key,) in cursor.fetchall()]
