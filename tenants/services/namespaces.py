"""Namespaces as they are changed, deleted and brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.utils import timezone

from accord.model import Format
from accord_server.kit import nudge
from tenants.access import is_visible, require, require_everywhere
from tenants.announcements import announce_tenant
from tenants.details import checked_description, checked_labels, checked_name, checked_properties
from tenants.errors import (
    InvalidDetail,
    NamespaceFixed,
    NamespaceGoing,
    NamespaceNotFound,
    NotConfirmed,
)
from tenants.models import Namespace
from tenants.queries import namespace_of, namespace_record
from tenants.records import AuditEntry
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision
from tenants.services.quotas import require_room
from tenants.slugs import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.records import NamespaceDetails, NamespaceRecord

PURGE: Final = "tenants.purge_deleted"
RIGHT: Final = "namespace.manage"
SHOWN: Final = ("name", "description", "labels", "properties", "format")


def update_namespace(scope: Scope, *, details: NamespaceDetails, expected: int | None) -> NamespaceRecord:
    """Change what is said of the namespace that the call is about, if nobody was faster.

    Raises:
        RightMissing: Without ``namespace.manage`` there.
        InvalidDetail: A part of it cannot be stored.
        Changed: It is at another revision than ``expected``.
    """
    require(scope, RIGHT)
    values = values_of(details)
    with change(scope):
        row = _lock(scope, namespace_of(scope).slug)
        require_revision(f"Namespace '{row.slug}'", row, expected)
        before = shown(row)
        for name, value in values.items():
            setattr(row, name, value)
        if shown(row) != before:
            _save(scope, row, "namespace.update", before=before, after=shown(row))
    return namespace_record(row)


def delete_namespace(scope: Scope, *, confirmed: str, expected: int | None) -> None:
    """Take the namespace away from everybody; it can be brought back by `restore_namespace`.

    Raises:
        RightMissing: Without ``namespace.manage`` over the whole tenant.
        NotConfirmed: The name of the namespace was not repeated.
        NamespaceFixed: It is the tenant's own address.
        Changed: It is at another revision than ``expected``.
    """
    slug = namespace_of(scope).slug
    require_everywhere(scope, RIGHT)
    if slug == DEFAULT_NAMESPACE:
        raise NamespaceFixed(slug)
    if confirmed != slug:
        raise NotConfirmed("confirm", slug)
    with change(scope):
        row = _lock(scope, slug)
        require_revision(f"Namespace '{slug}'", row, expected)
        row.deleted_at = timezone.now()
        _save(scope, row, "namespace.delete", before=shown(row), after=None)


def restore_namespace(scope: Scope, *, slug: str) -> NamespaceRecord:
    """Bring a deleted namespace back with all that was in it.

    Raises:
        RightMissing: Without ``namespace.manage`` over the whole tenant.
        NamespaceNotFound: There is no deleted one of this name.
        NamespaceGoing: Its rows are being removed.
        QuotaReached: The tenant has as many namespaces as it may.
    """
    require_everywhere(scope, RIGHT)
    with change(scope):
        row = _lock(scope, slug, is_deleted=True)
        if row.purge_begun_at is not None:
            raise NamespaceGoing(slug)
        row.deleted_at = None
        _save(scope, row, "namespace.restore", before=None, after=shown(row))
        require_room(scope)
    return namespace_record(row)


def purge_namespace(scope: Scope, *, slug: str, confirmed: str) -> NamespaceRecord:
    """Have a deleted namespace removed for good at once, whatever is left of its grace; a worker does it.

    Raises:
        RightMissing: Without ``namespace.manage`` over the whole tenant.
        NamespaceNotFound: There is no deleted one of this name.
        NotConfirmed: The name of the namespace was not repeated.
    """
    require_everywhere(scope, RIGHT)
    with change(scope):
        row = _lock(scope, slug, is_deleted=True)
        if confirmed != slug:
            raise NotConfirmed("confirm", slug)
        if row.purge_begun_at is None:
            begin_purge(scope, row)
            transaction.on_commit(_tell_workers)
    return namespace_record(row)


def begin_purge(scope: Scope, row: Namespace) -> None:
    """Note of a deleted namespace, whose row is locked, that its rows go from now on."""
    row.purge_begun_at = timezone.now()
    _save(scope, row, "namespace.purge", before=shown(row), after=None)


def _tell_workers() -> None:
    nudge.tell(PURGE, queue="jobs")


def values_of(details: NamespaceDetails) -> dict[str, Any]:
    """Return what is to be stored of the details that are given.

    Raises:
        InvalidDetail: A part of it cannot be stored.
    """
    values: dict[str, Any] = {}
    if details.name is not None:
        values["name"] = checked_name(details.name)
    if details.description is not None:
        values["description"] = checked_description(details.description)
    if details.labels is not None:
        values["labels"] = checked_labels(details.labels)
    if details.properties is not None:
        values["properties"] = checked_properties(details.properties)
    if details.format is not None:
        values["format"] = _checked_format(details.format)
    return values


def shown(row: Namespace) -> dict[str, Any]:
    """Return what the audit log says of a namespace."""
    return {name: getattr(row, name) for name in SHOWN}


def _checked_format(text: str) -> str:
    if text and text not in set(Format):
        raise InvalidDetail("/format", f"expected one of {', '.join(Format)}, or null for all")
    return text


def _lock(scope: Scope, slug: str, *, is_deleted: bool = False) -> Namespace:
    rows = Namespace.objects.scoped(scope).filter(deleted_at__isnull=not is_deleted)
    row: Namespace | None = rows.select_for_update(of=("self",)).filter(slug=slug).first()
    if row is None or not is_visible(scope.grants, row.id):
        raise NamespaceNotFound
    return row


def _save(
    scope: Scope, row: Namespace, action: str, *, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> None:
    row.revision += 1
    row.save()
    announce_tenant(scope.tenant.id)
    entry = AuditEntry(action, "namespace", row.slug, before=before, after=after)
    record_audit(scope, entry=entry)
