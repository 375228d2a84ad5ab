"""What people do with their accounts, in the audit log of each tenant that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from accord_server.kit import nudge, tenancy
from accord_server.kit.request_id import request_id_of
from accord_server.kit.scope import PrincipalKind, Scope
from tenants.callers import clean_address
from tenants.models import LONGEST_USERNAME, RefusedSignIn
from tenants.principals import operator_scope, principal_of
from tenants.queries import tenants_of
from tenants.records import AuditEntry, Outcome
from tenants.services.audit import record_audit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest

SIGN_IN: Final = "sign_in"
LOCK_OUT: Final = "sign_in.lock"
CHANGE: Final = "password.change"
RESET: Final = "password.reset"
ADD_FACTOR: Final = "factor.add"
REMOVE_FACTOR: Final = "factor.remove"
RENAME_FACTOR: Final = "factor.rename"
RENEW_CODES: Final = "factor.codes"
ADD_IDENTITY: Final = "identity.add"
REMOVE_IDENTITY: Final = "identity.remove"
END_SESSION: Final = "session.end"
KIND: Final = "account"
NOTE_REFUSALS: Final = "tenants.note_refusals"
AT_ONCE: Final = 500


def note(
    request: HttpRequest,
    user: User,
    action: str,
    *,
    outcome: Outcome = Outcome.ALLOWED,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record what somebody did with an account, in each tenant: none sees the records of another."""
    caller = {"request_id": request_id_of(request.META), "address": request.META.get("REMOTE_ADDR")}
    entry = AuditEntry(action, KIND, user.get_username(), outcome, before=before, after=after)
    _record(_scopes(user, **caller), entry)


def note_by_operator(user: User, action: str) -> None:
    """Record what an operator did with an account, as `note` does."""
    entry = AuditEntry(action, KIND, user.get_username())
    _record([operator_scope(tenant.ref) for tenant in tenants_of(user)], entry)


def note_named(request: HttpRequest, username: str, action: str) -> None:
    """Note a refusal of whoever gave a name, for `note_refusals`.

    Who has the name is not looked at here: an answer takes as long for a name that nobody has.
    """
    RefusedSignIn.objects.create(
        username=username[:LONGEST_USERNAME],
        action=action,
        address=clean_address(request.META.get("REMOTE_ADDR")),
        request_id=request_id_of(request.META),
    )
    nudge.tell(NOTE_REFUSALS, queue="jobs")


def note_refusals() -> int:
    """Record the refusals that wait in the audit logs of those who have the names; return how many waited.

    Names that nobody has leave no trace.
    """
    with transaction.atomic():
        rows = list(RefusedSignIn.objects.order_by("id").select_for_update(skip_locked=True)[:AT_ONCE])
        names = {row.username for row in rows}
        users = {
            user.get_username(): user for user in User.objects.filter(username__in=names, is_active=True)
        }
        for row in rows:
            if row.username in users:
                caller = {"request_id": row.request_id, "address": row.address}
                entry = AuditEntry(row.action, KIND, row.username, Outcome.DENIED)
                _record(_scopes(users[row.username], **caller), entry)
        RefusedSignIn.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return len(rows)


def _scopes(user: User, **caller: Any) -> list[Scope]:
    """Return the person in each tenant."""
    who = principal_of(PrincipalKind.PERSON, user.get_username())
    return [Scope(tenant.ref, None, who, **caller) for tenant in tenants_of(user)]


def _record(scopes: Iterable[Scope], entry: AuditEntry) -> None:
    for scope in scopes:
        with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
            record_audit(scope, entry=entry)
