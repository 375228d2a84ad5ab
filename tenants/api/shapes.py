"""What the native API answers about people, access and tokens, member by member."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from accord_server.kit.shapes import Id, Moment


class TokenRulesShape(TypedDict):
    """What no token of a tenant may exceed."""

    lifetime_days: int | None
    approval: bool | None
    forbidden: list[str]


class TenantRow(TypedDict):
    """A tenant as it is listed."""

    slug: str
    name: str
    state: str
    created_at: Moment | None
    deleted_at: NotRequired[Moment]
    kept_until: NotRequired[Moment]


class TenantShape(TenantRow):
    """A tenant with its token rules; with ``second_factor`` people see its pages only by one."""

    second_factor: bool
    token_rules: TokenRulesShape


class NamespaceShape(TypedDict):
    """A namespace."""

    id: Id
    slug: str
    name: str
    description: str
    labels: list[str]
    properties: dict[str, str]
    format: str | None
    created_at: Moment | None
    deleted_at: Moment | None
    kept_until: Moment | None
    purge_begun_at: Moment | None


class MemberShape(TypedDict):
    """A person who is a member."""

    principal: str
    username: str
    email: str
    is_active: bool
    created_at: Moment | None


class NewMember(MemberShape):
    """A member, and the tenant that it has just joined."""

    tenant: str


class AccountShape(TypedDict):
    """A service account."""

    principal: str
    slug: str
    description: str
    is_active: bool
    created_at: Moment | None


class InvitationShape(TypedDict):
    """An invitation, without its secret."""

    id: Id
    email: str | None
    username: str | None
    bindings: list[dict[str, Any]]
    state: str
    created_at: Moment
    created_by: str
    expires_at: Moment


class SentInvitation(InvitationShape):
    """An invitation with its secret, which is shown this once; null where the answer is a repeated one."""

    token: str | None


class RoleShape(TypedDict):
    """A role."""

    name: str
    summary: str
    rights: list[str]
    is_built_in: bool


class BindingShape(TypedDict):
    """Who holds which role where."""

    id: Id
    principal: str
    role: str
    namespace: str | None
    subjects: str
    created_at: Moment | None
    created_by: str


class GrantShape(TypedDict):
    """What a token opens."""

    namespaces: list[str]
    subjects: list[str]
    actions: list[str]


class SecretShape(TypedDict):
    """One of the secrets of a token, by its last characters."""

    slot: int
    last: str
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class UseShape(TypedDict):
    """When and from where a token was used last, and how often."""

    at: Moment | None
    address: str | None
    client: str | None
    count: int


class TokenShape(TypedDict):
    """A token, without its secrets."""

    key_id: str
    kind: str
    name: str
    description: str
    owner: str
    state: str
    grants: list[GrantShape]
    networks: dict[str, Any] | None
    clients: list[str] | None
    requests_per_second: int | None
    not_before: Moment | None
    expires_at: Moment | None
    max_uses: int | None
    parent: str | None
    created_at: Moment | None
    created_by: str
    approved_at: Moment | None
    approved_by: str | None
    secrets: list[SecretShape]
    last_used: UseShape


class IssuedTokenShape(TokenShape):
    """A token with its value, which is shown this once; null where the answer is a repeated one."""

    token: str | None


class RightsReport(TypedDict):
    """Which rights of a token were used, and when last, and which never were."""

    key_id: str
    since: Moment | None
    used: dict[str, Any]
    unused: list[str]


class Received(TypedDict):
    """That it was taken."""

    received: Literal[True]


class DecisionShape(TypedDict):
    """Whether a principal may do it, and what decides that."""

    principal: str
    allowed: bool
    reason: str
    binding: BindingShape | None
    grant: GrantShape | None


class Decisions(TypedDict):
    """A part of those who may."""

    items: list[DecisionShape]
    next: str | None


class AnonymousShape(TypedDict):
    """What callers without a token may do."""

    access: str | None
    subjects: list[str]
    rights: list[str]
    created_at: Moment | None
    created_by: str | None


class AuditShape(TypedDict):
    """A record of the audit log."""

    id: int
    at: Moment
    actor: str
    actor_kind: str
    token_key_id: str | None
    token_slot: int | None
    action: str
    object_kind: str
    object_name: str
    namespace: str | None
    outcome: str
    address: str | None
    request_id: str | None
    before: Any
    after: Any


class ExpiredMonth(TypedDict):
    """A month whose records are over."""

    month: str
    records: int


class FaultShape(TypedDict):
    """The first place where the log is not as it was sealed."""

    kind: str
    record: int | None
    seal: int | None


class AuditVerdictShape(TypedDict):
    """What a look at the chain of the log found."""

    is_good: bool
    is_whole: bool
    checkpoint: str | None
    seals: int
    records: int
    waiting: int
    expired: list[ExpiredMonth]
    fault: FaultShape | None


class QuotaShape(TypedDict):
    """A limit, and what is in use of it; null where none counts."""

    name: str
    things: str
    measure: str
    limit: int | None
    ceiling: int | None
    default: int | None
    used: int | None
    percent: int | None
    is_near: bool
    warned_at: Moment | None
    advice: str


class QuotasShape(TypedDict):
    """Every limit of a tenant, and what is in use of it."""

    items: list[QuotaShape]
    next: None


class DayShape(TypedDict):
    """What was in use at the end of a day."""

    day: str
    used: dict[str, int]


UsageShape = TypedDict("UsageShape", {"from": str, "to": str, "items": list[DayShape], "next": None})
UsageShape.__doc__ = "What was in use, day by day."
