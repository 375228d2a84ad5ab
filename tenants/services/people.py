"""People, service accounts and the roles they hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accord_server.kit.scope import PrincipalKind
from tenants.access import require_everywhere
from tenants.announcements import announce_tenant
from tenants.errors import InvalidGrant, InvalidUser, LimitReached, PrincipalNotFound, UnknownRole
from tenants.models import ALL_SUBJECTS, Member, RoleBinding, ServiceAccount
from tenants.principals import principal_of
from tenants.queries import find_namespace, find_principal, principal_record
from tenants.records import AuditEntry, Binding, PrincipalRecord, UserRecord
from tenants.rights import ROLES
from tenants.selectors import parse_selector
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_slug, taken

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

ACCOUNT_SLUG_ONCE: Final = "tenants_serviceaccount_slug_once"
USER_NAME_ONCE: Final = "auth_user_username_key"
USER_NAME: Final = re.compile(r"[\w.@+-]{1,150}")
MAX_BINDINGS: Final = 50


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
    require_everywhere(scope, "member.manage")
    user = User.objects.filter(username=username).first()
    if user is None:
        raise PrincipalNotFound(principal_of(PrincipalKind.PERSON, username).key)
    with change(scope):
        member, is_new = Member.objects.scoped(scope).get_or_create(
            user=user, defaults={"tenant_id": scope.tenant.id}
        )
        if is_new:
            record_audit(scope, entry=AuditEntry("member.add", "member", username))
    return principal_record(member)


def create_service_account(scope: Scope, *, slug: str, description: str = "") -> PrincipalRecord:
    """Create an account for a program.

    Raises:
        RightMissing: Without ``member.manage``.
        InvalidSlug: The slug has the wrong form or is reserved.
        SlugTaken: The tenant has such an account.
    """
    require_everywhere(scope, "member.manage")
    require_slug(slug)
    with taken(slug, ACCOUNT_SLUG_ONCE), change(scope):
        account = ServiceAccount.objects.insert(scope, slug=slug, description=description)
        entry = AuditEntry(
            "service_account.create", "service_account", slug, after={"description": description}
        )
        record_audit(scope, entry=entry)
    return principal_record(account)


def bind_role(
    scope: Scope,
    *,
    principal: str,
    role: str,
    namespace_slug: str | None = None,
    subjects: str = ALL_SUBJECTS,
) -> Binding:
    """Give a principal a role in the tenant, in one namespace, or on some subjects of it.

    Raises:
        RightMissing: Without ``role.manage``.
        UnknownRole: There is no such role.
        InvalidGrant: The subjects are no selector, or are named without a namespace.
        PrincipalNotFound: No such member or service account.
        NamespaceNotFound: No such namespace.
        LimitReached: The principal holds too many roles.
    """
    require_everywhere(scope, "role.manage")
    _require_binding(role, namespace_slug, subjects)
    with change(scope):
        values = _binding_values(scope, principal, role, namespace_slug, subjects)
        binding = Binding(role, values["namespace_id"], subjects)
        _lock_roles_of(scope, values)
        if RoleBinding.objects.scoped(scope).filter(**values).exists():
            return binding
        _require_room(scope, values)
        RoleBinding.objects.insert(scope, **values, created_by=scope.principal.key)
        _announce(scope, "role.bind", principal, after=_shown(binding))
    return binding


def unbind_role(
    scope: Scope,
    *,
    principal: str,
    role: str,
    namespace_slug: str | None = None,
    subjects: str = ALL_SUBJECTS,
) -> None:
    """Take a role away; one that is not held is as good as taken.

    Raises:
        RightMissing: Without ``role.manage``.
        PrincipalNotFound: No such member or service account.
        NamespaceNotFound: No such namespace.
    """
    require_everywhere(scope, "role.manage")
    with change(scope):
        values = _binding_values(scope, principal, role, namespace_slug, subjects)
        count, _ = RoleBinding.objects.scoped(scope).filter(**values).delete()
        if count:
            before = _shown(Binding(role, values["namespace_id"], subjects))
            _announce(scope, "role.unbind", principal, before=before)


def suspend_principal(scope: Scope, *, principal: str) -> PrincipalRecord:
    """Shut a member or service account out, its tokens with it.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such member or service account.
    """
    return _set_active(scope, principal, is_active=False)


def resume_principal(scope: Scope, *, principal: str) -> PrincipalRecord:
    """Let a suspended member or service account in again.

    Raises:
        RightMissing: Without ``member.manage``.
        PrincipalNotFound: No such member or service account.
    """
    return _set_active(scope, principal, is_active=True)


def _set_active(scope: Scope, principal: str, *, is_active: bool) -> PrincipalRecord:
    require_everywhere(scope, "member.manage")
    with change(scope):
        row = find_principal(scope, principal)
        before, row.is_active = row.is_active, is_active
        row.save(update_fields=["is_active"])
        shown = {"before": {"is_active": before}, "after": {"is_active": is_active}}
        _announce(scope, "principal.resume" if is_active else "principal.suspend", principal, **shown)
    return principal_record(row)


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


def _require_binding(role: str, namespace_slug: str | None, subjects: str) -> None:
    if role not in ROLES:
        raise UnknownRole(role)
    if parse_selector(subjects) is None or (subjects != ALL_SUBJECTS and namespace_slug is None):
        raise InvalidGrant("/subjects", "expected a selector of subjects, in a namespace")


def _lock_roles_of(scope: Scope, values: dict[str, Any]) -> None:
    """Let one caller at a time look which roles a principal holds and add to them."""
    members = Member.objects.scoped(scope).filter(pk=values["member_id"])
    accounts = ServiceAccount.objects.scoped(scope).filter(pk=values["service_account_id"])
    rows = accounts if values["member_id"] is None else members
    rows.select_for_update().get()


def _require_room(scope: Scope, values: dict[str, Any]) -> None:
    who = {name: values[name] for name in ("member_id", "service_account_id")}
    if RoleBinding.objects.scoped(scope).filter(**who).count() >= MAX_BINDINGS:
        raise LimitReached(MAX_BINDINGS, "roles of one principal")


def _binding_values(
    scope: Scope, principal: str, role: str, namespace_slug: str | None, subjects: str
) -> dict[str, Any]:
    row = find_principal(scope, principal)
    return {
        "member_id": row.pk if isinstance(row, Member) else None,
        "service_account_id": row.pk if isinstance(row, ServiceAccount) else None,
        "role": role,
        "namespace_id": find_namespace(scope, namespace_slug).id if namespace_slug else None,
        "subjects": subjects,
    }


def _shown(binding: Binding) -> dict[str, Any]:
    namespace = str(binding.namespace) if binding.namespace else None
    return {"role": binding.role, "namespace": namespace, "subjects": binding.subjects}
