"""Object permissions of Django on tenants and namespaces, derived from role bindings, which stay the truth.

``user.has_perm("tenants.subject.read", namespace)`` answers for people as a whole role there does; roles on
some of its subjects, and what tokens open, only `tenants.access` knows. No other module knows guardian.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from guardian.models import UserObjectPermission  # noqa: TID251  # the one module that may

from tenants.models import ALL_SUBJECTS, Member, Namespace, RoleBinding, Tenant
from tenants.queries.people import binding_of, rights_of_custom_roles
from tenants.rights import RIGHTS, rights_in

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from accord_server.kit.scope import Scope

LONGEST_NAME: Final = 255


def derive_permissions(scope: Scope, members: Collection[Member]) -> None:
    """Give people the permissions that their roles give them now, in place of those they had.

    Call it inside the transaction of the change, with the tenant active: row-level security shows the
    permissions on its own objects and no others.
    """
    users = {member.pk: member.user_id for member in members}
    UserObjectPermission.objects.filter(user_id__in=users.values()).delete()
    rows = RoleBinding.objects.scoped(scope).filter(member_id__in=users, subjects=ALL_SUBJECTS)
    alive = rows.filter(member__is_active=True).annotate(custom=rights_of_custom_roles(scope))
    wanted = {
        (users[row.member_id], row.namespace_id, right)
        for row in alive
        for right in rights_in(row.role, binding_of(row).rights)
    }
    tenant_rights, namespace_rights = _permissions(Tenant), _permissions(Namespace)
    UserObjectPermission.objects.bulk_create(
        UserObjectPermission(
            user_id=user,
            permission=(tenant_rights if namespace is None else namespace_rights)[right],
            content_type=ContentType.objects.get_for_model(Tenant if namespace is None else Namespace),
            object_pk=str(namespace or scope.tenant.id),
        )
        for user, namespace, right in sorted(wanted, key=str)
    )


def forget_permissions(scope: Scope) -> None:
    """Take away every permission on the tenant and its namespaces."""
    objects = [scope.tenant.id, *Namespace.objects.scoped(scope).values_list("id", flat=True)]
    UserObjectPermission.objects.filter(object_pk__in=map(str, objects)).delete()


def forget_namespace(namespace_id: UUID) -> None:
    """Take away every permission on a namespace that goes."""
    UserObjectPermission.objects.filter(object_pk=str(namespace_id)).delete()


def _permissions(model: type[Tenant | Namespace]) -> dict[str, Permission]:
    """Return Django's row for each right, made where a right is new."""
    kind = ContentType.objects.get_for_model(model)
    found = {one.codename: one for one in Permission.objects.filter(content_type=kind, codename__in=RIGHTS)}
    missing = [right for name, right in RIGHTS.items() if name not in found]
    if not missing:
        return found
    Permission.objects.bulk_create(
        (
            Permission(content_type=kind, codename=one.name, name=one.meaning[:LONGEST_NAME])
            for one in missing
        ),
        ignore_conflicts=True,
    )
    return {one.codename: one for one in Permission.objects.filter(content_type=kind, codename__in=RIGHTS)}
