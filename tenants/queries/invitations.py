"""Invitations without their secrets."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from accord_server.kit.paging import Batch, batch_of
from accord_server.kit.scope import TenantRef
from tenants.access import require_everywhere
from tenants.models import Invitation
from tenants.queries.parts import newest_first, place_of
from tenants.queries.rows import rows_of
from tenants.records import InvitationRecord

if TYPE_CHECKING:
    from uuid import UUID

    from accord_server.kit.scope import Scope

BY_DIGEST: Final = "SELECT * FROM resolve_invitation(%s)"
RIGHT: Final = "member.read"
# Of a binding: which namespace has the name is for whoever accepts.
SHOWN: Final = ("role", "namespace", "subjects")


def list_invitations(
    scope: Scope, *, is_open: bool = False, after: str = "", limit: int
) -> Batch[InvitationRecord]:
    """Return the invitations, newest first.

    Raises:
        RightMissing: Without ``member.read``.
    """
    require_everywhere(scope, RIGHT)
    rows = Invitation.objects.scoped(scope)
    if is_open:
        rows = rows.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())
    found = newest_first(rows, after=after, name="id", limit=limit)
    return batch_of(
        map(invitation_record, found), limit, lambda record: place_of(record.created_at, record.id)
    )


def resolve_invitation(value: str) -> tuple[TenantRef, UUID] | None:
    """Return whose invitation it is, before its tenant is known; None where it is nobody's."""
    rows = rows_of(BY_DIGEST, digest_of(value))
    if not rows:
        return None
    (row,) = rows
    return TenantRef(row["tenant_id"], row["tenant_slug"]), row["invitation_id"]


def digest_of(value: str) -> bytes:
    """What is stored of the secret of an invitation; a slow hash would add nothing to 256 random bits."""
    return hashlib.sha256(value.encode("utf-8", "replace")).digest()


def invitation_record(row: Invitation) -> InvitationRecord:
    """Turn a row into what others see."""
    return InvitationRecord(
        row.id,
        row.email,
        row.username,
        tuple({name: one[name] for name in SHOWN} for one in row.bindings),
        _state(row),
        row.created_at,
        row.created_by,
        row.expires_at,
    )


def _state(row: Invitation) -> str:
    if row.accepted_at is not None:
        return "accepted"
    if row.revoked_at is not None:
        return "revoked"
    return "open" if row.expires_at > timezone.now() else "expired"
