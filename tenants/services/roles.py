"""Roles of the tenant's own, and who holds which role where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.scope import PrincipalKind
from tenants.access import grants_of_bindings, require_everywhere
from tenants.announcements import announce_tenant
from tenants.details import LONGEST_NAME
from tenants.errors import (
    BindingNotFound,
    GrantTooWide,
    InvalidDetail,
    InvalidGrant,
    LimitReached,
    RoleBound,
    RoleFixed,
    RoleNotFound,
    UnknownRole,
)
from tenants.grants import first_missing
from tenants.models import ALL_SUBJECTS, CustomRole, Member, RoleBinding, ServiceAccount
from tenants.queries import find_namespace, find_principal
from tenants.queries.roles import (
    binding_record,
    custom_role_record,
    held_bindings,
    key_of_holder,
    role_holders,
)
from tenants.records import AuditEntry, Binding
from tenants.rights import ROLES, known
from tenants.selectors import parse_selector
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision, require_slug, taken
from tenants.services.guarding import derive_permissions
from tenants.services.last_admin import guard_last_admin

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.records import BindingRecord, RoleRecord

RIGHT: Final = "role.manage"
ROLE_NAME_ONCE: Final = "tenants_customrole_name_once"
MAX_BINDINGS: Final = 50
MAX_ROLES: Final = 100


def create_role(scope: Scope, *, name: str, rights: frozenset[str], summary: str = "") -> RoleRecord:
    """Make a role of the tenant's own: a named set of rights.

    Raises:
        RightMissing: Without ``role.manage``.
        InvalidSlug, SlugTaken: The name has the wrong form, is reserved or taken, by a built-in role too.
        UnknownRight, InvalidDetail: The rights are none, or there are none.
        GrantTooWide: The caller does not hold a right in the whole tenant.
        LimitReached: The tenant has too many roles.
    """
    require_everywhere(scope, RIGHT)
    if name in ROLES:
        raise RoleFixed(name)
    require_slug(name)
    _require_rights(scope, rights, summary)
    with taken(name, ROLE_NAME_ONCE), change(scope):
        if CustomRole.objects.scoped(scope).count() >= MAX_ROLES:
            raise LimitReached(MAX_ROLES, "roles of the tenant's own")
        row = CustomRole.objects.insert(
            scope, name=name, summary=summary, rights=sorted(rights), created_by=scope.principal.key
        )
        entry = AuditEntry("role.create", "role", name, after=_shown_role(row))
        record_audit(scope, entry=entry)
    return custom_role_record(row)


def update_role(
    scope: Scope,
    *,
    name: str,
    rights: frozenset[str] | None,
    summary: str | None,
    expected: int | None,
) -> RoleRecord:
    """Change what a role of the tenant's own opens, for all who hold it.

    Raises:
        RightMissing: Without ``role.manage``.
        RoleNotFound, RoleFixed: There is no such role, or it is built in.
        UnknownRight, InvalidDetail, GrantTooWide: As `create_role`, of rights that are new.
        LastAdmin: Nobody would be left who can give roles.
        Changed: It is at another revision than ``expected``.
    """
    require_everywhere(scope, RIGHT)
    with change(scope), guard_last_admin(scope, name):
        row = _lock_role(scope, name)
        require_revision(f"Role '{name}'", row, expected)
        wanted = frozenset(row.rights) if rights is None else rights
        said = row.summary if summary is None else summary
        _require_rights(scope, wanted, said, held=frozenset(row.rights))
        before = _shown_role(row)
        row.rights, row.summary = sorted(wanted), said
        if _shown_role(row) != before:
            row.revision += 1
            row.save()
            held = RoleBinding.objects.scoped(scope).filter(role=name).values("member_id")
            derive_permissions(scope, _members(scope, id__in=held))
            announce_tenant(scope.tenant.id)
            entry = AuditEntry("role.update", "role", name, before=before, after=_shown_role(row))
            record_audit(scope, entry=entry)
    return custom_role_record(row)


def delete_role(scope: Scope, *, name: str, expected: int | None) -> None:
    """Delete a role of the tenant's own that nobody holds.

    Raises:
        RightMissing: Without ``role.manage``.
        RoleNotFound, RoleFixed: There is no such role, or it is built in.
        RoleBound: Somebody holds it.
        Changed: It is at another revision than ``expected``.
    """
    require_everywhere(scope, RIGHT)
    with change(scope):
        row = _lock_role(scope, name)
        require_revision(f"Role '{name}'", row, expected)
        holders = role_holders(scope, name)
        if holders:
            raise RoleBound(name, holders)
        record_audit(scope, entry=AuditEntry("role.delete", "role", name, before=_shown_role(row)))
        row.delete()


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
        GrantTooWide: The role opens there what the caller may not do.
        PrincipalNotFound: No such member or service account.
        NamespaceNotFound: No such namespace.
        LimitReached: The principal holds too many roles.
    """
    require_everywhere(scope, RIGHT)
    require_selector(subjects, namespace_slug)
    with change(scope):
        values = _binding_values(scope, principal, role, namespace_slug, subjects)
        binding = require_grantable(scope, role, values["namespace_id"], subjects)
        _lock_roles_of(scope, values)
        if RoleBinding.objects.scoped(scope).filter(**values).exists():
            return binding
        _require_room(scope, values)
        RoleBinding.objects.insert(scope, **values, created_by=scope.principal.key)
        derive_permissions(scope, _members(scope, id=values["member_id"]))
        _announce(scope, "role.bind", principal, after=shown_binding(binding))
    return binding


