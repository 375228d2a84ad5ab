"""Reads of schemas by id: open to whoever may read any subject that uses the id, deleted softly or not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import UUID

from accord.model import SubjectName
from registry.errors import SchemaGuidNotFound, SchemaIdNotFound, SchemaNotFound
from registry.models import Counter, Schema, Version
from registry.queries.by_id import seen_by_guid, seen_schema
from registry.queries.places import namespace_of
from registry.queries.visibility import BY_ID, visible
from registry.records import WHOLE, Slice
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.queries.by_id import SeenSchema
    from registry.records import SchemaRecord

# What stands for "no subject in particular, in the default context".
ANY: Final = SubjectName("")
GUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32}")


def schema_by_id(
    scope: Scope, schema_id: int, *, subject: SubjectName | None = None, with_max_id: bool = False
) -> SchemaRecord:
    """Return a schema by its id: one statement where it exists.

    ``subject`` picks the context, or with a bare name the first context whose subject of that name
    uses the id; a name that nobody uses it under falls back to the default context.

    Raises:
        SchemaIdNotFound: No such id, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    found = seen_schema(scope, schema_id, subject or ANY)
    if found is None:
        raise SchemaIdNotFound(schema_id)
    record = _readable(found)
    return replace(record, max_id=highest_id(scope, record.context)) if with_max_id else record


def schema_by_guid(scope: Scope, text: str) -> SchemaRecord:
    """Return a schema by its GUID, whatever the context: one statement.

    Raises:
        SchemaGuidNotFound: No such GUID, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    guid = _guid(text)
    found = None if guid is None else seen_by_guid(scope, guid)
    if found is None:
        raise SchemaGuidNotFound(text)
    return _readable(found)


def ids_of_guid(scope: Scope, text: str) -> list[tuple[str, int]]:
    """Return the contexts and ids of a GUID, in order, as far as schemas may be read there."""
    guid = _guid(text)
    if guid is None:
        return []
    found = Schema.objects.scoped(scope).filter(
        visible(scope, ("schema.read",), prefix="versions__subject__"),
        namespace=namespace_of(scope),
        guid=guid,
    )
    return sorted(set(found.values_list("context", "number")))


def highest_id(scope: Scope, context: str) -> int:
    """Return the highest id ever issued or imported in the context."""
    counters = Counter.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context)
    last: int | None = counters.values_list("last", flat=True).first()
    return last or 0


def subjects_of_schema(
    scope: Scope,
    schema_id: int,
    *,
    subject: SubjectName = ANY,
    deleted: bool = False,
    page: Slice = WHOLE,
) -> list[str]:
    """Return the readable subjects that use an id, in order; ``subject`` picks the context.

    Raises:
        SchemaNotFound: No such id, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    names = {name for name, _ in _uses(scope, schema_id, subject=subject, deleted=deleted)}
    return sorted(names)[page.offset : page.end]


def versions_of_schema(
    scope: Scope,
    schema_id: int,
    *,
    subject: SubjectName = ANY,
    deleted: bool = False,
    page: Slice = WHOLE,
) -> list[tuple[str, int]]:
    """Return the readable pairs of subject and version that use an id, in order, as above.

    Raises:
        SchemaNotFound: No such id, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    return sorted(_uses(scope, schema_id, subject=subject, deleted=deleted))[page.offset : page.end]


def _guid(text: str) -> UUID | None:
    """Return a GUID from either of its spellings, with hyphens in their places or without any."""
    return UUID(text) if GUID.fullmatch(text) else None


def _readable(found: SeenSchema) -> SchemaRecord:
    if not found.may_read:
        raise RightMissing("schema.read")
    return found.record


def _uses(scope: Scope, schema_id: int, *, subject: SubjectName, deleted: bool) -> list[tuple[str, int]]:
    context = subject.context
    if subject.name:
        known = seen_schema(scope, schema_id, subject)
        if known is None:
            raise SchemaNotFound
        context = known.record.context
    versions = Version.objects.scoped(scope).filter(
        visible(scope, BY_ID, prefix="subject__"),
        schema__namespace=namespace_of(scope),
        schema__context=context,
        schema__number=schema_id,
    )
    rows = list(versions.values_list("subject__context", "subject__name", "number", "deleted_at"))
    if not rows:
        raise SchemaNotFound
    found = [(SubjectName(name, home), number, deleted_at) for home, name, number, deleted_at in rows]
    if not any(scope.may("schema.read", subject) for subject, _, _ in found):
        raise RightMissing("schema.read")
    return [(one.qualified, number) for one, number, deleted_at in found if deleted or deleted_at is None]
