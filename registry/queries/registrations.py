"""The history of a subject: each registration with what was in force and what the verdict was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord.model import Format, Severity
from accord_server.kit.paging import Batch
from registry.errors import SubjectNotFound
from registry.models import Version
from registry.queries.places import namespace_of
from registry.queries.subjects import LARGEST_PAGE
from registry.queries.visibility import admit
from registry.records import Page
from registry.registration_records import KeptFinding, Registration, in_force_of, judged_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

COLUMNS: Final = (
    "number", "schema__number", "schema__content__format", "created_at", "created_by", "deleted_at",
    "level", "in_force", "judged", "findings",
)  # fmt: skip


def registrations_of(
    scope: Scope, subject: SubjectName, *, before: int | None = None, limit: int
) -> Batch[Registration]:
    """Return the registrations of a subject below a version, newest first, soft-deleted ones included.

    Which policies were in force is told to whoever may read policies there.

    Raises:
        SubjectNotFound: No such subject, none that may be seen, or nothing in it.
        RightMissing: The subject may be seen, not read.
    """
    admit(scope, subject, "subject.read")
    rows = _rows(scope, subject)
    if before is not None:
        rows = rows.filter(number__lt=before)
    found = list(rows.order_by("-number").values(*COLUMNS)[: limit + 1])
    if not found and not _rows(scope, subject).exists():
        raise SubjectNotFound(subject.qualified)
    kept = _registrations(scope, subject, found[:limit])
    return Batch(kept, str(kept[-1].number) if len(found) > limit else None)


def registrations_page(
    scope: Scope, subject: SubjectName, *, number: int = 1, size: int = 50
) -> Page[Registration]:
    """Return one page of the same; raises likewise."""
    admit(scope, subject, "subject.read")
    number, size = max(1, number), min(max(1, size), LARGEST_PAGE)
    rows = _rows(scope, subject)
    total = rows.count()
    if not total:
        raise SubjectNotFound(subject.qualified)
    first = (number - 1) * size
    found = rows.order_by("-number").values(*COLUMNS)[first : first + size]
    return Page(_registrations(scope, subject, found), total, number, size)


def _rows(scope: Scope, subject: SubjectName) -> QuerySet[Any]:
    return Version.objects.scoped(scope).filter(
        subject__namespace=namespace_of(scope), subject__context=subject.context, subject__name=subject.name
    )


def _registrations(
    scope: Scope, subject: SubjectName, found: Iterable[Mapping[str, Any]]
) -> tuple[Registration, ...]:
    shows_policies = scope.may("policy.read", subject)
    return tuple(_registration(row, shows_policies=shows_policies) for row in found)


def _registration(row: Mapping[str, Any], *, shows_policies: bool) -> Registration:
    in_force, judged = row["in_force"], row["judged"]
    return Registration(
        number=row["number"],
        schema_id=row["schema__number"],
        format=Format(row["schema__content__format"]),
        created_at=row["created_at"],
        created_by=row["created_by"],
        deleted_at=row["deleted_at"],
        level=row["level"],
        in_force=in_force_of(in_force) if in_force and shows_policies else None,
        judged=judged_of(judged) if judged else None,
        findings=tuple(
            KeptFinding(**{**one, "severity": Severity(one["severity"])}) for one in row["findings"]
        ),
    )
