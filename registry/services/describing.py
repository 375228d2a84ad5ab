"""Saying what a subject or a version is: description, labels and properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord_server.kit import outbox
from accord_server.kit.edit_errors import Changed
from registry.models import Detail
from registry.queries.lives import described_row, thing_of
from registry.queries.locks import lock_subject
from registry.queries.visibility import admit
from registry.services.events import DETAILS_CHANGED
from tenants.details import checked_description, checked_labels, checked_properties
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.life_records import Describe, Described

RIGHT: Final = "subject.write"


def describe(scope: Scope, subject: SubjectName, command: Describe, number: int | None = None) -> Described:
    """Change what is said of a live subject, or of one of its versions, if nobody was faster.

    Raises:
        SubjectNotFound, VersionNotFound: It is missing, or may not be seen.
        RightMissing: ``subject.write`` is missing.
        InvalidDetail: A part of it cannot be stored.
        Changed: It is at another revision than the command expects.
    """
    admit(scope, subject, RIGHT)
    values = _values(command)
    with transaction.atomic():
        # Of two who say something first, one waits, and is told that the other was faster.
        lock_subject(scope, subject)
        thing = thing_of(scope, subject, number)
        row = Detail.objects.scoped(scope).filter(**thing).first()
        now = described_row(row)
        if command.expected not in {None, now.revision}:
            raise Changed("What is said of it", now.revision)
        before = _shown(now)
        after = before | values
        if after == before:
            return now
        row = _stored(scope, row, thing, after)
        _leave_traces(scope, subject, number, before=before, after=after)
    return described_row(row)


def _values(command: Describe) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if command.description is not None:
        values["description"] = checked_description(command.description)
    if command.labels is not None:
        values["labels"] = checked_labels(command.labels)
    if command.properties is not None:
        values["properties"] = checked_properties(command.properties)
    return values


def _shown(now: Described) -> dict[str, Any]:
    return {
        "description": now.description,
        "labels": list(now.labels),
        "properties": dict(now.properties),
    }


def _stored(scope: Scope, row: Detail | None, thing: dict[str, Any], values: dict[str, Any]) -> Detail:
    if row is None:
        keys = {f"{name}_id": key for name, key in thing.items()}
        by = scope.principal.key
        added: Detail = Detail.objects.insert(scope, **keys, **values, changed_by=by)
        return added
    for name, value in values.items():
        setattr(row, name, value)
    row.revision += 1
    row.changed_at, row.changed_by = timezone.now(), scope.principal.key
    row.save()
    return row


def _leave_traces(
    scope: Scope, subject: SubjectName, number: int | None, *, before: dict[str, Any], after: dict[str, Any]
) -> None:
    kind, name = ("subject", subject.qualified)
    if number is not None:
        kind, name = "version", f"{subject.qualified}/{number}"
    outbox.emit(scope, DETAILS_CHANGED, {"subject": subject.qualified, "version": number})
    record_audit(scope, entry=AuditEntry(DETAILS_CHANGED, kind, name, before=before, after=after))
