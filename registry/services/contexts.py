"""Dropping contexts in which nothing is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from accord.model import SubjectName
from accord_server.kit import outbox
from registry.errors import ContextNotEmpty
from registry.queries.contexts import has_subjects
from registry.queries.locks import lock_known_counter
from registry.queries.visibility import admit_settings
from registry.services.events import CONTEXT_DROPPED
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def drop_context(scope: Scope, context: str) -> None:
    """Take an empty context off the list; one that is not there needs nothing.

    Its ids are never issued again, and its settings stay: whatever is registered there brings it back.

    Raises:
        RightMissing: ``subject.purge`` is missing on all that the context can hold.
        ContextNotEmpty: It has subjects, be they soft-deleted.
    """
    admit_settings(scope, SubjectName("", context), "subject.purge")
    with transaction.atomic():
        counter = lock_known_counter(scope, context)
        if has_subjects(scope, context):
            raise ContextNotEmpty(context)
        if counter is None or counter.is_dropped:
            return
        counter.is_dropped = True
        counter.save(update_fields=["is_dropped"])
        outbox.emit(scope, CONTEXT_DROPPED, {"context": context})
        record_audit(scope, entry=AuditEntry(CONTEXT_DROPPED, "context", context))
