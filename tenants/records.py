"""What this room hands out and takes in: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from accord_server.kit.scope import NamespaceRef, TenantRef

if TYPE_CHECKING:
    from datetime import datetime, timedelta
    from uuid import UUID

    from accord_server.kit.scope import Grant, PrincipalKind
    from tenants.tokens import TokenKind


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """A tenant as its members see it."""

    id: UUID
    slug: str
    name: str

    @property
    def ref(self) -> TenantRef:
        """What a scope holds of it."""
        return TenantRef(self.id, self.slug)


@dataclass(frozen=True, slots=True)
class NamespaceRecord:
    """A namespace as those who may see it do."""

    id: UUID
    slug: str
    name: str
    description: str = ""

    @property
    def ref(self) -> NamespaceRef:
        """What a scope holds of it."""
        return NamespaceRef(self.id, self.slug)


@dataclass(frozen=True, slots=True)
class UserRecord:
    """A person's account, before any tenant."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class PrincipalRecord:
    """A member or a service account. ``key`` is what `Principal.key` holds: ``person:alice``."""

    key: str
    kind: PrincipalKind
    name: str
    is_active: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """A role held somewhere: in the whole tenant, in one namespace, or on subjects of it."""

    role: str
    namespace: UUID | None = None
    subjects: str = "*"


@dataclass(frozen=True, slots=True)
class AnonymousAccess:
    """What callers without a token may do in a namespace: ``access`` is None where that is nothing."""

    access: str | None = None
    subjects: tuple[str, ...] = ()
    created_at: datetime | None = None
    created_by: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """The keyed digest of one secret of a token, and the version of the pepper in it."""

    slot: int
    digest: bytes
    pepper_version: int


@dataclass(frozen=True, slots=True)
class IssueToken:
    """The command behind a new token.

    ``owner`` is a principal's key. ``lifetime`` defaults by kind, 90 days or one hour; the token
    begins to count at ``not_before``, now unless given.
    """

    owner: str
    kind: TokenKind
    name: str
    grants: tuple[Grant, ...]
    description: str = ""
    lifetime: timedelta | None = None
    not_before: datetime | None = None
    max_uses: int | None = None


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without its secret."""

    key_id: str
    kind: TokenKind
    name: str
    owner: str
    state: str
    last: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A fresh token; ``value`` is shown this once and stays out of every printed form."""

    record: TokenRecord
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What was done, to what, and how it ended; who and whence come from the scope."""

    action: str
    object_kind: str
    object_name: str = ""
    outcome: str = "allowed"
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
