"""Reads of subjects: lists and the page of rows that the subjects page draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    Max,
    OuterRef,
    Q,
    Value,
    When,
)
from django.db.models.fields import TextField
from django.db.models.functions import Collate, Concat

from accord.model import DEFAULT_CONTEXT, Format, SubjectName
from accord.naming import WILDCARD_CONTEXT, split_subject
from registry.models import BYTEWISE, Subject, Version
from registry.queries.places import namespace_of
from registry.queries.visibility import LISTED, READ, visible
from registry.records import WHOLE, Page, Slice, SubjectRow
from registry.version_states import VersionState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

EVERY_CONTEXT: Final = f":{WILDCARD_CONTEXT}:"
LARGEST_PAGE: Final = 200

# Disabled versions come last, however new they are.
DISABLED: Final = ExpressionWrapper(Q(state=VersionState.DISABLED.value), output_field=BooleanField())
# A subject as answers show it, compared byte by byte.
QUALIFIED: Final = Collate(
    Case(
        When(context=DEFAULT_CONTEXT, then=F("name")),
        default=Concat(Value(":"), F("context"), Value(":"), F("name")),
        output_field=TextField(),
    ),
    BYTEWISE,
)


def list_subjects(
    scope: Scope,
    *,
    prefix: str = EVERY_CONTEXT,
    deleted: bool = False,
    deleted_only: bool = False,
    page: Slice = WHOLE,
) -> list[str]:
    """Return qualified names in order: live subjects, those wholly soft-deleted, or both."""
    found = _in_namespace(scope).filter(visible(scope, LISTED), _named(prefix))
    if deleted_only:
        found = found.filter(~_has_live(scope))
    elif not deleted:
        found = found.filter(_has_live(scope))
    names = found.order_by(QUALIFIED).values_list("context", "name")
    return [SubjectName(name, context).qualified for context, name in names[page.offset : page.end]]


def search_subjects(scope: Scope, *, text: str = "", number: int = 1, size: int = 50) -> Page[SubjectRow]:
    """Return one page of the live subjects whose name holds the text, in order of their names."""
    number, size = max(1, number), min(max(1, size), LARGEST_PAGE)
    found = _in_namespace(scope).filter(visible(scope, LISTED), _has_live(scope))
    if text:
        found = found.filter(name__icontains=text.replace("\0", ""))
    first = (number - 1) * size
    keys = list(found.order_by(QUALIFIED).values_list("pk", flat=True)[first : first + size])
    return Page(_rows(scope, keys), found.count(), number, size)


def contexts_of(scope: Scope, name: str) -> list[str]:
    """Return the contexts in which a readable subject has that name, the default one first."""
    found = _in_namespace(scope).filter(visible(scope, READ), name=name)
    return sorted(found.values_list("context", flat=True), key=lambda one: (one != DEFAULT_CONTEXT, one))


def has_live_subjects(scope: Scope, subject: SubjectName) -> bool:
    """Tell whether the subject, or with an empty name anything in the context, is live."""
    found = _in_namespace(scope).filter(_has_live(scope), context=subject.context)
    return found.filter(name=subject.name).exists() if subject.name else found.exists()


def _in_namespace(scope: Scope) -> QuerySet[Any]:
    return Subject.objects.scoped(scope).filter(namespace=namespace_of(scope))


def _live_versions(scope: Scope) -> QuerySet[Any]:
    return Version.objects.scoped(scope).filter(deleted_at__isnull=True)


def _has_live(scope: Scope) -> Exists:
    return Exists(_live_versions(scope).filter(subject=OuterRef("pk")))


def _named(prefix: str) -> Q:
    wanted = split_subject(prefix)
    named = Q(name__startswith=wanted.name) if wanted.name else Q()
    return named if wanted.context == WILDCARD_CONTEXT else named & Q(context=wanted.context)


def _rows(scope: Scope, keys: Sequence[int]) -> tuple[SubjectRow, ...]:
    """Read what the rows show for the subjects of one page alone: two statements for any number."""
    live = _live_versions(scope).filter(subject__in=keys)
    counted = {
        row["subject"]: row
        for row in live.values("subject").annotate(versions=Count("pk"), updated_at=Max("created_at"))
    }
    latest = live.order_by("subject", DISABLED, "-number").distinct("subject")
    found = latest.select_related("subject", "schema__content").defer("schema__content__text")
    rows = {version.subject_id: _row(version, counted[version.subject_id]) for version in found}
    return tuple(rows[key] for key in keys if key in rows)


def _row(version: Version, counted: dict[str, Any]) -> SubjectRow:
    return SubjectRow(
        subject=SubjectName(version.subject.name, version.subject.context),
        format=Format(version.schema.content.format),
        latest=version.number,
        versions=counted["versions"],
        latest_schema_id=version.schema.number,
        updated_at=counted["updated_at"],
    )