def give_role(
    scope: Scope,
    *,
    principal: str,
    role: str,
    namespace_slug: str | None = None,
    subjects: str = ALL_SUBJECTS,
) -> BindingRecord:
    """Do the same, and return what can be ended by its id; raises as `bind_role`."""
    with change(scope):
        bind_role(scope, principal=principal, role=role, namespace_slug=namespace_slug, subjects=subjects)
        values = _binding_values(scope, principal, role, namespace_slug, subjects)
        return binding_record(held_bindings(scope).get(**values))


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
        LastAdmin: Nobody would be left who can give roles.
    """
    require_everywhere(scope, RIGHT)
    with change(scope), guard_last_admin(scope, principal):
        values = _binding_values(scope, principal, role, namespace_slug, subjects)
        count, _ = RoleBinding.objects.scoped(scope).filter(**values).delete()
        if count:
            derive_permissions(scope, _members(scope, id=values["member_id"]))
            before = shown_binding(Binding(role, values["namespace_id"], subjects))
            _announce(scope, "role.unbind", principal, before=before)


def end_binding(scope: Scope, *, binding: UUID) -> None:
    """Take away the role that a binding gives.

    Raises:
        RightMissing: Without ``role.manage``.
        BindingNotFound: The tenant has no such binding.
        LastAdmin: Nobody would be left who can give roles.
    """
    require_everywhere(scope, RIGHT)
    with change(scope):
        held = RoleBinding.objects.scoped(scope).select_related("member__user", "service_account")
        row = held.filter(public_id=binding).first()
        if row is None:
            raise BindingNotFound(str(binding))
        holder = key_of_holder(row)
        with guard_last_admin(scope, holder):
            row.delete()
        derive_permissions(scope, _members(scope, id=row.member_id))
        _announce(
            scope,
            "role.unbind",
            holder,
            before=shown_binding(Binding(row.role, row.namespace_id, row.subjects)),
        )


def require_selector(subjects: str, namespace_slug: str | None) -> None:
    """Refuse subjects that cannot be bound.

    Raises:
        InvalidGrant: They are no selector, or are named without a namespace.
    """
    if parse_selector(subjects) is None or (subjects != ALL_SUBJECTS and namespace_slug is None):
        raise InvalidGrant("/subjects", "expected a selector of subjects, in a namespace")


def require_grantable(scope: Scope, role: str, namespace: UUID | None, subjects: str) -> Binding:
    """Return what a role opens there, if the caller may give it; its role stays until the end of the change.

    Raises:
        UnknownRole: There is no such role.
        GrantTooWide: It opens what the caller may not do.
    """
    binding = Binding(role, namespace, subjects, _rights_held_still(scope, role))
    if scope.principal.kind is not PrincipalKind.OPERATOR:
        missing = first_missing(grants_of_bindings([binding]), scope.grants)
        if missing is not None:
            raise GrantTooWide(missing)
    return binding


def shown_binding(binding: Binding) -> dict[str, Any]:
    """Return what the audit log says of a binding."""
    namespace = str(binding.namespace) if binding.namespace else None
    return {"role": binding.role, "namespace": namespace, "subjects": binding.subjects}


def _rights_held_still(scope: Scope, role: str) -> frozenset[str]:
    """Return the rights of a custom role, which cannot be deleted before this transaction is over."""
    if role in ROLES:
        return frozenset()
    rows = CustomRole.objects.scoped(scope).select_for_update(no_key=True)
    row = rows.filter(name=role).first()
    if row is None:
        raise UnknownRole(role)
    return frozenset(row.rights)


def _require_rights(
    scope: Scope, rights: frozenset[str], summary: str, *, held: frozenset[str] = frozenset()
) -> None:
    if not known(rights):
        raise InvalidDetail("/rights", "a role opens at least one right")
    if len(summary) > LONGEST_NAME:
        raise InvalidDetail("/summary", f"a summary has at most {LONGEST_NAME} characters")
    for right in sorted(rights - held):
        if scope.principal.kind is not PrincipalKind.OPERATOR and not _holds_everywhere(scope, right):
            raise GrantTooWide(right)


def _holds_everywhere(scope: Scope, right: str) -> bool:
    return any(
        right in grant.rights and grant.namespaces is None and _is_whole(grant.subjects)
        for grant in scope.grants
    )


def _is_whole(subjects: tuple[Any, ...]) -> bool:
    return parse_selector(ALL_SUBJECTS) in subjects


def _lock_role(scope: Scope, name: str) -> CustomRole:
    if name in ROLES:
        raise RoleFixed(name)
    row: CustomRole | None = CustomRole.objects.scoped(scope).select_for_update().filter(name=name).first()
    if row is None:
        raise RoleNotFound(name)
    return row


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


def _members(scope: Scope, **wanted: Any) -> list[Member]:
    """Return the people among those whose roles changed."""
    return list(Member.objects.scoped(scope).filter(**wanted))


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


def _shown_role(row: CustomRole) -> dict[str, Any]:
    return {"rights": row.rights, "summary": row.summary}
