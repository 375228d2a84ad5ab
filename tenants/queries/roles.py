"""Roles, ours and the tenant's own, and who holds which where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.scope import PrincipalKind
from tenants.access import grants_of_bindings, require_everywhere
from tenants.errors import BindingNotFound, RoleNotFound
from tenants.models import ALL_SUBJECTS, CustomRole, Member, RoleBinding
from tenants.principals import principal_of
from tenants.queries.namespaces import find_namespace
from tenants.queries.parts import newest_first, place_of
from tenants.queries.people import binding_of, find_principal, rights_of_custom_roles
from tenants.records import BindingRecord, RoleRecord
from tenants.rights import ROLES

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Scope

RIGHT: Final = "role.read"
GIVES_ROLES: Final = "role.manage"


@dataclass(frozen=True, slots=True)
class WantedBindings:
    """Which bindings are asked for; empty means all."""

    principal: str = ""
    role: str = ""
    namespace: str = ""


def list_roles(scope: Scope) -> tuple[RoleRecord, ...]:
    """Return the roles that can be bound: ours from the least to the most, then the tenant's own by name.

    Raises:
        RightMissing: Without ``role.read``.
    """
    require_everywhere(scope, RIGHT)
    ours = (RoleRecord(one.name, one.summary, one.rights, is_built_in=True) for one in ROLES.values())
    own = CustomRole.objects.scoped(scope).order_by("name")
    return (*ours, *map(custom_role_record, own))


def get_role(scope: Scope, name: str) -> RoleRecord:
    """Return a role.

    Raises:
        RightMissing: Without ``role.read``.
        RoleNotFound: There is none of this name.
    """
    for role in list_roles(scope):
        if role.name == name:
            return role
    raise RoleNotFound(name)


def list_bindings(
    scope: Scope, *, wanted: WantedBindings, after: str = "", limit: int
) -> Batch[BindingRecord]:
    """Return who holds which role where, newest first.

    Raises:
        RightMissing: Without ``role.read``.
        PrincipalNotFound, NamespaceNotFound: What the list is to be about is not there.
    """
    require_everywhere(scope, RIGHT)
    found = newest_first(_wanted(scope, wanted), after=after, name="public_id", limit=limit)
    return batch_of(map(binding_record, found), limit, lambda record: place_of(record.created_at, record.id))


def get_binding(scope: Scope, binding: UUID) -> BindingRecord:
    """Return a role binding.

    Raises:
        RightMissing: Without ``role.read``.
        BindingNotFound: The tenant has no such binding.
    """
    require_everywhere(scope, RIGHT)
    row = held_bindings(scope).filter(public_id=binding).first()
    if row is None:
        raise BindingNotFound(str(binding))
    return binding_record(row)


def role_holders(scope: Scope, name: str) -> int:
    """Return how many bindings give a role, for services of this room."""
    return RoleBinding.objects.scoped(scope).filter(role=name).count()


def has_admin(scope: Scope) -> bool:
    """Tell whether anybody who is let in can give roles in the whole tenant."""
    rows = RoleBinding.objects.scoped(scope).filter(namespace=None, subjects=ALL_SUBJECTS)
    alive = Q(member__is_active=True, member__user__is_active=True) | Q(service_account__is_active=True)
    bindings = [binding_of(one) for one in rows.filter(alive).annotate(custom=rights_of_custom_roles(scope))]
    return any(GIVES_ROLES in grant.rights for grant in grants_of_bindings(bindings))


def custom_role_record(row: CustomRole) -> RoleRecord:
    """Turn a row into what others see."""
    return RoleRecord(row.name, row.summary, frozenset(row.rights), is_built_in=False, revision=row.revision)


def binding_record(row: RoleBinding) -> BindingRecord:
    """Turn a row, with its holder and its namespace, into what others see."""
    return BindingRecord(
        row.public_id,
        key_of_holder(row),
        row.role,
        row.namespace.slug if row.namespace else None,
        row.subjects,
        row.created_at,
        row.created_by,
    )


def key_of_holder(row: RoleBinding) -> str:
    """Return the key of the principal who holds a binding, which was read with it."""
    if row.member is not None:
        return principal_of(PrincipalKind.PERSON, row.member.user.get_username()).key
    return principal_of(PrincipalKind.SERVICE, row.service_account.slug if row.service_account else "").key


def held_bindings(scope: Scope) -> QuerySet[RoleBinding]:
    """Return the bindings with their holders and namespaces: one statement however many there are."""
    rows: QuerySet[RoleBinding] = RoleBinding.objects.scoped(scope)
    return rows.select_related("member__user", "service_account", "namespace")


def _wanted(scope: Scope, wanted: WantedBindings) -> QuerySet[RoleBinding]:
    rows = held_bindings(scope)
    if wanted.principal:
        holder = find_principal(scope, wanted.principal)
        rows = (
            rows.filter(member=holder) if isinstance(holder, Member) else rows.filter(service_account=holder)
        )
    if wanted.namespace:
        rows = rows.filter(namespace_id=find_namespace(scope, wanted.namespace).id)
    return rows.filter(role=wanted.role) if wanted.role else rows
