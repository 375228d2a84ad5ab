"""Keeping what a search finds: the fields of the latest version of each subject, made anew from its schema.

Whatever happened to a subject, and however often or late this hears of it, the fields become those of its
latest version. So messages may come twice and in any order.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from accord.discovery.likeness import bands, ways_of
from accord.discovery.listings import listing_of
from accord.discovery.words import PAST, Word, WordKind, words_of
from accord.errors import AccordError
from accord.formats.listing import Listed, Listing, RowKind
from accord.model import Format, SubjectName
from accord.naming import split_subject
from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef, TenantRef
from registry.models import LONGEST_OWNER, FieldBand, FieldEntry, FieldSource, Schema
from registry.queries.field_sources import is_listed, newest_of, schemas_of, unlisted
from registry.queries.field_words import keys_of
from registry.queries.history import stored_schemas
from registry.queries.levels_in_force import level_in_force
from registry.queries.listed_levels import set_levels
from registry.queries.locks import lock_subject
from registry.queries.places import namespace_of
from registry.sealing import PROPERTIES
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from accord.model import SchemaText
    from accord_server.kit.outbox import Event
    from accord_server.kit.scope import Scope
    from registry.queries.field_sources import Newest

log = logging.getLogger("accord.discovery")

# Raised whenever a schema is listed otherwise than before; `reindex` then does all of them anew.
EDITION: Final = 3
OWNER: Final = "owner"
BATCH: Final = 200
ROWS_AT_ONCE: Final = 1_000
# The number of rows that the latest version has, and how many others there are at most.
LATEST: Final = 0
MOST_PAST: Final = 5_000


def after_change(event: Event) -> None:
    """List the fields of the subject that an event is about: the handler of its topic."""
    if event.namespace_id is not None:
        index_subject(_scope(event.tenant_id, event.namespace_id), split_subject(event.payload["subject"]))


def after_settings(event: Event) -> None:
    """Have subjects found by their levels, after a setting or a policy changed: the handler of its topic."""
    tenant = TenantRef(event.tenant_id, "")
    place = split_subject(event.payload.get("subject", ""))
    if event.namespace_id is None:
        set_levels(operator_scope(tenant))
    else:
        set_levels(_scope(event.tenant_id, event.namespace_id), place if place.name else None)


def index_subject(scope: Scope, subject: SubjectName) -> bool:
    """Make the fields of a subject those of its latest version; tell whether there was anything to do.

    The schema is read without a lock and the rows are written under that of the subject; if another version
    is the latest by then, it is read instead.
    """
    newest = newest_of(scope, subject)
    while newest is not None and not is_listed(scope, newest, edition=EDITION):
        found = _found(scope, subject, newest)
        with transaction.atomic():
            now = _list_if_newest(scope, subject, newest, found)
            if now == newest:
                return True
            # Words are added before the subject is locked, always: with the lock of this round kept, and
            # its words, the next round would wait for another worker's words while that waits for these.
            transaction.set_rollback(True)
        newest = now
    return False


def _list_if_newest(scope: Scope, subject: SubjectName, newest: Newest, found: _Found) -> Newest | None:
    """Store what was found unless another version is the latest by now; return which one is."""
    keys = keys_of(scope, {word for row in found.rows for word in _words(*row)})
    level = level_in_force(scope, subject, Format(newest.format)).name
    lock_subject(scope, subject)
    now = newest_of(scope, subject)
    if now == newest:
        _store(scope, newest, found, keys, level=level)
    return now


def forget_editions(tenant_id: UUID) -> None:
    """Have all fields of a tenant listed anew by and by; those that are there stay till then."""
    with tenancy.tenant_context(tenant_id):
        FieldSource.objects.scoped(operator_scope(TenantRef(tenant_id, ""))).update(edition=0)


def reindex(tenant_id: UUID, *, most: int | None = None) -> int:
    """List the fields of the subjects of a tenant, or the first of them, that are not; return of how many."""
    done = after = 0
    with tenancy.tenant_context(tenant_id):
        scope = operator_scope(TenantRef(tenant_id, ""))
        while batch := unlisted(scope, edition=EDITION, after=after, limit=most or BATCH):
            after = batch[-1].key
            for one in batch:
                there = _scope(tenant_id, one.namespace)
                done += index_subject(there, SubjectName(one.name, one.context))
            if most is not None:
                break
    return done


def _scope(tenant_id: UUID, namespace_id: UUID) -> Scope:
    return operator_scope(TenantRef(tenant_id, ""), NamespaceRef(namespace_id, ""))


class _Found(NamedTuple):
    """What is to be found under a subject, with the numbers of rows that only older versions have.

    ``owner`` is as the schema's metadata name it.
    """

    rows: tuple[tuple[Listed, int], ...]
    is_cut: bool
    owner: str


def _found(scope: Scope, subject: SubjectName, newest: Newest) -> _Found:
    """List a version's schema: the subject first, as what its root is; then what the versions before had."""
    older = schemas_of(scope, newest.older)
    keys = [newest.schema_key, *(schema for _, schema in older.values())]
    stored = stored_schemas(scope, list(dict.fromkeys(keys)))
    latest = stored.get(newest.schema_key)
    if latest is None:
        # It was deleted for good meanwhile; who did that is waited for when the subject is locked.
        return _Found((), is_cut=False, owner="")
    listing = _listing(latest.source)
    root = next((row for row in listing.rows if row.kind is RowKind.TYPE), None)
    own = Listed(RowKind.SUBJECT, subject.qualified, subject.name, str(latest.source.format).lower())
    if root is not None:
        own = own._replace(doc=root.doc, tags=root.tags)
    now = ((row, LATEST) for row in (own, *listing.rows))
    there = [older[key] for key in newest.older if key in older]
    before = [(number, stored[schema].source) for number, schema in there if schema in stored]
    rows = (*now, *_past(listing, before))
    return _Found(rows, listing.is_cut, _owner(scope, newest.schema_key))


