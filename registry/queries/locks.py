"""Rows locked in the one order everybody keeps.

Subject or module, versions referred to, contents, contracts, compiled files (`registry.queries.proto_files`),
counter, settings; all of them belong into a transaction.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Q

from accord.model import SubjectName
from registry.models import Config, Content, Contract, Counter, Mode, Subject, Version
from registry.queries.places import namespace_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from accord_server.kit.scope import Scope

Settings = TypeVar("Settings", Config, Mode)

LIVE_FOR_SHARE: Final = """
SELECT id FROM registry_version WHERE id = ANY(%s) AND deleted_at IS NULL ORDER BY id FOR SHARE
"""
SUBJECTS: Final = """
SELECT known.id, known.context, known.name FROM registry_subject AS known
JOIN (SELECT DISTINCT * FROM unnest(%s::text[], %s::text[])) AS given (context, name)
    ON given.context = known.context AND given.name = known.name
WHERE known.tenant_id = %s AND known.namespace_id = %s
ORDER BY known.context, known.name FOR UPDATE OF known
"""
VERSIONS_AT: Final = """
SELECT known.id FROM registry_version AS known
JOIN unnest(%s::bigint[], %s::bigint[]) AS given (subject, number)
    ON given.subject = known.subject_id AND given.number = known.number
WHERE known.tenant_id = %s ORDER BY known.id FOR UPDATE OF known
"""
# The update locks a counter that was there already; a dropped context is back once something comes into it.
COUNTERS: Final = """
INSERT INTO registry_counter AS known (tenant_id, namespace_id, context, last)
SELECT %s, %s, given, 0 FROM unnest(%s::text[]) AS given
ON CONFLICT (namespace_id, context) DO UPDATE SET last = known.last, is_dropped = false
RETURNING context, id, last
"""
RAISE: Final = """
UPDATE registry_counter AS known SET last = given.last
FROM unnest(%s::bigint[], %s::bigint[]) AS given (id, last)
WHERE known.id = given.id AND known.last < given.last
"""
ADD_CONTENTS: Final = """
INSERT INTO registry_content (tenant_id, format, digest, text)
SELECT %s, * FROM unnest(%s::text[], %s::bytea[], %s::text[])
ON CONFLICT (tenant_id, digest, format) DO NOTHING
RETURNING id, format, digest
"""
KEEP_CONTENTS: Final = """
SELECT known.id, known.format, known.digest
FROM unnest(%s::text[], %s::bytea[]) AS given (format, digest)
JOIN registry_content AS known ON known.digest = given.digest AND known.format = given.format
WHERE known.tenant_id = %s ORDER BY known.id FOR KEY SHARE OF known
"""
ADD_CONTRACTS: Final = """
INSERT INTO registry_contract (tenant_id, digest, metadata, rule_set)
SELECT %s, given.digest, given.metadata::jsonb, given.rule_set::jsonb
FROM unnest(%s::bytea[], %s::text[], %s::text[]) AS given (digest, metadata, rule_set)
ON CONFLICT (tenant_id, digest) DO NOTHING
RETURNING id, digest
"""
KEEP_CONTRACTS: Final = """
SELECT id, digest FROM registry_contract WHERE tenant_id = %s AND digest = ANY(%s)
ORDER BY id FOR KEY SHARE
"""


class ContentRow(NamedTuple):
    """A content to be stored."""

    format: str
    digest: bytes
    text: str


class ContractRow(NamedTuple):
    """Metadata and rules to be stored, as JSON texts."""

    digest: bytes
    metadata: str | None
    rule_set: str | None


def lock_or_add_subject(scope: Scope, subject: SubjectName) -> int:
    """Lock the subject's row, adding it if need be, and return its key.

    The update changes nothing; it is what locks a row that was there already.
    """
    return lock_or_add_subjects(scope, [subject])[subject]


def lock_or_add_subjects(scope: Scope, subjects: Iterable[SubjectName]) -> dict[SubjectName, int]:
    """Lock the rows of subjects, as `lock_or_add_subject` does one: one statement."""
    names = sorted(set(subjects), key=lambda one: (one.context, one.name))
    rows = [
        Subject(
            tenant_id=scope.tenant.id, namespace_id=namespace_of(scope), context=one.context, name=one.name
        )
        for one in names
    ]
    stored = Subject.objects.scoped(scope).bulk_create(
        rows, update_conflicts=True, unique_fields=["namespace", "context", "name"], update_fields=["name"]
    )
    return {name: int(row.pk) for name, row in zip(names, stored, strict=True)}


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
    return list(rows.order_by("context", "name").select_for_update())


def lock_versions(scope: Scope, subject_keys: Collection[int]) -> list[Version]:
    """Lock all versions of subjects, so that nobody starts to refer to one, and return them in order."""
    rows = Version.objects.scoped(scope).filter(subject__in=list(subject_keys))
    return list(rows.order_by("subject", "number").select_for_update())


def lock_versions_at(
    scope: Scope, places: Iterable[tuple[SubjectName, int]]
) -> dict[tuple[SubjectName, int], Version]:
    """Lock versions by subject and number, their subjects first: three statements."""
    places = list(places)
    contexts, names = [one.context for one, _ in places], [one.name for one, _ in places]
    here = [scope.tenant.id, namespace_of(scope)]
    subjects = {
        key: SubjectName(name, context) for key, context, name in _rows(SUBJECTS, contexts, names, *here)
    }
    keys = {subject: key for key, subject in subjects.items()}
    wanted = [(keys[subject], number) for subject, number in places if subject in keys]
    found = _rows(VERSIONS_AT, [key for key, _ in wanted], [number for _, number in wanted], scope.tenant.id)
    rows = Version.objects.scoped(scope).in_bulk([key for (key,) in found])
    return {(subjects[row.subject_id], row.number): row for row in rows.values()}


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
    return lock_counters(scope, [context])[context]


def lock_counters(scope: Scope, contexts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Lock the counters of contexts in order, as `lock_counter` does one: one statement."""
    rows = _rows(COUNTERS, scope.tenant.id, namespace_of(scope), sorted(set(contexts)))
    return {context: (int(key), int(last)) for context, key, last in rows}


