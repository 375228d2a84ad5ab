"""Reads of who uses a version: the versions whose schemas refer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from accord.model import Format, SubjectName
from registry.models import SchemaReference, Version
from registry.queries.places import namespace_of
from registry.queries.subjects import LARGEST_PAGE
from registry.queries.visibility import READ, visible
from registry.records import Page, UserRow

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def users_of(
    scope: Scope, subject: SubjectName, version: int, *, number: int = 1, size: int = 50
) -> Page[UserRow]:
    """Return one page of the readable versions that refer to one, soft-deleted ones after the live ones."""
    number, size = max(1, number), min(max(1, size), LARGEST_PAGE)
    edges = SchemaReference.objects.scoped(scope).filter(
        schema=OuterRef("schema"),
        target__number=version,
        target__subject__namespace=namespace_of(scope),
        target__subject__context=subject.context,
        target__subject__name=subject.name,
    )
    found = Version.objects.scoped(scope).filter(Exists(edges), visible(scope, READ, prefix="subject__"))
    first = (number - 1) * size
    rows = found.order_by("-deleted_at", "subject__context", "subject__name", "number").values_list(
        "subject__name",
        "subject__context",
        "number",
        "schema__number",
        "schema__content__format",
        "deleted_at",
    )
    shown = (
        UserRow(SubjectName(name, context), other, schema_id, Format(format_), deleted_at is not None)
        for name, context, other, schema_id, format_, deleted_at in rows[first : first + size]
    )
    return Page(tuple(shown), found.count(), number, size)
