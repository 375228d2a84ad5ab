"""What is refused about the life of versions: states, comments, and what may be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import Conflict, Denied, Invalid, NotFound, error

if TYPE_CHECKING:
    from accord.model import Verdict


@error
class VersionDisabled(Conflict):
    """A schema, or a reference, that is a disabled version."""

    code = "version_disabled"
    template = (
        "Version {version} of subject '{subject}' is disabled: it takes no new registrations and references. "
        "Use another version, or have somebody with the right version.promote enable this one again"
    )
    subject: str
    version: int


@error
class ReasonMissing(Invalid):
    """A change of state without a reason, or with one that is too long."""

    code = "reason_missing"
    template = "The reason is a text of 1 to {limit} characters; say why the state of the version changes."
    limit: int


@error
class RollbackRefused(Conflict):
    """The verdict on an older version's schema blocks; ``messages`` are its findings in words."""

    code = "rollback_refused"
    template = (
        "Version {version} of subject '{subject}' cannot be the next version again: the checks in force "
        "refuse its schema. Change what the findings name, or ask for skip_check, which takes the right "
        "check.skip"
    )
    subject: str
    version: int
    messages: tuple[str, ...]
    verdict: Verdict


@error
class CommentNotFound(NotFound):
    """No such comment on this version."""

    code = "comment_not_found"
    template = "Comment {comment} not found"
    comment: str


@error
class CommentInvalid(Invalid):
    """A comment that is empty, too long, or no plain text."""

    code = "comment_invalid"
    template = "The comment cannot be kept: {details}."
    details: str


@error
class CommentOfAnother(Denied):
    """An edit of what somebody else said."""

    code = "comment_of_another"
    template = (
        "Comment {comment} is somebody else's: only its author edits it. Whoever holds the right "
        "version.promote may delete it"
    )
    comment: str


@error
class CommentLimitReached(Conflict):
    """A version that has as many comments as it may."""

    code = "comment_limit_reached"
    template = "The version has {limit} comments already; delete one first."
    limit: int


@error
class DeletionForbidden(Denied):
    """A deletion of a kind that somebody switched off; ``by`` says who, ``change`` where to switch it on."""

    code = "deletion_forbidden"
    template = "{which} deletion is switched off by the {by}. {change}"
    which: str
    by: str
    change: str
