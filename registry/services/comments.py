"""Saying something about a version, changing it, and taking it back; each is audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from django.db import transaction
from django.utils import timezone

from accord_server.kit import outbox
from accord_server.kit.edit_errors import Changed
from registry.life_errors import CommentInvalid, CommentLimitReached, CommentOfAnother
from registry.models import Version, VersionComment
from registry.queries.lives import comment_record, comment_row, version_row
from registry.queries.visibility import admit
from registry.services.events import VERSION_COMMENTED
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from uuid import UUID

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.life_records import Comment

RIGHT: Final = "comment.write"
# Whoever decides about states may take away what others said.
MODERATE: Final = "version.promote"
LONGEST_COMMENT: Final = 4_000
MOST_COMMENTS: Final = 1_000
# Control characters, and halves of characters; lines may end.
UNFIT: Final = frozenset({"Cc", "Cs"})
ALLOWED: Final = frozenset("\n\t")


def add_comment(scope: Scope, subject: SubjectName, number: int, text: str) -> Comment:
    """Say something about a live version.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
        RightMissing: ``comment.write`` is missing.
        CommentInvalid, CommentLimitReached: It cannot be kept.
    """
    admit(scope, subject, RIGHT)
    checked = _checked(text)
    with transaction.atomic():
        version = _locked(scope, subject, number)
        if VersionComment.objects.scoped(scope).filter(version=version.pk).count() >= MOST_COMMENTS:
            raise CommentLimitReached(MOST_COMMENTS)
        row: VersionComment = VersionComment.objects.insert(
            scope, version_id=version.pk, text=checked, author=scope.principal.key
        )
        _leave_traces(scope, "comment.create", (subject, number), row, after=checked)
    return comment_record(row)


def edit_comment(
    scope: Scope, subject: SubjectName, number: int, comment_id: UUID, text: str, *, expected: int | None
) -> Comment:
    """Change what one said oneself.

    Raises:
        SubjectNotFound, VersionNotFound, CommentNotFound: It is missing, or may not be seen.
        RightMissing: ``comment.write`` is missing.
        CommentOfAnother: Somebody else said it.
        CommentInvalid: It cannot be kept.
        Changed: It is at another revision than ``expected``.
    """
    admit(scope, subject, RIGHT)
    checked = _checked(text)
    with transaction.atomic():
        row = comment_row(scope, version_row(scope, subject, number), comment_id, locks=True)
        if row.author != scope.principal.key:
            raise CommentOfAnother(str(comment_id))
        _require_revision(row, expected)
        before, row.text = row.text, checked
        row.revision, row.edited_at = row.revision + 1, timezone.now()
        row.save()
        _leave_traces(scope, "comment.update", (subject, number), row, before=before, after=checked)
    return comment_record(row)


def delete_comment(
    scope: Scope, subject: SubjectName, number: int, comment_id: UUID, *, expected: int | None
) -> None:
    """Take back what one said oneself, or as who decides about states what anybody said.

    Raises:
        SubjectNotFound, VersionNotFound, CommentNotFound: It is missing, or may not be seen.
        RightMissing: ``comment.write`` is missing, or for what others said ``version.promote``.
        Changed: It is at another revision than ``expected``.
    """
    admit(scope, subject, RIGHT)
    with transaction.atomic():
        row = comment_row(scope, version_row(scope, subject, number), comment_id, locks=True)
        if row.author != scope.principal.key:
            admit(scope, subject, MODERATE)
        _require_revision(row, expected)
        _leave_traces(scope, "comment.delete", (subject, number), row, before=row.text)
        row.delete()


def _checked(text: str) -> str:
    kept = text.replace("\r\n", "\n").strip()
    if not 0 < len(kept) <= LONGEST_COMMENT:
        raise CommentInvalid(f"it has 1 to {LONGEST_COMMENT} characters")
    if any(category(one) in UNFIT and one not in ALLOWED for one in kept):
        raise CommentInvalid("it holds a control character or half a character")
    return kept


def _locked(scope: Scope, subject: SubjectName, number: int) -> Version:
    """Return the version; whoever comments on it at the same time waits, so that comments can be counted."""
    row = version_row(scope, subject, number)
    list(Version.objects.scoped(scope).filter(pk=row.pk).select_for_update(no_key=True).values_list("pk"))
    return row


def _require_revision(row: VersionComment, expected: int | None) -> None:
    if expected not in {None, row.revision}:
        raise Changed("The comment", row.revision)


def _leave_traces(
    scope: Scope,
    action: str,
    version: tuple[SubjectName, int],
    row: VersionComment,
    *,
    before: str | None = None,
    after: str | None = None,
) -> None:
    subject, number = version
    said: list[dict[str, Any] | None] = [None if one is None else {"text": one} for one in (before, after)]
    named = {"subject": subject.qualified, "version": number, "comment": str(row.public_id)}
    outbox.emit(scope, VERSION_COMMENTED, {**named, "action": action})
    name = f"{subject.qualified}/{number}/{row.public_id}"
    record_audit(scope, entry=AuditEntry(action, "comment", name, before=said[0], after=said[1]))
