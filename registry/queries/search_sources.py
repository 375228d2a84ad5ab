"""The subjects that a search looks into: those that the caller may read and that its operators allow."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from django.db import OperationalError, connection, transaction

from accord.discovery.query import Operator, age_of
from registry.errors import SearchTooLong
from registry.queries.visibility import COVERS, READ, covered_by_column, covers_of
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.discovery.query import Search
    from accord_server.kit.scope import Scope

TIME_LIMIT_MS: Final = 3_000
QUERY_CANCELED: Final = "57014"
SOURCES: Final = f"""
SELECT source.id
FROM registry_fieldsource AS source
JOIN registry_subject AS subject ON subject.id = source.subject_id AND subject.tenant_id = source.tenant_id
JOIN tenants_namespace AS namespace
    ON namespace.id = source.namespace_id AND namespace.tenant_id = source.tenant_id
JOIN registry_version AS version
    ON version.subject_id = source.subject_id AND version.number = source.number
    AND version.tenant_id = source.tenant_id AND (version.deleted_at IS NOT NULL) = source.is_deleted
JOIN {COVERS} ON cover.namespace = source.namespace_id
WHERE source.tenant_id = %(tenant)s AND {covered_by_column("cover.")}
    AND source.is_deleted = ANY(%(states)s)
"""  # noqa: S608  # put together from constants
# What an operator asks of a subject; ``{{value}}`` stands for the name of its parameter.
GLOB: Final = "lower({column}) LIKE %({value})s"
ASKED_OF_SOURCES: Final = {
    Operator.NS: GLOB.replace("{column}", "namespace.slug"),
    Operator.SUBJECT: GLOB.replace("{column}", "subject.name"),
    Operator.OWNER: GLOB.replace("{column}", "ltrim(source.owner, '@')"),
    Operator.COMPAT: GLOB.replace("{column}", "source.level"),
    Operator.FORMAT: "lower(source.format) = %({value})s",
    Operator.REFS: """EXISTS (
        SELECT FROM registry_schemareference AS edge
        JOIN registry_version AS target ON target.id = edge.target_id
        JOIN registry_subject AS referred ON referred.id = target.subject_id
        WHERE edge.tenant_id = source.tenant_id AND edge.schema_id = source.schema_key
            AND lower(referred.name) LIKE %({value})s
    )""",
}
GLOBS: Final = frozenset((Operator.NS, Operator.SUBJECT, Operator.OWNER, Operator.REFS, Operator.COMPAT))
OLDER: Final = "source.updated_at < now() - make_interval(days => %({value})s)"
YOUNGER: Final = "source.updated_at >= now() - make_interval(days => %({value})s)"
BY_ID: Final = """EXISTS (
    SELECT FROM registry_schema AS schema
    WHERE schema.tenant_id = source.tenant_id AND schema.id = source.schema_key
        AND schema.number = %(schema_id)s
)"""
BY_FINGERPRINT: Final = """EXISTS (
    SELECT FROM registry_schema AS schema
    JOIN registry_content AS content ON content.id = schema.content_id
    WHERE schema.tenant_id = source.tenant_id AND schema.id = source.schema_key
        AND (schema.sha256 = %(fingerprint)s OR content.digest = %(fingerprint)s)
)"""


@contextmanager
def in_time(limit_ms: int | None = None) -> Iterator[None]:
    """Have each statement end in time, in milliseconds or as a search must, all in one transaction.

    Raises:
        SearchTooLong: A statement took longer than a search may.
    """
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {limit_ms or TIME_LIMIT_MS}")
            yield
    except OperationalError as reason:
        if getattr(reason.__cause__, "sqlstate", "") == QUERY_CANCELED:
            raise SearchTooLong from reason
        raise


def sources_of(scope: Scope, search: Search) -> list[int]:
    """Return the subjects that may be read and that the operators about subjects allow: one statement.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
    """
    with connection.cursor() as cursor:
        cursor.execute(*readable_sources(scope, search))
        return [key for (key,) in cursor.fetchall()]


def readable_sources(scope: Scope, search: Search) -> tuple[str, dict[str, Any]]:
    """Return the same as a statement, that ends in a condition, and its values.

    Raises:
        RightMissing: ``subject.read`` is held on no subject of any namespace.
    """
    covers = covers_of(scope, READ)
    if not covers:
        raise RightMissing(READ[0])
    states = {"live": False, "deleted": True}
    asked = [states[one] for one in search.of(Operator.STATE)] or [False]
    refused = {states[one] for one in search.of(Operator.STATE, is_excluded=True)}
    values: dict[str, Any] = {
        "tenant": scope.tenant.id,
        "covers": json.dumps(covers),
        "states": [one for one in asked if one not in refused],
        "schema_id": search.schema_id,
        "fingerprint": bytes.fromhex(search.fingerprint),
    }
    parts = [SOURCES]
    for operator in (*ASKED_OF_SOURCES, Operator.UPDATED):
        for is_excluded in (False, True):
            either = []
            for value in search.of(operator, is_excluded=is_excluded):
                name = f"value{len(values)}"
                either.append(_condition(operator, value).format(value=name))
                values[name] = _value(operator, value)
            if either:
                parts.append(f"AND {'NOT ' if is_excluded else ''}({' OR '.join(either)})")
    if search.schema_id is not None:
        parts.append(f"AND {BY_ID}")
    if search.fingerprint:
        parts.append(f"AND {BY_FINGERPRINT}")
    return "\n".join(parts), values


def _condition(operator: Operator, value: str) -> str:
    if operator is Operator.UPDATED:
        is_older, _ = age_of(value)
        return OLDER if is_older else YOUNGER
    return ASKED_OF_SOURCES[operator]


def _value(operator: Operator, value: str) -> str | int:
    if operator is Operator.UPDATED:
        return age_of(value)[1]
    return _pattern(value) if operator in GLOBS else value


def _pattern(value: str) -> str:
    """Return a value with * at its ends as a pattern of LIKE."""
    bare = value.strip("*").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{'%' if value.startswith('*') else ''}{bare}{'%' if value.endswith('*') else ''}"
