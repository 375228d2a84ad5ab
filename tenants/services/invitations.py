"""Invitations: a person becomes a member by a secret that they were told, and by their own password."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import F
from django.utils import timezone

from accord_server.kit.scope import Scope
from tenants.access import require_everywhere
from tenants.announcements import announce_tenant
from tenants.errors import (
    InvalidDetail,
    InvalidLifetime,
    InvitationNotFound,
    InvitationRefused,
    LimitReached,
    SlugTaken,
)
from tenants.models import ALL_SUBJECTS, Invitation, Namespace, RoleBinding
from tenants.principals import parse_key
from tenants.queries import find_namespace, principal_record
from tenants.queries.invitations import digest_of, invitation_record, resolve_invitation
from tenants.records import AuditEntry, Invited
from tenants.services.audit import record_audit
from tenants.services.changes import change
from tenants.services.guarding import derive_permissions
from tenants.services.people import USER_NAME, admit, create_user
from tenants.services.roles import require_grantable, require_selector
from tenants.tokens import SECRET_BYTES, SECRET_LENGTH, base62

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from accord_server.kit.scope import TenantRef
    from tenants.records import InvitationRecord, PrincipalRecord

RIGHT: Final = "member.manage"
BRAND: Final = "acci_"
LIFETIME: Final = timedelta(days=7)
LONGEST_LIFETIME: Final = timedelta(days=30)
MOST_OPEN: Final = 200
MOST_BINDINGS: Final = 20
# Whoever knows the secret cannot try out passwords with it for long.
MOST_FAILURES: Final = 5
USER_NAME_PART: Final = re.compile(r"[\w.+-]+")
LONGEST_BASE: Final = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """Who accepts an invitation, and whence."""

    username: str
    request_id: str
    address: str | None


@dataclass(frozen=True, slots=True)
class Stranger:
    """Whom a provider knows: the address it has verified, empty where none, and the name it uses."""

    email: str
    name: str


@dataclass(frozen=True, slots=True)
class WantedBinding:
    """A role that the person is to hold; ``namespace`` is a slug, None for the whole tenant."""

    role: str
    namespace: str | None = None
    subjects: str = ALL_SUBJECTS


@dataclass(frozen=True, slots=True)
class Invite:
    """The command behind an invitation: to an e-mail address, or to an account by its user name."""

    email: str = ""
    username: str = ""
    bindings: tuple[WantedBinding, ...] = ()
    lifetime: timedelta = LIFETIME


def invite(scope: Scope, *, command: Invite) -> Invited:
    """Invite a person; the secret is in the answer and never again, and whoever has it may accept.

    Raises:
        RightMissing: Without ``member.manage``, or without ``role.manage`` where roles come along.
        InvalidDetail, InvalidLifetime, InvalidGrant, UnknownRole: The invitation cannot be made.
        GrantTooWide: A role opens what the caller may not do.
        NamespaceNotFound: No such namespace.
        LimitReached: Too many invitations are open.
    """
    require_everywhere(scope, RIGHT)
    if command.bindings:
        require_everywhere(scope, "role.manage")
    _require_address(command)
    if not timedelta(0) < command.lifetime <= LONGEST_LIFETIME:
        raise InvalidLifetime(f"an invitation lives at most {LONGEST_LIFETIME.days} days")
    value = BRAND + base62(int.from_bytes(secrets.token_bytes(SECRET_BYTES)), SECRET_LENGTH)
    with change(scope):
        _require_room(scope)
        row = Invitation.objects.insert(
            scope,
            email=command.email,
            username=command.username,
            bindings=[_stored(scope, one) for one in command.bindings],
            digest=digest_of(value),
            created_by=scope.principal.key,
            expires_at=timezone.now() + command.lifetime,
        )
        record = invitation_record(row)
        record_audit(
            scope, entry=AuditEntry("invitation.create", "invitation", str(row.id), after=_shown(row))
        )
    return Invited(record, value)


def revoke_invitation(scope: Scope, *, invitation: UUID) -> InvitationRecord:
    """End an open invitation; one that is over stays as it is.

    Raises:
        RightMissing: Without ``member.manage``.
        InvitationNotFound: The tenant has no such invitation.
    """
    require_everywhere(scope, RIGHT)
    with change(scope):
        row = Invitation.objects.scoped(scope).select_for_update().filter(id=invitation).first()
        if row is None:
            raise InvitationNotFound
        if row.accepted_at is None and row.revoked_at is None:
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])
            entry = AuditEntry("invitation.revoke", "invitation", str(row.id), before=_shown(row))
            record_audit(scope, entry=entry)
    return invitation_record(row)


def accept_invitation(
    *, value: str, username: str, password: str, request_id: str = "", address: str | None = None
) -> tuple[TenantRef, PrincipalRecord]:
    """Become a member by an invitation: with an account of the installation, or with a new one.

    A new account is made where the invitation went to an e-mail address and nobody has the user name.

    Raises:
        InvitationNotFound: It does not exist, or is over.
        InvitationRefused: The account is another than was invited, or its password is wrong.
        InvalidUser: The new account cannot be made.
    """
    caller = Caller(username, request_id, address)
    return _accept(value, caller, lambda row: _account(row, username, password))


def accept_by_identity(
    *, value: str, stranger: Stranger, request_id: str = "", address: str | None = None
) -> User:
    """Become a member by an invitation to the address that a provider has verified, with a new account.

    The account has no password: it is open to the identity alone.

    Raises:
        InvitationNotFound: It does not exist, or is over.
        InvitationRefused: It went to another address, or to an account that there is.
    """
    username = _free_name(stranger)

    def account(row: Invitation) -> User:
        if not stranger.email or row.email.lower() != stranger.email:
            raise InvitationRefused("it went to another address")
        return User.objects.create_user(username, stranger.email, None)

    _accept(value, Caller(username, request_id, address), account)
    return User.objects.get(username=username)


def _free_name(stranger: Stranger) -> str:
    """Return a user name that nobody has, as like the person's own as can be."""
    wanted = stranger.name or stranger.email.partition("@")[0]
    base = "".join(USER_NAME_PART.findall(wanted))[:LONGEST_BASE] or "person"
    names = (base, *(f"{base}-{number}" for number in range(2, 10)))
    taken = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    return next((name for name in names if name not in taken), f"{base}-{secrets.token_hex(4)}")


