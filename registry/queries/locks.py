"""Rows locked in the one order everybody keeps.

Subject or module, versions referred to, contents, contracts, compiled files (`registry.queries.proto_files`),
counter, settings; all of them belong into a transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db import connection
from django.db.models import Q

from registry.models import Config, Content, Contract, Counter, Mode, Subject, Version
from registry.queries.places import namespace_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

Settings = TypeVar("Settings", Config, Mode)

LIVE_FOR_SHARE: Final = """
SELECT id FROM registry_version WHERE id = ANY(%s) AND deleted_at IS NULL ORDER BY id FOR SHARE
"""
# The update locks a counter that was there already; a dropped context is back once something comes into it.
COUNTER: Final = """
INSERT INTO registry_counter AS known (tenant_id, namespace_id, context, last) VALUES (%s, %s, %s, 0)
ON CONFLICT (namespace_id, context) DO UPDATE SET last = known.last, is_dropped = false
RETURNING id, last
"""
ADD_CONTENT: Final = """
INSERT INTO registry_content (tenant_id, format, digest, text) VALUES (%s, %s, %s, %s)
ON CONFLICT (tenant_id, digest, format) DO NOTHING
RETURNING id
"""
KEEP_CONTENT: Final = """
SELECT id FROM registry_content WHERE tenant_id = %s AND format = %s AND digest = %s FOR KEY SHARE
"""


ADD_CONTRACT: Final = """
INSERT INTO registry_contract (tenant_id, digest, metadata, rule_set) VALUES (%s, %s, %s, %s)
ON CONFLICT (tenant_id, digest) DO NOTHING
RETURNING id
"""
KEEP_CONTRACT: Final = """
SELECT id FROM registry_contract WHERE tenant_id = %s AND digest = %s FOR KEY SHARE
"""


def lock_or_add_subject(scope: Scope, subject: SubjectName) -> int:
    """Lock the subject's row, adding it if need be, and return its key.

    The update changes nothing; it is what locks a row that was there already.
    """
    row = Subject(
        tenant_id=scope.tenant.id,
        namespace_id=namespace_of(scope),
        context=subject.context,
        name=subject.name,
    )
    rows = Subject.objects.scoped(scope).bulk_create(
        [row], update_conflicts=True, unique_fields=["namespace", "context", "name"], update_fields=["name"]
    )
    return int(rows[0].pk)


def lock_subject(scope: Scope, subject: SubjectName) -> Subject | None:
    """Lock the subject's row if it exists."""
    rows = Subject.objects.scoped(scope).filter(
        namespace=namespace_of(scope), context=subject.context, name=subject.name
    )
    return rows.select_for_update().first()


def lock_or_add_settings(scope: Scope, table: type[Settings], place: SubjectName) -> Settings:
    """Lock the settings of a place, adding an empty row if need be; whoever holds it is waited for.

    Two statements: what the row says is read only once it cannot change any more.
    """
    row = table(
        tenant_id=scope.tenant.id, namespace_id=namespace_of(scope), context=place.context, name=place.name
    )
    rows = table.objects.scoped(scope)
    held = rows.bulk_create(
        [row], update_conflicts=True, unique_fields=["namespace", "context", "name"], update_fields=["name"]
    )
    settings: Settings = rows.get(pk=held[0].pk)
    return settings


def lock_settings(scope: Scope, table: type[Settings], place: SubjectName) -> Settings | None:
    """Lock the settings of exactly this place if there are any."""
    rows = table.objects.scoped(scope).filter(
        namespace=namespace_of(scope), context=place.context, name=place.name
    )
    return rows.select_for_update().first()


def lock_live_versions(version_keys: Collection[int]) -> set[int]:
    """Lock versions against deletion and return the keys of those that are live."""
    with connection.cursor() as cursor:
        cursor.execute(LIVE_FOR_SHARE, [sorted(version_keys)])
        return {key for (key,) in cursor.fetchall()}


def lock_subjects_at(scope: Scope, places: Iterable[SubjectName]) -> list[Subject]:
    """Lock the subjects at places; one without a name stands for its whole context."""
    wanted = Q(pk__in=())
    for place in places:
        wanted |= Q(context=place.context, name=place.name) if place.name else Q(context=place.context)
    rows = Subject.objects.scoped(scope).filter(wanted, namespace=namespace_of(scope))
    return list(rows.order_by("pk").select_for_update())


def lock_versions(scope: Scope, subject_keys: Collection[int]) -> list[Version]:
    """Lock all versions of subjects, so that nobody starts to refer to one, and return them in order."""
    rows = Version.objects.scoped(scope).filter(subject__in=list(subject_keys))
    return list(rows.order_by("subject", "number").select_for_update())


def lock_contents(scope: Scope, content_keys: Collection[int]) -> None:
    """Lock contents against being used by a schema of another namespace meanwhile."""
    rows = Content.objects.scoped(scope).filter(pk__in=content_keys).order_by("pk")
    list(rows.select_for_update().values_list("pk", flat=True))


def lock_contracts(scope: Scope, contract_keys: Collection[int]) -> None:
    """Lock metadata and rules likewise."""
    rows = Contract.objects.scoped(scope).filter(pk__in=contract_keys).order_by("pk")
    list(rows.select_for_update().values_list("pk", flat=True))


def lock_counter(scope: Scope, context: str) -> tuple[int, int]:
    """Lock the context's counter, adding it if need be: always the last lock taken.

    Returns its key and the highest id so far.
    """
    key, last = _one(COUNTER, [scope.tenant.id, namespace_of(scope), context]) or (0, 0)
    return int(key), int(last)


def lock_known_counter(scope: Scope, context: str) -> Counter | None:
    """Lock the context's counter if it has one."""
    rows = Counter.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context)
    return rows.select_for_update().first()


def content_for(scope: Scope, *, format_: str, digest: bytes, text: str) -> int:
    """Return the key of a content, storing it if need be, and keep it from being removed.

    One that is removed between the two statements is stored again.
    """
    while True:
        values = [scope.tenant.id, format_, digest, text]
        key = _one(ADD_CONTENT, values) or _one(KEEP_CONTENT, values[:3])
        if key is not None:
            return int(key[0])


def contract_for(scope: Scope, *, digest: bytes, metadata: str | None, rule_set: str | None) -> int:
    """Return the key of metadata and rules, given as JSON texts; stored and kept as `content_for` does."""
    while True:
        values = [scope.tenant.id, digest, metadata, rule_set]
        key = _one(ADD_CONTRACT, values) or _one(KEEP_CONTRACT, values[:2])
        if key is not None:
            return int(key[0])


def _one(statement: str, values: list[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row
