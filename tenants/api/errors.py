"""The statuses of this room's errors, and of those that every changeable thing shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit import edit_errors
from tenants import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.errors import AccordError

STATUSES: Final[Mapping[int, tuple[type[AccordError], ...]]] = {
    401: (errors.Unauthorized,),
    403: (
        errors.GrantTooWide,
        errors.InvitationRefused,
        errors.RightMissing,
        errors.SecondFactorMissing,
        errors.TenantSuspended,
    ),
    404: (
        errors.AuditRecordNotFound,
        errors.BindingNotFound,
        errors.InvitationNotFound,
        errors.NamespaceNotFound,
        errors.PrincipalNotFound,
        errors.RoleNotFound,
        errors.TenantNotDeleted,
        errors.TokenNotFound,
    ),
    409: (
        edit_errors.KeyInUse,
        errors.LastAdmin,
        errors.LimitReached,
        errors.NamespaceFixed,
        errors.NamespaceGoing,
        errors.QuotaReached,
        errors.RoleBound,
        errors.RoleFixed,
        errors.SlugTaken,
        errors.TenantGoing,
        errors.TokenIsOver,
        errors.TokenNotPending,
        errors.TokenPending,
        errors.TokenRolling,
    ),
    412: (edit_errors.Changed,),
    413: (errors.SchemaAboveQuota,),
    422: (
        edit_errors.KeyReused,
        errors.InvalidDetail,
        errors.InvalidGrant,
        errors.InvalidLifetime,
        errors.InvalidSlug,
        errors.InvalidUser,
        errors.NotConfirmed,
        errors.UnknownRight,
        errors.UnknownRole,
    ),
    428: (edit_errors.VersionNotNamed,),
    429: (errors.TooManyRequests,),
}


def quota_parts(error: Exception | None) -> dict[str, Any]:
    """Return what an answer says of a limit that was met: which, how much of it is in use, what to do."""
    if isinstance(error, errors.QuotaReached | errors.SchemaAboveQuota):
        found = {"resource": error.resource, "limit": error.limit, "usage": error.usage}
        return {**found, "advice": error.advice}
    if isinstance(error, errors.TooManyRequests):
        return {"resource": "requests_per_second", "limit": error.limit, "retry_after": error.retry_after}
    return {}
