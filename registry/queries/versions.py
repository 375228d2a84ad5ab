"""Reads of versions by subject, with the rules of what is deleted, hidden or in another context."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from accord.model import DEFAULT_CONTEXT, Format, SubjectName
from registry.errors import SchemaNotFound, SubjectNotFound, VersionNotFound
from registry.models import SchemaReference, Version
from registry.queries.one_version import version_at, version_elsewhere, version_with
from registry.queries.places import namespace_of
from registry.queries.subjects import LARGEST_PAGE, contexts_of
from registry.queries.visibility import READ, admit, may_see, visible
from registry.records import LATEST, WHOLE, Page, Slice, VersionRow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope
    from registry.records import VersionRecord

NO_NUMBER = -1
# What the timeline shows; the text of the schema stays where it is.
SHOWN: Final = {
    "number": "number",
    "created_at": "created_at",
    "created_by": "created_by",
    "level": "level",
    "schema_id": "schema__number",
    "format": "schema__content__format",
}


def get_version(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool = False, anywhere: bool = True
) -> VersionRecord:
    """Return a version by number, or the latest live one: one statement where it exists.

    Of a bare name, what the default context does not have is looked for in the others, if ``anywhere``.

    Raises:
        SubjectNotFound: No such subject, none that may be seen, or nothing live in it.
        VersionNotFound: The subject is known, the version is not (or is soft-deleted).
    """
    found = version_at(scope, subject, number, deleted=deleted) if may_see(scope, subject) else None
    if found is None and anywhere and subject.context == DEFAULT_CONTEXT:
        found = version_elsewhere(scope, subject, number, deleted=deleted)
    if found is not None:
        return found
    raise _missing(scope, subject, number, deleted=deleted, anywhere=anywhere)


def get_version_with(
    scope: Scope, subject: SubjectName, properties: Mapping[str, str], *, deleted: bool = False
) -> VersionRecord:
    """Return the newest version whose metadata have all these properties: one statement where there is one.

    Raises:
        SubjectNotFound: No such subject, none that may be seen, or nothing in it.
        SchemaNotFound: No version has them.
    """
    if may_see(scope, subject):
        found = version_with(scope, subject, properties, deleted=deleted)
        if found is not None:
            return found
    # What is missing is looked for as the latest version would be.
    if isinstance(missing := _missing(scope, subject, LATEST, deleted=deleted), SubjectNotFound):
        raise missing
    raise SchemaNotFound


def versions_of(scope: Scope, subject: SubjectName, *, number: int = 1, size: int = 50) -> Page[VersionRow]:
    """Return one page of the live versions of a subject, newest first, without their texts.

    Raises:
        SubjectNotFound: No such subject, none that may be seen, or nothing live in it.
    """
    admit(scope, subject, "subject.read")
    number, size = max(1, number), min(max(1, size), LARGEST_PAGE)
    live = _of_subject(scope, subject).filter(deleted_at__isnull=True)
    total = live.count()
    if not total:
        raise SubjectNotFound(subject.qualified)
    first = (number - 1) * size
    # One more than the page shows: the oldest row says what it follows, though that is overleaf.
    found = list(live.order_by("-number").values(*SHOWN.values())[first : first + size + 1])
    followed = pairwise([*found, {"number": None}])
    rows = [_version_row(row, before=older["number"]) for row, older in followed]
    return Page(tuple(rows[:size]), total, number, size)


def live_among(scope: Scope, subject: SubjectName, numbers: Collection[int]) -> frozenset[int]:
    """Return which of the numbers are live versions of a subject: none of one that may not be seen."""
    if not may_see(scope, subject):
        return frozenset()
    live = _of_subject(scope, subject).filter(deleted_at__isnull=True, number__in=numbers)
    return frozenset(live.values_list("number", flat=True))


def version_numbers(
    scope: Scope,
    subject: SubjectName,
    *,
    deleted: bool = False,
    deleted_only: bool = False,
    page: Slice = WHOLE,
) -> list[int]:
    """Return the version numbers of a subject in order: live ones, soft-deleted ones, or both.

    Raises:
        SubjectNotFound: No live version, or with either flag no version at all.
    """
    marked = _numbers(scope, subject)
    live = [number for number, is_deleted in marked if not is_deleted]
    if not (marked if deleted or deleted_only else live):
        raise SubjectNotFound(subject.qualified)
    if deleted_only:
        live = [number for number, is_deleted in marked if is_deleted]
    elif deleted:
        live = [number for number, _ in marked]
    return live[page.offset : page.end]


def signed_version_numbers(scope: Scope, subject: SubjectName, *, page: Slice = WHOLE) -> list[int]:
    """Return live and soft-deleted version numbers in order, the latter negative.

    Raises:
        SubjectNotFound: No version at all.
    """
    marked = _numbers(scope, subject)
    if not marked:
        raise SubjectNotFound(subject.qualified)
    return [-number if is_deleted else number for number, is_deleted in marked][page.offset : page.end]


def dependants_of(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool = False, page: Slice = WHOLE
) -> list[int]:
    """Return the ids of readable schemas that refer to a version, which may itself be soft-deleted.

    Raises:
        SubjectNotFound: No such subject, or none that may be seen.
        VersionNotFound: No such version.
    """
    target = get_version(scope, subject, number, deleted=True)
    readable = visible(scope, READ, prefix="schema__versions__subject__")
    live = Q() if deleted else Q(schema__versions__deleted_at__isnull=True)
    edges = SchemaReference.objects.scoped(scope).filter(
        readable & live,
        target__subject__namespace=namespace_of(scope),
        target__subject__context=target.subject.context,
        target__subject__name=target.subject.name,
        target__number=target.number,
    )
    ids = edges.order_by("schema__number").values_list("schema__number", flat=True).distinct()
    return list(ids[page.offset : page.end])


def namesakes(scope: Scope, subject: SubjectName) -> Iterator[SubjectName]:
    """Yield the subjects that a name may stand for: itself first; a bare one those of other contexts too."""
    yield subject
    if subject.context == DEFAULT_CONTEXT:
        for context in contexts_of(scope, subject.name):
            if context != DEFAULT_CONTEXT:
                yield SubjectName(subject.name, context)


def _missing(
    scope: Scope, subject: SubjectName, number: int | str, *, deleted: bool, anywhere: bool = False
) -> SubjectNotFound | VersionNotFound:
    """Say what is missing; ``anywhere`` counts the subjects that a bare name may stand for besides."""
    versions = Version.objects.scoped(scope).filter(
        visible(scope, READ, prefix="subject__"),
        subject__namespace=namespace_of(scope),
        subject__name=subject.name,
    )
    if not anywhere or subject.context != DEFAULT_CONTEXT:
        versions = versions.filter(subject__context=subject.context)
    if not may_see(scope, subject):
        versions = versions.exclude(subject__context=subject.context)
    if not (versions if deleted else versions.filter(deleted_at__isnull=True)).exists():
        return SubjectNotFound(subject.qualified)
    return VersionNotFound(NO_NUMBER if number == LATEST else int(number))


def _numbers(scope: Scope, subject: SubjectName) -> list[tuple[int, bool]]:
    admit(scope, subject, "subject.read")
    rows = _of_subject(scope, subject).order_by("number").values_list("number", "deleted_at")
    return [(number, deleted_at is not None) for number, deleted_at in rows]


def _version_row(values: dict[str, Any], *, before: int | None) -> VersionRow:
    shown = {name: values[column] for name, column in SHOWN.items()}
    return VersionRow(**{**shown, "format": Format(shown["format"])}, before=before)


def _of_subject(scope: Scope, subject: SubjectName) -> QuerySet[Any]:
    return Version.objects.scoped(scope).filter(
        subject__namespace=namespace_of(scope), subject__context=subject.context, subject__name=subject.name
    )