def _accept(
    value: str, caller: Caller, account: Callable[[Invitation], User]
) -> tuple[TenantRef, PrincipalRecord]:
    found = resolve_invitation(value)
    who = parse_key(f"person:{caller.username}")
    if found is None or who is None:
        raise InvitationNotFound
    tenant, invitation = found
    scope = Scope(tenant, None, who, request_id=caller.request_id, address=caller.address)
    try:
        with change(scope):
            row = _lock_open(scope, invitation)
            member = admit(scope, account(row))
            _bind(scope, row, member.pk)
            derive_permissions(scope, [member])
            row.accepted_at = timezone.now()
            row.save(update_fields=["accepted_at"])
            announce_tenant(tenant.id)
            entry = AuditEntry("invitation.accept", "invitation", str(row.id), after=_shown(row))
            record_audit(scope, entry=entry)
    except InvitationRefused:
        _count_failure(scope, invitation)
        raise
    return tenant, principal_record(member)


def _lock_open(scope: Scope, invitation: UUID) -> Invitation:
    rows = Invitation.objects.scoped(scope).select_for_update().filter(id=invitation)
    row: Invitation | None = rows.filter(
        accepted_at=None, revoked_at=None, expires_at__gt=timezone.now(), failures__lt=MOST_FAILURES
    ).first()
    if row is None:
        raise InvitationNotFound
    return row


def _account(row: Invitation, username: str, password: str) -> User:
    if row.username and row.username != username:
        raise InvitationRefused("it went to another account")
    user: User | None = User.objects.filter(username=username).first()
    if user is None and row.email:
        return User.objects.get(pk=_new_account(username, password, row.email))
    if user is None or not user.is_active or not user.check_password(password):
        raise InvitationRefused("user name and password do not belong together")
    return user


def _new_account(username: str, password: str, email: str) -> int:
    try:
        return create_user(username=username, password=password, email=email).id
    except SlugTaken:
        raise InvitationRefused("user name and password do not belong together") from None


def _bind(scope: Scope, row: Invitation, member: UUID) -> None:
    """Give the roles that came along; what is gone meanwhile is not given."""
    slugs = [one["namespace"] for one in row.bindings if one["namespace"]]
    ids = dict(
        Namespace.objects.scoped(scope).filter(slug__in=slugs, deleted_at=None).values_list("slug", "id")
    )
    for one in row.bindings:
        if one["namespace"] is None or _is_meant(one, ids.get(one["namespace"])):
            RoleBinding.objects.scoped(scope).get_or_create(
                member_id=member,
                service_account_id=None,
                role=one["role"],
                namespace_id=ids.get(one["namespace"]),
                subjects=one["subjects"],
                defaults={"tenant_id": scope.tenant.id, "created_by": row.created_by},
            )


def _is_meant(binding: dict[str, Any], found: UUID | None) -> bool:
    """Whether a namespace is the one that was there at the time, not another that has its name now."""
    # Which one it was is not noted in the oldest invitations.
    return found is not None and binding.get("namespace_id") in {None, str(found)}


def _count_failure(scope: Scope, invitation: UUID) -> None:
    with change(scope):
        rows = Invitation.objects.scoped(scope).filter(id=invitation)
        rows.update(failures=F("failures") + 1)


def _stored(scope: Scope, wanted: WantedBinding) -> dict[str, Any]:
    """Return a binding as it is stored, if the caller may give it."""
    require_selector(wanted.subjects, wanted.namespace)
    namespace = None if wanted.namespace is None else find_namespace(scope, wanted.namespace).id
    require_grantable(scope, wanted.role, namespace, wanted.subjects)
    return {
        "role": wanted.role,
        "namespace": wanted.namespace,
        "namespace_id": None if namespace is None else str(namespace),
        "subjects": wanted.subjects,
    }


def _require_address(command: Invite) -> None:
    if bool(command.email) == bool(command.username):
        raise InvalidDetail("", "give either email or username")
    if len(command.bindings) > MOST_BINDINGS:
        raise InvalidDetail("/bindings", f"there are at most {MOST_BINDINGS} of them")
    if command.username and not USER_NAME.fullmatch(command.username):
        raise InvalidDetail("/username", "expected the name of an account")
    if command.email:
        _require_email(command.email)


def _require_email(email: str) -> None:
    try:
        validate_email(email)
    except ValidationError:
        raise InvalidDetail("/email", "expected an e-mail address") from None


def _require_room(scope: Scope) -> None:
    rows = Invitation.objects.scoped(scope)
    opened = rows.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())
    if opened.count() >= MOST_OPEN:
        raise LimitReached(MOST_OPEN, "open invitations")


def _shown(row: Invitation) -> dict[str, Any]:
    return {
        "email": row.email,
        "username": row.username,
        "bindings": row.bindings,
        "expires_at": row.expires_at.isoformat(),
    }
