"""Reads of what is soft-deleted, for those who may bring it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from accord.model import Format, SubjectName
from registry.models import Version
from registry.queries.places import namespace_of
from registry.queries.subjects import LARGEST_PAGE
from registry.queries.visibility import READ, visible
from registry.records import DeletedRow, Page

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def deleted_versions(scope: Scope, *, text: str = "", number: int = 1, size: int = 50) -> Page[DeletedRow]:
    """Return one page of soft-deleted versions whose subject's name holds the text, last deleted first."""
    number, size = max(1, number), min(max(1, size), LARGEST_PAGE)
    live = Version.objects.scoped(scope).filter(subject=OuterRef("subject"), deleted_at__isnull=True)
    found = Version.objects.scoped(scope).filter(
        visible(scope, READ, prefix="subject__"),
        subject__namespace=namespace_of(scope),
        deleted_at__isnull=False,
    )
    if text:
        found = found.filter(subject__name__icontains=text.replace("\0", ""))
    first = (number - 1) * size
    rows = (
        found.annotate(has_live=Exists(live))
        .order_by("-deleted_at", "subject", "number")
        .values_list(
            "subject__name",
            "subject__context",
            "number",
            "schema__number",
            "schema__content__format",
            "deleted_at",
            "created_by",
            "has_live",
        )
    )
    shown = (
        DeletedRow(SubjectName(name, context), version, schema_id, Format(format_), *rest)
        for name, context, version, schema_id, format_, *rest in rows[first : first + size]
    )
    return Page(tuple(shown), found.count(), number, size)
