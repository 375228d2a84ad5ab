"""What people do with their accounts, in the audit log of each tenant that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from accord_server.kit import tenancy
from accord_server.kit.request_id import request_id_of
from accord_server.kit.scope import PrincipalKind, Scope
from tenants.principals import principal_of
from tenants.queries import tenants_of
from tenants.records import AuditEntry, Outcome
from tenants.services.audit import record_audit

if TYPE_CHECKING:
    from django.http import HttpRequest

SIGN_IN: Final = "sign_in"
LOCK_OUT: Final = "sign_in.lock"
CHANGE: Final = "password.change"
RESET: Final = "password.reset"
END_SESSION: Final = "session.end"
KIND: Final = "account"


def note(
    request: HttpRequest,
    user: User,
    action: str,
    *,
    outcome: Outcome = Outcome.ALLOWED,
    after: dict[str, Any] | None = None,
) -> None:
    """Record what somebody did with an account, in each tenant: none sees the records of another."""
    name = user.get_username()
    for tenant in tenants_of(user):
        scope = Scope(
            tenant.ref,
            None,
            principal_of(PrincipalKind.PERSON, name),
            request_id=request_id_of(request.META),
            address=request.META.get("REMOTE_ADDR"),
        )
        with tenancy.tenant_context(tenant.id), transaction.atomic():
            record_audit(scope, entry=AuditEntry(action, KIND, name, outcome, after=after))


def note_named(request: HttpRequest, username: str, action: str) -> None:
    """Record a refusal of whoever gave a name; names that nobody has leave no trace."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is not None:
        note(request, user, action, outcome=Outcome.DENIED)