def _listing(source: SchemaText) -> Listing:
    try:
        return listing_of(source)
    except AccordError as reason:
        log.warning("a schema has no fields: %s", reason)
        return Listing(())


def _past(listing: Listing, before: Iterable[tuple[int, SchemaText]]) -> Iterator[tuple[Listed, int]]:
    """Yield what the versions before had and none after them, with the last that had it."""
    known = {(row.kind, row.path, row.type) for row in listing.rows}
    room = MOST_PAST
    for number, source in before:
        for row in _listing(source).rows:
            key = (row.kind, row.path, row.type)
            if key not in known and room > 0:
                known.add(key)
                room -= 1
                yield row, number


def _owner(scope: Scope, schema_key: int) -> str:
    """Return the owner that a schema's metadata name; one that is sensitive is told nobody."""
    rows = Schema.objects.scoped(scope).filter(pk=schema_key).values_list("contract__metadata", flat=True)
    properties = (rows.first() or {}).get(PROPERTIES) or {}
    return str(properties.get(OWNER, ""))[:LONGEST_OWNER]


def _store(scope: Scope, newest: Newest, found: _Found, keys: Mapping[Word, int], *, level: str) -> None:
    """Put the rows in the place of those that are there."""
    values: dict[str, object] = {
        "tenant_id": scope.tenant.id,
        "namespace_id": namespace_of(scope),
        "number": newest.number,
        "schema_key": newest.schema_key,
        "format": newest.format,
        "updated_at": newest.created_at,
        "is_deleted": newest.is_deleted,
        "is_cut": found.is_cut,
        "owner": found.owner,
        "edition": EDITION,
        "level": level,
        "older": newest.older,
    }
    source, _ = FieldSource.objects.scoped(scope).update_or_create(
        subject_id=newest.subject_key, defaults=values
    )
    entries = FieldEntry.objects.scoped(scope)
    entries.filter(source=source).delete()
    rows = (entry_row(scope, source.pk, position, *row, keys) for position, row in enumerate(found.rows))
    entries.bulk_create(rows, batch_size=ROWS_AT_ONCE)
    near = FieldBand.objects.scoped(scope)
    near.filter(source=source).delete()
    near_by = sorted(set(bands(ways_of(row for row, number in found.rows if number == LATEST))))
    near.bulk_create(FieldBand(tenant_id=scope.tenant.id, source=source, value=one) for one in near_by)


def _words(row: Listed, number: int) -> tuple[Word, ...]:
    """Return the words of a row; one that only older versions have is looked for among those alone."""
    return words_of(row) if number == LATEST else (*words_of(row), Word(WordKind.HAS, PAST))


def entry_row(
    scope: Scope, source_key: int, position: int, row: Listed, number: int, keys: Mapping[Word, int]
) -> FieldEntry:
    """Return a row that a search finds, which is still to be stored."""
    return FieldEntry(
        tenant_id=scope.tenant.id,
        source_id=source_key,
        position=position,
        number=number,
        words=sorted(keys[word] for word in _words(row, number)),
        **row._asdict(),
    )
