"""The only way to rows that belong to a tenant: say for whom, or say why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from django.db import models

if TYPE_CHECKING:
    from accord_server.kit.scope import TenantRef

M = TypeVar("M", bound=models.Model)


class HasTenant(Protocol):
    """What names a tenant; a `Scope` does."""

    @property
    def tenant(self) -> TenantRef:
        """The tenant asked for."""
        ...


class UnscopedAccess(Exception):
    """Rows of a tenant were asked for without saying whose: a mistake in the code."""


class TenantManager(models.Manager[M]):
    """Gives no rows until a tenant is named."""

    # Django itself builds related managers and copies for migrations from this class.
    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet[M]:
        """Refuse: the caller forgot the tenant."""
        name = self.model.__name__
        raise UnscopedAccess(f"{name}.objects needs .scoped(scope), or .unscoped(why) with a reason")

    def scoped(self, scope: HasTenant) -> models.QuerySet[M]:
        """Return the tenant's rows and no others."""
        return self._every_row().filter(tenant_id=scope.tenant.id)

    def unscoped(self, why: str) -> models.QuerySet[M]:
        """Return the rows of all tenants, as far as row-level security shows them."""
        if not why.strip():
            raise UnscopedAccess("unscoped access needs a reason")
        return self._every_row()

    def insert(self, scope: HasTenant, **values: Any) -> M:
        """Store one row for the tenant."""
        return self._every_row().create(tenant_id=scope.tenant.id, **values)

    def _every_row(self) -> models.QuerySet[M]:
        return super().get_queryset()
