"""Tokens of whoever runs the installation, and the tenants as they see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from accord_server.kit.paging import Batch, batch_of
from tenants.models import OperatorToken
from tenants.queries.rows import rows_of
from tenants.records import StoredSecret, TenantRecord
from tenants.slugs import is_slug

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.scope import Principal

DELETED: Final = "SELECT * FROM resolve_deleted_tenant(%s)"
TENANTS_AFTER: Final = "SELECT * FROM tenants_after(%s, %s, %s)"
ONLY_SLOT: Final = 1


@dataclass(frozen=True, slots=True)
class KnownOperator:
    """A token that counts, as far as its digest goes."""

    name: str
    secret: StoredSecret


def live_operator(key_id: str) -> KnownOperator | None:
    """Return the operator's token of this key id, None where it is over or there is none."""
    rows = OperatorToken.objects.filter(key_id=key_id, revoked_at=None, expires_at__gt=timezone.now())
    row = rows.first()
    if row is None:
        return None
    return KnownOperator(row.name, StoredSecret(ONLY_SLOT, bytes(row.digest), row.pepper_version))


@dataclass(frozen=True, slots=True)
class DeletedTenant:
    """A tenant that looks missing to everybody; ``is_going`` when its rows are being removed."""

    id: UUID
    deleted_at: datetime
    is_going: bool


def deleted_tenant(slug: str) -> DeletedTenant | None:
    """Return the deleted tenant of this name, None where there is none."""
    rows = rows_of(DELETED, slug) if is_slug(slug) else []
    if not rows:
        return None
    return DeletedTenant(rows[0]["tenant_id"], rows[0]["deleted_at"], rows[0]["purge_begun_at"] is not None)


def has_tenants() -> bool:
    """Tell whether there is any tenant that is not deleted."""
    return bool(rows_of(TENANTS_AFTER, "", "", 1))


def list_tenants(
    operator: Principal,  # noqa: ARG001  # nobody else may ask
    *,
    state: str = "",
    after: str = "",
    limit: int,
) -> Batch[TenantRecord]:
    """Return the tenants of the installation by slug, for whoever runs it; the deleted ones if asked."""
    rows = rows_of(TENANTS_AFTER, after, state, limit + 1)
    found = (
        TenantRecord(
            row["tenant_id"],
            row["slug"],
            row["name"],
            row["state"],
            row["created_at"],
            deleted_at=row["deleted_at"],
        )
        for row in rows
    )
    return batch_of(found, limit, lambda record: record.slug)
