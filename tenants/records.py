"""What this room hands out and takes in: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from accord_server.kit.marks import mark_of
from accord_server.kit.scope import NamespaceRef, TenantRef

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime, timedelta
    from uuid import UUID

    from accord_server.kit.networks import Networks
    from accord_server.kit.scope import Grant, PrincipalKind
    from tenants.tokens import TokenKind


@dataclass(frozen=True, slots=True)
class TokenRules:
    """What no token of a tenant may exceed; None leaves what is there.

    Tokens live ``lifetime_days`` at most. With ``approval`` those of people who cannot manage tokens wait
    for somebody who can. ``forbidden`` rights are opened by no token.
    """

    lifetime_days: int | None = None
    approval: bool | None = None
    forbidden: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """A tenant as its members see it."""

    id: UUID
    slug: str
    name: str
    state: str = "active"
    created_at: datetime | None = None
    rules: TokenRules = TokenRules()
    revision: int = 1
    deleted_at: datetime | None = None
    needs_second_factor: bool = False

    @property
    def ref(self) -> TenantRef:
        """What a scope holds of it."""
        return TenantRef(self.id, self.slug)


@dataclass(frozen=True, slots=True)
class NamespaceRecord:
    """A namespace as those who may see it do; ``format`` is the only one registered there, if any."""

    id: UUID
    slug: str
    name: str
    description: str = ""
    labels: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    format: str = ""
    revision: int = 1
    created_at: datetime | None = None
    deleted_at: datetime | None = None
    purge_begun_at: datetime | None = None

    @property
    def ref(self) -> NamespaceRef:
        """What a scope holds of it."""
        return NamespaceRef(self.id, self.slug, self.format)


@dataclass(frozen=True, slots=True)
class NamespaceDetails:
    """What people say of a namespace; None leaves what is there. An empty format lets all in."""

    name: str | None = None
    description: str | None = None
    labels: tuple[str, ...] | None = None
    properties: Mapping[str, str] | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class RoleRecord:
    """A role as the tenant sees it; only its own can be changed."""

    name: str
    summary: str
    rights: frozenset[str]
    is_built_in: bool
    revision: int = 1


@dataclass(frozen=True, slots=True)
class BindingRecord:
    """A role binding with its holder; ``namespace`` is its slug, None for the whole tenant."""

    id: UUID
    principal: str
    role: str
    namespace: str | None
    subjects: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class InvitationRecord:
    """An invitation without its secret."""

    id: UUID
    email: str
    username: str
    bindings: tuple[Mapping[str, str | None], ...]
    state: str
    created_at: datetime
    created_by: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Invited:
    """A fresh invitation; ``value`` is shown this once and stays out of every printed form."""

    record: InvitationRecord
    value: str = field(repr=False)


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
    description: str = ""
    email: str = ""
    created_at: datetime | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True)
class Binding:
    """A role held somewhere: in the whole tenant, in one namespace, or on subjects of it.

    ``rights`` are those of a custom role, which only its tenant knows.
    """

    role: str
    namespace: UUID | None = None
    subjects: str = "*"
    rights: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AnonymousAccess:
    """What callers without a token may do in a namespace: ``access`` is None where that is nothing."""

    access: str | None = None
    subjects: tuple[str, ...] = ()
    created_at: datetime | None = None
    created_by: str | None = None

    @property
    def mark(self) -> int:
        """The number that a change of it names."""
        return mark_of(asdict(self))


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
    begins to count at ``not_before``, now unless given. ``clients`` are classes of clients, none for all.
    """

    owner: str
    kind: TokenKind
    name: str
    grants: tuple[Grant, ...]
    description: str = ""
    lifetime: timedelta | None = None
    not_before: datetime | None = None
    max_uses: int | None = None
    networks: Networks | None = None
    clients: frozenset[str] = frozenset()
    requests_per_second: int | None = None


@dataclass(frozen=True, slots=True)
class SecretRecord:
    """One of the secrets of a token: with ``expires_at`` it is on its way out."""

    slot: int
    last: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class TokenUse:
    """What is known of the use of a token, up to a minute ago; ``rights`` says when each was used last."""

    count: int = 0
    last_at: datetime | None = None
    last_address: str | None = None
    last_client: str = ""
    rights: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without its secrets."""

    key_id: str
    kind: TokenKind
    name: str
    owner: str
    state: str
    last: str
    expires_at: datetime
    description: str = ""
    grants: tuple[Grant, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)
    not_before: datetime | None = None
    max_uses: int | None = None
    parent: str | None = None
    created_at: datetime | None = None
    created_by: str = ""
    approved_at: datetime | None = None
    approved_by: str = ""
    revision: int = 1
    secrets: tuple[SecretRecord, ...] = ()
    use: TokenUse = field(default_factory=TokenUse)


@dataclass(frozen=True, slots=True)
class TokenDetails:
    """What can be changed of a token; None leaves what is there. Grants can only become narrower."""

    name: str | None = None
    description: str | None = None
    grants: tuple[Grant, ...] | None = None


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


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A record of the audit log; ``namespace`` is a slug, None for what is the tenant's."""

    id: int
    at: datetime
    actor_kind: str
    actor: str
    token_key_id: str
    token_slot: int | None
    namespace: str | None
    action: str
    object_kind: str
    object_name: str
    outcome: str
    address: str | None
    request_id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One session of a person: with what it was begun, and where it was seen last."""

    number: int
    client: str
    address: str
    began_at: datetime
    seen_at: datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class PasskeyRecord:
    """A passkey as its owner sees it."""

    number: int
    name: str
    added_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True)
class FactorsRecord:
    """The second factors of a person; None where there is no app, or where there are no recovery codes."""

    app_since: datetime | None
    codes_left: int | None
    passkeys: tuple[PasskeyRecord, ...]


@dataclass(frozen=True, slots=True)
class IdentityRecord:
    """An identity of OpenID Connect that lets a person in."""

    number: int
    provider: str
    subject: str
    added_at: datetime


class Outcome(StrEnum):
    """How what was asked for ended."""

    ALLOWED = "allowed"
    DENIED = "denied"


class FaultKind(StrEnum):
    """How the audit log can differ from what was sealed."""

    ALTERED = "altered"
    REMOVED = "removed"
    INSERTED = "inserted"
    REORDERED = "reordered"
    SEAL_ALTERED = "seal-altered"
    SEAL_REMOVED = "seal-removed"
    ANCHOR_ALTERED = "anchor-altered"


@dataclass(frozen=True, slots=True)
class AuditFault:
    """The first place where the log is not as it was sealed: a record by id, a seal by number, or both."""

    kind: FaultKind
    record: int | None = None
    seal: int | None = None


@dataclass(frozen=True, slots=True)
class ExpiredMonth:
    """A month whose records were kept long enough and are gone."""

    month: date
    records: int


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """What a look at the chain found; ``checkpoint`` is how far it is good, and where the next look begins.

    ``is_whole`` says that the end of the log was reached without a fault. ``waiting`` records are too young
    to be sealed.
    """

    checkpoint: str
    seals: int = 0
    records: int = 0
    fault: AuditFault | None = None
    is_whole: bool = False
    waiting: int = 0
    expired: tuple[ExpiredMonth, ...] = ()