def raise_counters(highest: Mapping[int, int]) -> None:
    """Let locked counters, by key, stand at these ids unless they are higher already: one statement."""
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [[*highest], [*highest.values()]])


def lock_known_counter(scope: Scope, context: str) -> Counter | None:
    """Lock the context's counter if it has one."""
    rows = Counter.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context)
    return rows.select_for_update().first()


def content_for(scope: Scope, row: ContentRow) -> int:
    """Return the key of a content, storing it if need be, and keep it from being removed."""
    return contents_for(scope, [row])[row.format, row.digest]


def contents_for(scope: Scope, rows: Iterable[ContentRow]) -> dict[tuple[str, bytes], int]:
    """Return the keys of contents by format and digest, as `content_for` does one: two statements.

    One that is removed between them is stored again.
    """
    missing = {(row.format, row.digest): row.text for row in sorted(rows)}
    found: dict[tuple[str, bytes], int] = {}
    while missing:
        formats, digests = [key[0] for key in missing], [key[1] for key in missing]
        added = _rows(ADD_CONTENTS, scope.tenant.id, formats, digests, [*missing.values()])
        found |= {(format_, bytes(digest)): int(key) for key, format_, digest in added}
        if len(added) < len(missing):
            kept = _rows(KEEP_CONTENTS, formats, digests, scope.tenant.id)
            found |= {(format_, bytes(digest)): int(key) for key, format_, digest in kept}
        missing = {name: text for name, text in missing.items() if name not in found}
    return found


def contract_for(scope: Scope, row: ContractRow) -> int:
    """Return the key of metadata and rules; stored and kept as `content_for` does."""
    return contracts_for(scope, [row])[row.digest]


def contracts_for(scope: Scope, rows: Iterable[ContractRow]) -> dict[bytes, int]:
    """Return the keys of metadata and rules by digest; stored and kept as `contents_for` does."""
    missing = {row.digest: row for row in sorted(rows, key=attrgetter("digest"))}
    found: dict[bytes, int] = {}
    while missing:
        digests = [*missing]
        texts = [[row.metadata for row in missing.values()], [row.rule_set for row in missing.values()]]
        added = _rows(ADD_CONTRACTS, scope.tenant.id, digests, *texts)
        kept = _rows(KEEP_CONTRACTS, scope.tenant.id, digests) if len(added) < len(missing) else []
        found |= {bytes(digest): int(key) for key, digest in (*added, *kept)}
        missing = {digest: row for digest, row in missing.items() if digest not in found}
    return found


def _rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
