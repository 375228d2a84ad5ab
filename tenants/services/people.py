"""People and service accounts: added, suspended, removed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone

from accord_server.kit.scope import PrincipalKind
from tenants.access import require_everywhere
from tenants.announcements import announce_tenant
from tenants.details import checked_description
from tenants.errors import InvalidUser, PrincipalNotFound
from tenants.models import Member, RoleBinding, ServiceAccount, Token, TokenState
from tenants.principals import principal_of
from tenants.queries import find_principal, principal_record
from tenants.records import AuditEntry, PrincipalRecord, UserRecord
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision, require_slug, taken
from tenants.services.guarding import derive_permissions
from tenants.services.last_admin import guard_last_admin

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

ACCOUNT_SLUG_ONCE: Final = "tenants_serviceaccount_slug_once"
USER_NAME_ONCE: Final = "auth_user_username_key"
USER_NAME: Final = re.compile(r"[\w.@+-]{1,150}")
RIGHT: Final = "member.manage"
OVER: Final = (TokenState.REVOKED, TokenState.COMPROMISED)


def create_user(*, username: str, password: str, email: str = "") -> UserRecord:
    """Create a person's account; it is nobody anywhere until it becomes a member.

    Raises:
        InvalidUser: The name has the wrong form or the password is too weak.
        SlugTaken: The name is in use.
    """
    if not USER_NAME.fullmatch(username):
        raise InvalidUser("a user name has 1 to 150 letters, digits and characters of @.+-_")
    _require_good_password(password, username)
    with taken(username, USER_NAME_ONCE):
        user = User.objects.create_user(username, email, password)
    return UserRecord(user.pk, user.get_username())


def add_member(scope: Scope, *, username: str) -> PrincipalRecord:
    """Make a person a member of the tenant; a member stays one.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: There is no such account.
    """
    require_everywhere(scope, RIGHT)
    user = User.objects.filter(username=username).first()
    if user is None:
        raise PrincipalNotFound(principal_of(PrincipalKind.PERSON, username).key)
    with change(scope):
        return principal_record(admit(scope, user))


def admit(scope: Scope, user: User) -> Member:
    """Make a person a member, or a member again; call it inside the transaction of the change."""
    member: Member
    member, is_new = Member.objects.scoped(scope).get_or_create(
        user=user, defaults={"tenant_id": scope.tenant.id}
    )
    if member.removed_at is not None:
        member.removed_at, member.is_active = None, True
        member.revision += 1
        member.save(update_fields=["removed_at", "is_active", "revision"])
        is_new = True
    if is_new:
        record_audit(scope, entry=AuditEntry("member.add", "member", user.get_username()))
    return member


def create_service_account(scope: Scope, *, slug: str, description: str = "") -> PrincipalRecord:
    """Create an account for a program.

    Raises:
        RightMissing: Without ``member.manage``.
        InvalidSlug: The slug has the wrong form or is reserved.
        SlugTaken: The tenant has such an account, or had one.
        InvalidDetail: The description is too long.
    """
    require_everywhere(scope, RIGHT)
    require_slug(slug)
    said = checked_description(description)
    with taken(slug, ACCOUNT_SLUG_ONCE), change(scope):
        account = ServiceAccount.objects.insert(scope, slug=slug, description=said)
        entry = AuditEntry(
            "service_account.create", "service_account", slug, after={"description": description}
        )
        record_audit(scope, entry=entry)
    return principal_record(account)


def update_service_account(
    scope: Scope, *, slug: str, description: str, expected: int | None
) -> PrincipalRecord:
    """Change what is said of a service account.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such account.
        InvalidDetail: The description is too long.
        Changed: It is at another revision than ``expected``.
    """
    require_everywhere(scope, RIGHT)
    said, key = checked_description(description), principal_of(PrincipalKind.SERVICE, slug).key
    with change(scope):
        account = cast("ServiceAccount", _lock(scope, key))
        require_revision(f"Service account '{slug}'", account, expected)
        before, account.description = {"description": account.description}, said
        account.revision += 1
        account.save(update_fields=["description", "revision"])
        entry = AuditEntry(
            "service_account.update", "service_account", slug, before=before, after={"description": said}
        )
        record_audit(scope, entry=entry)
    return principal_record(account)


def suspend_principal(scope: Scope, *, principal: str, expected: int | None = None) -> PrincipalRecord:
    """Shut a member or service account out, its tokens with it.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such member or service account.
        LastAdmin: Nobody would be left who can give roles.
        Changed: It is at another revision than ``expected``.
    """
    return _set_active(scope, principal, is_active=False, expected=expected)


def resume_principal(scope: Scope, *, principal: str, expected: int | None = None) -> PrincipalRecord:
    """Let a suspended member or service account in again.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such member or service account.
        Changed: It is at another revision than ``expected``.
    """
    return _set_active(scope, principal, is_active=True, expected=expected)


def remove_principal(scope: Scope, *, principal: str, expected: int | None) -> None:
    """Let a member or service account go: its roles end, and so do its tokens, for good.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such member or service account.
        LastAdmin: Nobody would be left who can give roles.
        Changed: It is at another revision than ``expected``.
    """
    require_everywhere(scope, RIGHT)
    with change(scope), guard_last_admin(scope, principal):
        row = _lock(scope, principal)
        require_revision(f"'{principal}'", row, expected)
        _end_tokens(scope, row)
        RoleBinding.objects.scoped(scope).filter(**_held_by(row)).delete()
        row.is_active, row.removed_at = False, timezone.now()
        row.revision += 1
        row.save(update_fields=["is_active", "removed_at", "revision"])
        derive_permissions(scope, _people(row))
        _announce(scope, "principal.remove", principal)


def _set_active(scope: Scope, principal: str, *, is_active: bool, expected: int | None) -> PrincipalRecord:
    require_everywhere(scope, RIGHT)
    with change(scope), guard_last_admin(scope, principal):
        row = _lock(scope, principal)
        require_revision(f"'{principal}'", row, expected)
        before, row.is_active = row.is_active, is_active
        row.revision += 1
        row.save(update_fields=["is_active", "revision"])
        derive_permissions(scope, _people(row))
        shown = {"before": {"is_active": before}, "after": {"is_active": is_active}}
        _announce(scope, "principal.resume" if is_active else "principal.suspend", principal, **shown)
    return principal_record(row)


def _lock(scope: Scope, key: str) -> Member | ServiceAccount:
    """Return the row of a principal, held still until the change is over."""
    row = find_principal(scope, key)
    table: Any = type(row).objects.scoped(scope)
    return cast("Member | ServiceAccount", table.select_for_update().get(pk=row.pk))


def _people(row: Member | ServiceAccount) -> list[Member]:
    """Return the person, if it is one: programs have no account of Django's."""
    return [row] if isinstance(row, Member) else []


def _held_by(row: Member | ServiceAccount) -> dict[str, int | UUID]:
    return {"member_id" if isinstance(row, Member) else "service_account_id": row.pk}


def _end_tokens(scope: Scope, row: Member | ServiceAccount) -> None:
    rows = Token.objects.scoped(scope).filter(**_held_by(row)).exclude(state__in=OVER)
    rows.update(state=TokenState.REVOKED, revision=F("revision") + 1)


def _announce(
    scope: Scope,
    action: str,
    principal: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    announce_tenant(scope.tenant.id)
    record_audit(scope, entry=AuditEntry(action, "principal", principal, before=before, after=after))


def _require_good_password(password: str, username: str) -> None:
    try:
        validate_password(password, User(username=username))
    except ValidationError as faults:
        raise InvalidUser(" ".join(faults.messages)) from None
