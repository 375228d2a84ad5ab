"""Keeping what a search finds: the fields of the latest version of each subject, made anew from its schema.

Whatever happened to a subject, and however often or late this hears of it, the fields become those of its
latest version. So messages may come twice and in any order.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from accord.discovery.listings import listing_of
from accord.discovery.words import words_of
from accord.errors import AccordError
from accord.formats.listing import Listed, Listing, RowKind
from accord.model import SubjectName
from accord.naming import split_subject
from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef, TenantRef
from registry.models import LONGEST_OWNER, FieldEntry, FieldSource, Schema
from registry.queries.field_sources import is_listed, newest_of, unlisted
from registry.queries.field_words import keys_of
from registry.queries.history import stored_schemas
from registry.queries.locks import lock_subject
from registry.queries.places import namespace_of
from registry.sealing import PROPERTIES
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from accord.discovery.words import Word
    from accord_server.kit.outbox import Event
    from accord_server.kit.scope import Scope
    from registry.queries.field_sources import Newest

log = logging.getLogger("accord.discovery")

# Raised whenever a schema is listed otherwise than before; `reindex` then does all of them anew.
EDITION: Final = 1
OWNER: Final = "owner"
BATCH: Final = 200
ROWS_AT_ONCE: Final = 1_000


def after_change(event: Event) -> None:
    """List the fields of the subject that an event is about: the handler of its topic."""
    if event.namespace_id is not None:
        index_subject(_scope(event.tenant_id, event.namespace_id), split_subject(event.payload["subject"]))


def index_subject(scope: Scope, subject: SubjectName) -> bool:
    """Make the fields of a subject those of its latest version; tell whether there was anything to do.

    The schema is read without a lock and the rows are written under that of the subject; if another version
    is the latest by then, it is read instead.
    """
    newest = newest_of(scope, subject)
    while newest is not None and not is_listed(scope, newest, edition=EDITION):
        found = _found(scope, subject, newest)
        keys = keys_of(scope, {word for row in found.rows for word in words_of(row)})
        with transaction.atomic():
            lock_subject(scope, subject)
            now = newest_of(scope, subject)
            if now == newest:
                _store(scope, newest, found, keys)
                return True
        newest = now
    return False


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
    """What is to be found under a subject; ``owner`` as its schema's metadata name it."""

    rows: tuple[Listed, ...]
    is_cut: bool
    owner: str


def _found(scope: Scope, subject: SubjectName, newest: Newest) -> _Found:
    """List a version's schema: the subject first, as what its root is."""
    stored = stored_schemas(scope, [newest.schema_key]).get(newest.schema_key)
    if stored is None:
        # It was deleted for good meanwhile; who did that is waited for when the subject is locked.
        return _Found((), is_cut=False, owner="")
    try:
        listing = listing_of(stored.source)
    except AccordError as reason:
        log.warning("schema %d has no fields: %s", newest.schema_key, reason)
        listing = Listing(())
    root = next((row for row in listing.rows if row.kind is RowKind.TYPE), None)
    own = Listed(RowKind.SUBJECT, subject.qualified, subject.name, str(stored.source.format).lower())
    if root is not None:
        own = own._replace(doc=root.doc, tags=root.tags)
    return _Found((own, *listing.rows), listing.is_cut, _owner(scope, newest.schema_key))


def _owner(scope: Scope, schema_key: int) -> str:
    """Return the owner that a schema's metadata name; one that is sensitive is told nobody."""
    rows = Schema.objects.scoped(scope).filter(pk=schema_key).values_list("contract__metadata", flat=True)
    properties = (rows.first() or {}).get(PROPERTIES) or {}
    return str(properties.get(OWNER, ""))[:LONGEST_OWNER]


def _store(scope: Scope, newest: Newest, found: _Found, keys: Mapping[Word, int]) -> None:
    """Put the rows in the place of those that are there."""
    values = {
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
    }
    source, _ = FieldSource.objects.scoped(scope).update_or_create(
        subject_id=newest.subject_key, defaults=values
    )
    entries = FieldEntry.objects.scoped(scope)
    entries.filter(source=source).delete()
    rows = (_entry(scope, source.pk, position, row, keys) for position, row in enumerate(found.rows))
    entries.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def _entry(scope: Scope, source_key: int, position: int, row: Listed, keys: Mapping[Word, int]) -> FieldEntry:
    return FieldEntry(
        tenant_id=scope.tenant.id,
        source_id=source_key,
        position=position,
        words=sorted(keys[word] for word in words_of(row)),
        **row._asdict(),
    )
