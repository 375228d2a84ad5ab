"""What people do with their accounts, in the audit log of each tenant that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from accord_server.kit import tenancy
from accord_server.kit.request_id import request_id_of
from accord_server.kit.scope import PrincipalKind, Scope
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
    name = user.get_username()
    caller: dict[str, Any] = {
        "principal": principal_of(PrincipalKind.PERSON, name),
        "request_id": request_id_of(request.META),
        "address": request.META.get("REMOTE_ADDR"),
    }
    scopes = [Scope(tenant.ref, None, **caller) for tenant in tenants_of(user)]
    _record(scopes, AuditEntry(action, KIND, name, outcome, before=before, after=after))


def note_by_operator(user: User, action: str) -> None:
    """Record what an operator did with an account, as `note` does."""
    entry = AuditEntry(action, KIND, user.get_username())
    _record([operator_scope(tenant.ref) for tenant in tenants_of(user)], entry)


def note_named(request: HttpRequest, username: str, action: str) -> None:
    """Record a refusal of whoever gave a name; names that nobody has leave no trace."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is not None:
        note(request, user, action, outcome=Outcome.DENIED)


def _record(scopes: Iterable[Scope], entry: AuditEntry) -> None:
    for scope in scopes:
        with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
            record_audit(scope, entry=entry)
