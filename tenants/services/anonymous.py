"""Opening a namespace to callers without a token, and closing it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from accord_server.kit.marks import require_mark
from tenants.access import require
from tenants.announcements import announce_tenant
from tenants.errors import GrantTooWide, InvalidGrant
from tenants.grants import MAX_SELECTORS, anonymous_grants, first_missing
from tenants.models import AnonymousGrant, Namespace
from tenants.queries import anonymous_record, anonymous_row, namespace_of
from tenants.records import AnonymousAccess, AuditEntry
from tenants.rights import ANONYMOUS
from tenants.selectors import parse_selector
from tenants.services.audit import record_audit
from tenants.services.changes import change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope

RIGHT: Final = "namespace.manage"
THING: Final = "What is open without a token"


def allow_anonymous(
    scope: Scope, *, access: str, subjects: Sequence[str], expected: int | None = None
) -> AnonymousAccess:
    """Let callers without a token into the namespace, in place of what they were allowed before.

    ``expected`` is the mark of what they were allowed, None for whatever that was.

    Raises:
        RightMissing: Without ``namespace.manage``.
        InvalidGrant: There is no such access, or the subjects are no selectors.
        GrantTooWide: The caller may not do there what is to be open to everybody.
        Changed: Something else than ``expected`` is open.
    """
    require(scope, RIGHT)
    _require_fitting(scope, access, subjects)
    with change(scope):
        namespace = _lock(scope)
        row = anonymous_row(scope)
        require_mark(THING, anonymous_record(row).mark, expected)
        before = None if row is None else _shown(row)
        row = row or AnonymousGrant(tenant_id=scope.tenant.id, namespace=namespace)
        row.access, row.subjects = access, list(dict.fromkeys(subjects))
        row.created_at, row.created_by = timezone.now(), scope.principal.key
        row.save()
        _announce(scope, "anonymous.allow", before=before, after=_shown(row))
    return anonymous_record(row)


def end_anonymous(scope: Scope, *, expected: int | None = None) -> AnonymousAccess:
    """Let nobody in without a token; a namespace that is closed already stays so.

    Raises:
        RightMissing: Without ``namespace.manage``.
        Changed: Something else than ``expected`` is open.
    """
    require(scope, RIGHT)
    with change(scope):
        _lock(scope)
        row = anonymous_row(scope)
        require_mark(THING, anonymous_record(row).mark, expected)
        if row is not None:
            row.delete()
            _announce(scope, "anonymous.end", before=_shown(row), after=None)
    return AnonymousAccess()


def _require_fitting(scope: Scope, access: str, subjects: Sequence[str]) -> None:
    if access not in ANONYMOUS:
        raise InvalidGrant("/access", f"expected one of {', '.join(ANONYMOUS)}")
    if not 0 < len(subjects) <= MAX_SELECTORS:
        raise InvalidGrant("/subjects", f"expected a list of 1 to {MAX_SELECTORS} selectors")
    for index, text in enumerate(subjects):
        if parse_selector(text) is None:
            details = "expected a subject, a prefix ending in '*' or 'topic:name'"
            raise InvalidGrant(f"/subjects/{index}", details)
    missing = first_missing(anonymous_grants(access, subjects, namespace_of(scope).id), scope.grants)
    if missing is not None:
        raise GrantTooWide(missing)


def _lock(scope: Scope) -> Namespace:
    """Let one caller at a time look what is open and change it."""
    row: Namespace = Namespace.objects.scoped(scope).select_for_update().get(id=namespace_of(scope).id)
    return row


def _announce(
    scope: Scope, action: str, *, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> None:
    announce_tenant(scope.tenant.id)
    entry = AuditEntry(action, "namespace", namespace_of(scope).slug, before=before, after=after)
    record_audit(scope, entry=entry)


def _shown(row: AnonymousGrant) -> dict[str, Any]:
    return {"access": row.access, "subjects": row.subjects}
