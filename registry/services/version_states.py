"""Changing the state of a version: deprecated, disabled, and back.

A disabled version that comes back is judged among those around it, as a deleted one is that is restored: what
was registered meanwhile was not held against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone

from accord_server.kit import outbox
from accord_server.kit.edit_errors import Changed
from registry.errors import SubjectNotFound, TooMuchContention, VersionNotFound
from registry.life_errors import ReasonMissing
from registry.models import LONGEST_REASON, Version, VersionStateChange
from registry.queries.lives import life_of_row, version_row
from registry.queries.locks import lock_subject
from registry.queries.places import namespace_of
from registry.queries.visibility import admit
from registry.services.events import VERSION_STATE_CHANGED
from registry.services.restoring import require_fitting
from registry.services.situation import require_writable, situation_of
from registry.version_states import VersionState
from tenants.announcements import announce_namespace
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.life_records import ChangeState, VersionLife
    from registry.records import HistoryRow
    from registry.services.situation import Situation

ATTEMPTS: Final = 8
RIGHT: Final = "version.promote"


def change_state(scope: Scope, subject: SubjectName, command: ChangeState) -> VersionLife:
    """Change the state of a live version; one that is in it already stays as it is.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, soft-deleted, or may not be seen.
        RightMissing: ``version.promote`` is missing.
        ReasonMissing: No reason is given.
        ReadOnly: The mode takes no writes.
        Changed: Its state is at another revision than the command expects.
        RestoreRefused: It was disabled, and does not go with the versions around it.
        TooMuchContention: The subject changed faster than the version was judged.
        TooBusy: The versions are large, and so are others just now.
    """
    admit(scope, subject, RIGHT)
    if not 0 < len(command.reason.strip()) <= LONGEST_REASON:
        raise ReasonMissing(LONGEST_REASON)
    for _ in range(ATTEMPTS):
        seen = situation_of(scope, subject)
        row = _row(seen, command.number)
        require_writable(subject, seen.mode)
        if row.is_disabled and command.state is not VersionState.DISABLED and not seen.is_import:
            require_fitting(scope, seen, row)
        found = _changed(scope, seen, command)
        if found is not None:
            return found
    raise TooMuchContention(subject.qualified)


def _row(seen: Situation, number: int) -> HistoryRow:
    if not seen.live:
        raise SubjectNotFound(seen.subject.qualified)
    row = seen.row_at(number)
    if row is None or row.is_deleted:
        raise VersionNotFound(number)
    return row


def _changed(scope: Scope, seen: Situation, command: ChangeState) -> VersionLife | None:
    """Store the change, unless the subject is not any more what was judged."""
    subject = seen.subject
    with transaction.atomic():
        # Whoever registers, deletes or restores here takes this lock first.
        lock_subject(scope, subject)
        now = situation_of(scope, subject)
        if (now.settings, now.mode, now.rows) != (seen.settings, seen.mode, seen.rows):
            return None
        row = version_row(scope, subject, command.number)
        life = life_of_row(scope, subject, row)
        if command.expected not in {None, life.revision}:
            raise Changed(f"The state of version {command.number}", life.revision)
        if life.life.state is command.state:
            return life
        _store(scope, subject, row, command)
        return life_of_row(scope, subject, version_row(scope, subject, command.number))


def _store(scope: Scope, subject: SubjectName, row: Version, command: ChangeState) -> None:
    when, before, reason = timezone.now(), row.state, command.reason.strip()
    Version.objects.scoped(scope).filter(pk=row.pk).update(state=command.state.value, state_changed_at=when)
    VersionStateChange.objects.insert(
        scope,
        version_id=row.pk,
        before=before,
        after=command.state.value,
        reason=reason,
        changed_at=when,
        changed_by=scope.principal.key,
    )
    named = {"subject": subject.qualified, "version": row.number}
    announce_namespace(namespace_of(scope))
    outbox.emit(
        scope,
        VERSION_STATE_CHANGED,
        {**named, "before": before, "after": command.state.value, "reason": reason},
    )
    record_audit(
        scope,
        entry=AuditEntry(
            VERSION_STATE_CHANGED,
            "version",
            f"{subject.qualified}/{row.number}",
            before={"state": before},
            after={"state": command.state.value, "reason": reason},
        ),
    )
