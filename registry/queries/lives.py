"""Reads of the life of versions: states, comments, and what is said of them and of subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.paging import batch_of
from registry.errors import SubjectNotFound, VersionNotFound
from registry.life_errors import CommentNotFound
from registry.life_records import Comment, Described, StateStep, VersionLife
from registry.models import Detail, Subject, Version, VersionComment, VersionStateChange
from registry.queries.places import namespace_of
from registry.queries.visibility import admit
from registry.version_states import Life, VersionState

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from accord.model import SubjectName
    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope

READ: Final = "subject.read"
# Of the changes of a version; older ones are in the audit log.
MOST_STEPS: Final = 50


def version_life(scope: Scope, subject: SubjectName, number: int) -> VersionLife:
    """Return the state of a version and how it came to it: three statements.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
    """
    admit(scope, subject, READ)
    return life_of_row(scope, subject, version_row(scope, subject, number))


def life_of_row(scope: Scope, subject: SubjectName, row: Version) -> VersionLife:
    """Return the same of a version whose row is at hand: two statements."""
    changes = VersionStateChange.objects.scoped(scope).filter(version=row.pk)
    life = Life(VersionState(row.state), row.state_changed_at)
    return VersionLife(subject, row.number, life, *way_of(changes))


def way_of(changes: QuerySet[Any]) -> tuple[int, tuple[StateStep, ...]]:
    """Return the revision that changes of state lead to, and the newest of them, newest first."""
    steps = changes.order_by("-pk").values_list("before", "after", "reason", "changed_at", "changed_by")
    return 1 + changes.count(), tuple(
        StateStep(VersionState(before), VersionState(after), *rest)
        for before, after, *rest in steps[:MOST_STEPS]
    )


def comments_on(
    scope: Scope, subject: SubjectName, number: int, *, before: int | None = None, limit: int
) -> Batch[Comment]:
    """Return comments on a version, newest first.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
    """
    admit(scope, subject, READ)
    rows = VersionComment.objects.scoped(scope).filter(version=version_row(scope, subject, number).pk)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: limit + 1])
    batch = batch_of(found, limit, lambda row: str(row.pk))
    return type(batch)(tuple(map(comment_record, batch.rows)), batch.after)


def get_comment(scope: Scope, subject: SubjectName, number: int, comment_id: UUID) -> Comment:
    """Return one comment.

    Raises:
        SubjectNotFound, VersionNotFound, CommentNotFound: It is missing, or may not be seen.
    """
    admit(scope, subject, READ)
    return comment_record(comment_row(scope, version_row(scope, subject, number), comment_id))


def comment_row(scope: Scope, version: Version, comment_id: UUID, *, locks: bool = False) -> VersionComment:
    """Return the row of a comment on a version, locked if that is asked for.

    Raises:
        CommentNotFound: There is none.
    """
    rows = VersionComment.objects.scoped(scope)
    rows = rows.select_for_update() if locks else rows
    row: VersionComment | None = rows.filter(version=version.pk, public_id=comment_id).first()
    if row is None:
        raise CommentNotFound(str(comment_id))
    return row


def comment_record(row: VersionComment) -> Comment:
    """Return a comment as it leaves the room."""
    return Comment(row.public_id, row.text, row.author, row.created_at, row.edited_at, row.revision)


def described(scope: Scope, subject: SubjectName, number: int | None = None) -> Described:
    """Return what is said of a subject, or of one of its versions.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
    """
    admit(scope, subject, READ)
    return described_row(Detail.objects.scoped(scope).filter(**thing_of(scope, subject, number)).first())


def described_row(row: Detail | None) -> Described:
    """Return what a row says: nothing where there is none."""
    if row is None:
        return Described()
    return Described(
        row.description, tuple(row.labels), row.properties, row.revision, row.changed_at, row.changed_by
    )


def thing_of(scope: Scope, subject: SubjectName, number: int | None) -> dict[str, Any]:
    """Return what picks the row of details of a subject or a version.

    Raises:
        SubjectNotFound, VersionNotFound: There is nothing live of it.
    """
    if number is not None:
        return {"version": version_row(scope, subject, number).pk}
    row = _subject_row(scope, subject)
    live = Version.objects.scoped(scope).filter(subject=row, deleted_at__isnull=True)
    if row is None or not live.exists():
        raise SubjectNotFound(subject.qualified)
    return {"subject": row}


def version_row(scope: Scope, subject: SubjectName, number: int) -> Version:
    """Return the row of a live version: one statement where it is there.

    Raises:
        SubjectNotFound, VersionNotFound: It is not there.
    """
    rows = Version.objects.scoped(scope).filter(
        subject__namespace=namespace_of(scope),
        subject__context=subject.context,
        subject__name=subject.name,
        deleted_at__isnull=True,
    )
    row: Version | None = rows.filter(number=number).first()
    if row is None:
        raise VersionNotFound(number) if rows.exists() else SubjectNotFound(subject.qualified)
    return row


def _subject_row(scope: Scope, subject: SubjectName) -> int | None:
    rows = Subject.objects.scoped(scope).filter(
        namespace=namespace_of(scope), context=subject.context, name=subject.name
    )
    return rows.values_list("pk", flat=True).first()
