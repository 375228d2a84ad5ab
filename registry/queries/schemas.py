"""Reads of schemas by id: open to whoever may read any subject that uses the id, deleted softly or not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord.model import DEFAULT_CONTEXT, SubjectName
from registry.errors import SchemaIdNotFound, SchemaNotFound
from registry.models import Counter, Version
from registry.queries.by_id import seen_schema
from registry.queries.places import namespace_of
from registry.queries.visibility import BY_ID, visible
from registry.records import WHOLE, Slice
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import SchemaRecord


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
    found = seen_schema(scope, schema_id, subject or SubjectName(""))
    if found is None:
        raise SchemaIdNotFound(schema_id)
    if not found.may_read:
        raise RightMissing("schema.read")
    if not with_max_id:
        return found.record
    return replace(found.record, max_id=highest_id(scope, found.record.context))


def highest_id(scope: Scope, context: str) -> int:
    """Return the highest id ever issued or imported in the context."""
    counters = Counter.objects.scoped(scope).filter(namespace=namespace_of(scope), context=context)
    last: int | None = counters.values_list("last", flat=True).first()
    return last or 0


def subjects_of_schema(
    scope: Scope,
    schema_id: int,
    *,
    context: str = DEFAULT_CONTEXT,
    deleted: bool = False,
    page: Slice = WHOLE,
) -> list[str]:
    """Return the readable subjects that use an id, in order.

    Raises:
        SchemaNotFound: No such id, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    names = {subject for subject, _ in _uses(scope, schema_id, context=context, deleted=deleted)}
    return sorted(names)[page.offset : page.end]


def versions_of_schema(
    scope: Scope,
    schema_id: int,
    *,
    context: str = DEFAULT_CONTEXT,
    deleted: bool = False,
    page: Slice = WHOLE,
) -> list[tuple[str, int]]:
    """Return the readable pairs of subject and version that use an id, in order.

    Raises:
        SchemaNotFound: No such id, or none that may be seen.
        RightMissing: Its subjects may be read, schemas by id may not.
    """
    return sorted(_uses(scope, schema_id, context=context, deleted=deleted))[page.offset : page.end]


def _uses(scope: Scope, schema_id: int, *, context: str, deleted: bool) -> list[tuple[str, int]]:
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
