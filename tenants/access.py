"""Questions of permission, the same for every dialect, page and service."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from accord_server.kit.scope import Grant
from tenants.errors import NamespaceNotFound, RightMissing
from tenants.grants import intersect, spread
from tenants.rights import RIGHTS, Reach, rights_in
from tenants.selectors import parse_selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from tenants.records import Binding


def require(scope: Scope, right: str, subject: SubjectName | None = None) -> None:
    """Refuse unless the right is held: on this subject, or without one on all of the namespace.

    Ask first whether the subject may be seen at all; what may not be seen looks missing.

    Raises:
        RightMissing: Naming the right.
    """
    if not scope.may(right, subject):
        raise RightMissing(right)


def require_somewhere(scope: Scope, right: str) -> None:
    """Refuse unless the right is held on some subject: for lists, which are then filtered.

    Raises:
        RightMissing: Naming the right.
    """
    if not scope.selectors(right):
        raise RightMissing(right)


def require_in_tenant(scope: Scope, right: str) -> None:
    """Refuse unless the right is held in some part of the tenant.

    Raises:
        RightMissing: Naming the right.
    """
    if not may_in_tenant(scope, right):
        raise RightMissing(right)


def may_in_tenant(scope: Scope, right: str) -> bool:
    """Tell whether the right is held in some part of the tenant."""
    return any(right in grant.rights for grant in scope.grants)


def require_everywhere(scope: Scope, right: str) -> None:
    """Refuse unless the right is held in the whole tenant, whatever namespace the call came in by.

    Raises:
        RightMissing: Naming the right.
    """
    require(replace(scope, namespace=None), right)


def grants_of_bindings(bindings: Iterable[Binding]) -> tuple[Grant, ...]:
    """Return what role bindings open. A role or selector this release does not know opens nothing."""
    return spread(grant for binding in bindings if (grant := _grant_of(binding)) is not None)


def effective(
    token_grants: Sequence[Grant], owner_grants: Sequence[Grant], forbidden: frozenset[str] = frozenset()
) -> tuple[Grant, ...]:
    """Return what a token opens just now: never more than its owner may do, nor what its tenant forbids."""
    allowed = [replace(grant, rights=grant.rights - forbidden) for grant in token_grants]
    return intersect(allowed, owner_grants)


def is_visible(grants: Iterable[Grant], namespace: UUID) -> bool:
    """Tell whether the grants open anything inside the namespace."""
    return any(
        (grant.namespaces is None or namespace in grant.namespaces)
        and any(RIGHTS[name].reach < Reach.TENANT for name in grant.rights)
        for grant in grants
    )


def visible_namespaces(grants: Iterable[Grant]) -> frozenset[UUID] | None:
    """Return the namespaces in which the grants open anything, None for all of the tenant."""
    inside = [grant for grant in grants if any(RIGHTS[name].reach < Reach.TENANT for name in grant.rights)]
    if any(grant.namespaces is None for grant in inside):
        return None
    return frozenset(one for grant in inside for one in grant.namespaces or ())


def require_visible(grants: Iterable[Grant], namespace: UUID) -> None:
    """Refuse, as if it did not exist, a namespace in which nothing is open.

    Raises:
        NamespaceNotFound: The one answer for foreign and missing.
    """
    if not is_visible(grants, namespace):
        raise NamespaceNotFound


def _grant_of(binding: Binding) -> Grant | None:
    selector = parse_selector(binding.subjects)
    rights = rights_in(binding.role, binding.rights)
    if selector is None or not rights:
        return None
    namespaces = None if binding.namespace is None else frozenset({binding.namespace})
    return Grant(rights, (selector,), namespaces)
