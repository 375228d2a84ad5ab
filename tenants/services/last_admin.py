"""A tenant always has somebody who can give roles, so that nobody is locked out of it for good."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from accord_server.kit.scope import PrincipalKind
from tenants.errors import LastAdmin
from tenants.models import Tenant
from tenants.queries.roles import has_admin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope


@contextmanager
def guard_last_admin(scope: Scope, key: str) -> Iterator[None]:
    """Make a change that may take the last admin away; call it inside the transaction of the change.

    Whoever runs the installation may do so: they can give a role again.

    Raises:
        LastAdmin: Nobody would be left; ``key`` is who was the last.
    """
    if scope.principal.kind is PrincipalKind.OPERATOR:
        yield
        return
    # Two who take each other's role away go one after the other.
    Tenant.objects.select_for_update().get(id=scope.tenant.id)
    had_one = has_admin(scope)
    yield
    if had_one and not has_admin(scope):
        raise LastAdmin(key)
