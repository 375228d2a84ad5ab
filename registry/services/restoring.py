"""Bringing soft-deleted versions back, with their numbers and ids, where the rules in force let them stand.

A version comes back between others: it must be allowed after the live versions below it, and the live
versions above it after it, as far as the level looks. What was deleted at once comes back at once and is not
judged again: it stood together already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from accord.errors import ReferenceNotFound
from accord.model import SubjectName
from accord.policy.level_names import spell_level
from accord_server.kit import outbox
from registry.errors import (
    RestoreRefused,
    SubjectNotFound,
    TooMuchContention,
    VersionNotFound,
)
from registry.models import SchemaReference, Version
from registry.queries.contracts import contract_of_row
from registry.queries.locks import lock_live_versions, lock_subject
from registry.queries.places import namespace_of
from registry.queries.visibility import admit
from registry.services.candidates import Candidate
from registry.services.contracts import of_group
from registry.services.events import VERSION_RESTORED
from registry.services.heavy import turn_for
from registry.services.judging import Models, couples_of, trials_of, wording
from registry.services.situation import require_writable, situation_of
from tenants.announcements import announce_namespace
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.situation import Situation

ATTEMPTS: Final = 8
RIGHT: Final = "subject.write"


def restore_version(scope: Scope, subject: SubjectName, number: int) -> list[int]:
    """Bring one soft-deleted version back; return its number, or none where it is live already.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
        RightMissing: ``subject.write`` is missing.
        ReadOnly: The mode takes no writes.
        RestoreRefused: It does not go with the live versions around it.
        ReferenceNotFound: A version that it refers to is soft-deleted itself.
        TooMuchContention: The subject changed faster than the version was judged.
        TooBusy: The versions are large, and so are others just now.
    """
    admit(scope, subject, RIGHT)
    for _ in range(ATTEMPTS):
        seen = situation_of(scope, subject)
        row = _version(seen, number)
        if not row.is_deleted:
            return []
        require_writable(subject, seen.mode)
        if not seen.is_import:
            _require_fitting(scope, seen, row)
        if _brought_back(scope, seen, [row]):
            return [number]
    raise TooMuchContention(subject.qualified)


def restore_subject(scope: Scope, subject: SubjectName) -> list[int]:
    """Undo the deletion of a subject: bring back what was live until then; return the numbers.

    There are none where a version of it is live.

    Raises:
        SubjectNotFound, RightMissing, ReadOnly, ReferenceNotFound, TooMuchContention: As for one version.
    """
    admit(scope, subject, RIGHT)
    for _ in range(ATTEMPTS):
        seen = situation_of(scope, subject)
        if not seen.rows:
            raise SubjectNotFound(subject.qualified)
        if seen.live:
            return []
        require_writable(subject, seen.mode)
        rows = _deleted_last(scope, seen.rows)
        if rows and _brought_back(scope, seen, rows):
            return [row.number for row in rows]
    raise TooMuchContention(subject.qualified)


def _version(seen: Situation, number: int) -> HistoryRow:
    if not seen.rows:
        raise SubjectNotFound(seen.subject.qualified)
    row = seen.row_at(number)
    if row is None:
        raise VersionNotFound(number)
    return row


def _deleted_last(scope: Scope, rows: Sequence[HistoryRow]) -> list[HistoryRow]:
    """Return the versions that one deletion hid, the last one; none where they are no longer there."""
    keys = [row.version_key for row in rows]
    versions = Version.objects.scoped(scope).filter(pk__in=keys, deleted_at__isnull=False)
    hidden = dict(versions.values_list("pk", "deleted_at"))
    newest = max(hidden.values(), default=None)
    return [row for row in rows if row.version_key in hidden and hidden[row.version_key] == newest]


def _require_fitting(scope: Scope, now: Situation, row: HistoryRow) -> None:
    """Judge the pairs that the version makes with those around it."""
    line = tuple(one for one in now.rows if one is row or not one.is_deleted)
    for place, one in enumerate(line):
        if one.number >= row.number:
            _require_pair(scope, now, one, before=line[:place], about=row)


def _require_pair(
    scope: Scope, now: Situation, newer: HistoryRow, *, before: Sequence[HistoryRow], about: HistoryRow
) -> None:
    """Hold a version against those before it, as far as the one that comes back has a part in it."""
    candidate = Candidate(
        Models(scope, (newer,)).of(newer),
        (),
        scope.tenant.id,
        newer.content_key,
        contract=contract_of_row(scope, newer),
    )
    found = now.policy(scope, candidate.parsed.format)
    peers = of_group(scope, candidate.contract, before, found.group.value)
    couples = [one for one in couples_of(found.policy.level, peers) if about is newer or one.row is about]
    if not couples:
        return
    with turn_for(newer.text_bytes), trials_of(scope, candidate, found.policy, [couples]) as trials:
        verdict = trials.verdict(couples)
    if not verdict.is_allowed:
        blamed = next(one.version for one in verdict.comparisons if one.is_blocked)
        shows_old = scope.may("subject.read", now.subject)
        raise RestoreRefused(
            subject=now.subject.qualified,
            version=about.number,
            level=spell_level(found.level.value),
            older=blamed or 0,
            newer=newer.number,
            messages=wording(scope, verdict, found, rows=peers, shows_old=shows_old),
        )


def _brought_back(scope: Scope, seen: Situation, rows: Sequence[HistoryRow]) -> bool:
    """Mark versions as live, unless the subject is not any more what was judged."""
    subject = seen.subject
    with transaction.atomic():
        # Whoever deletes or registers here takes this lock first.
        if lock_subject(scope, subject) is None:
            raise SubjectNotFound(subject.qualified)
        now = situation_of(scope, subject)
        if (now.settings, now.mode, now.rows) != (seen.settings, seen.mode, seen.rows):
            return False
        _require_live_targets(scope, rows)
        keys = [row.version_key for row in rows]
        Version.objects.scoped(scope).filter(pk__in=keys).update(deleted_at=None)
        _leave_traces(scope, subject, [row.number for row in rows])
    return True


def _require_live_targets(scope: Scope, rows: Sequence[HistoryRow]) -> None:
    """Lock what the versions refer to; what comes back at once may refer to each other."""
    edges = SchemaReference.objects.scoped(scope).filter(schema__in={row.schema_key for row in rows})
    own = {row.version_key for row in rows}
    targets = {
        target: (SubjectName(name, context), number)
        for target, name, context, number in edges.values_list(
            "target", "target__subject__name", "target__subject__context", "target__number"
        )
        if target not in own
    }
    live = lock_live_versions(targets)
    for key, (named, number) in targets.items():
        if key not in live:
            raise ReferenceNotFound(named.qualified, number)


def _leave_traces(scope: Scope, subject: SubjectName, numbers: list[int]) -> None:
    named = {"subject": subject.qualified, "versions": numbers}
    announce_namespace(namespace_of(scope))
    outbox.emit(scope, VERSION_RESTORED, named)
    record_audit(scope, entry=AuditEntry(VERSION_RESTORED, "subject", subject.qualified, after=named))
