"""Tokens: issued, suspended, resumed, revoked, spent."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F
from django.utils import timezone

from accord_server.kit.scope import Pace, PrincipalKind
from tenants import peppers, tokens
from tenants.access import require
from tenants.announcements import announce_tokens
from tenants.conditions import Conditions, parse_conditions, render_conditions
from tenants.errors import (
    GrantTooWide,
    InvalidDetail,
    InvalidGrant,
    InvalidLifetime,
    TokenIsOver,
    TokenNotFound,
    TokenPending,
)
from tenants.grants import first_missing, parse_grants, render_grants
from tenants.models import (
    LONGEST_NAME,
    Member,
    Namespace,
    ServiceAccount,
    Tenant,
    Token,
    TokenSecret,
    TokenState,
)
from tenants.queries import database_now, find_principal, token_record
from tenants.queries.tokens import secrets_of, token_rows
from tenants.records import AuditEntry, IssuedToken, IssueToken, TokenRecord
from tenants.services import events
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision
from tenants.services.quotas import require_room
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tenants.tokens import TokenText

DEFAULT_LIFETIME: Final = {
    TokenKind.PERSON: timedelta(days=90),
    TokenKind.SERVICE: timedelta(days=90),
    TokenKind.CI: timedelta(hours=1),
}
LONGEST_CI_LIFETIME: Final = timedelta(days=1)
FIRST_SLOT: Final = 1
RIGHT: Final = "token.manage"
# Nothing brings a token back from these.
FINAL_STATES: Final = frozenset({TokenState.REVOKED, TokenState.COMPROMISED})
EVENTS: Final = {
    TokenState.ACTIVE: events.RESUMED,
    TokenState.SUSPENDED: events.SUSPENDED,
    TokenState.REVOKED: events.REVOKED,
}


def issue_token(scope: Scope, *, command: IssueToken) -> IssuedToken:
    """Issue a token; its value is in the answer and never again.

    People may issue tokens of their own; tokens of others need ``token.manage``. A caller who came
    with a token issues children of it, which cannot outlive it; where its uses are limited, it hands on some
    of those it has left, and where it may be used from limited places, so may they. Where the tenant wants
    it, the tokens of people who cannot manage tokens wait for approval.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token or when called with a token.
        GrantTooWide: The grants open more than the caller may do.
        InvalidGrant: A grant cannot be read or names a namespace that is not there.
        InvalidLifetime: Outside the tenant's token rules, or more uses than the parent has left.
        InvalidDetail: Networks or clients outside of those of the parent.
        PrincipalNotFound: No such owner.
        QuotaReached: The tenant has as many tokens as it may.
    """
    if command.owner != scope.principal.key or scope.token_key:
        require(scope, RIGHT)
    with change(scope):
        owner = find_principal(scope, command.owner)
        _require_fitting_kind(command.kind, owner)
        _require_own_grants(scope, command)
        parent = _parent(scope)
        _hand_on_uses(parent, command.max_uses)
        text = tokens.generate(command.kind)
        values = {**_owned_by(owner), **_described(command), **_timed(scope, command, parent)}
        row = Token.objects.insert(
            scope, key_id=text.key_id, **values, conditions=_conditions(command, parent, text.key_id),
            state=_first_state(scope), parent=parent, created_by=scope.principal.key,
        )  # fmt: skip
        record = token_record(row, [store_secret(scope, row, text, slot=FIRST_SLOT)])
        entry = AuditEntry("token.issue", "token", row.key_id, after=shown_token(row, record))
        record_audit(scope, entry=entry)
        events.tell(scope, events.PENDING if row.state == TokenState.PENDING else events.ISSUED, row)
        require_room(scope)
    return IssuedToken(record, text.value)


def revoke_token(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """End a token and all that descend from it, for good and everywhere within two seconds.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        Changed: It is at another revision than ``expected``.
    """
    return _set_state(scope, key_id, TokenState.REVOKED, expected)


def suspend_token(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """Make a token and all that descend from it count for nothing until it is resumed.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver, TokenPending: It has been revoked, or waits for approval.
        Changed: It is at another revision than ``expected``.
    """
    return _set_state(scope, key_id, TokenState.SUSPENDED, expected)


def resume_token(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """Make a suspended token count again.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver, TokenPending: It has been revoked, or waits for approval.
        Changed: It is at another revision than ``expected``.
    """
    return _set_state(scope, key_id, TokenState.ACTIVE, expected)


def spend_use(scope: Scope, *, token_id: int) -> bool:
    """Take one use of a token that has a limited number; False when none is left."""
    with change(scope):
        left = Token.objects.scoped(scope).filter(pk=token_id, use_count__lt=F("max_uses"))
        return left.update(use_count=F("use_count") + 1) == 1


def lock_token(scope: Scope, key_id: str) -> Token:
    """Return a token, held still until the change is over.

    Raises:
        TokenNotFound: The tenant has no such token.
    """
    rows = token_rows(scope).select_for_update(of=("self",))
    row: Token | None = rows.filter(key_id=key_id).first()
    if row is None:
        raise TokenNotFound(key_id)
    return row


def require_own(scope: Scope, record: TokenRecord) -> None:
    """Refuse whoever may not change a token: people may change their own, but no token may.

    Raises:
        RightMissing: Without ``token.manage``.
    """
    if record.owner != scope.principal.key or scope.token_key:
        require(scope, RIGHT)


def enter_state(scope: Scope, row: Token, state: TokenState, action: str) -> None:
    """Put a locked token into a state, tell every process and note it."""
    before, row.state = row.state, state
    if state == TokenState.ACTIVE:
        row.wanted_at = timezone.now()
    row.revision += 1
    row.save(update_fields=["state", "wanted_at", "revision", "approved_at", "approved_by"])
    announce_tokens([row.key_id, *descendants(scope, row)])
    entry = AuditEntry(action, "token", row.key_id, before={"state": before}, after={"state": state})
    record_audit(scope, entry=entry)


def descendants(scope: Scope, row: Token) -> list[str]:
    """Return the key ids below a token: they die with it, so their cached decisions must too."""
    found: list[str] = []
    parents = [row.pk]
    while parents:
        children = Token.objects.scoped(scope).filter(parent_id__in=parents).values_list("id", "key_id")
        parents = [number for number, _ in children]
        found += [key_id for _, key_id in children]
    return found


def store_secret(scope: Scope, row: Token, text: TokenText, *, slot: int) -> TokenSecret:
    """Store the digest of a secret."""
    version, pepper = peppers.current()
    secret: TokenSecret = TokenSecret.objects.insert(
        scope,
        token=row,
        slot=slot,
        digest=tokens.digest(text.value, pepper),
        pepper_version=version,
        last=text.last,
    )
    return secret


def shown_token(row: Token, record: TokenRecord) -> dict[str, Any]:
    """Return what the audit log says of a token."""
    return {
        "kind": row.kind,
        "name": row.name,
        "owner": record.owner,
        "state": row.state,
        "grants": row.grants,
        "conditions": row.conditions,
        "not_before": row.not_before.isoformat(),
        "expires_at": row.expires_at.isoformat(),
        "max_uses": row.max_uses,
    }


def _set_state(scope: Scope, key_id: str, state: TokenState, expected: int | None) -> TokenRecord:
    with change(scope):
        row = lock_token(scope, key_id)
        secrets = secrets_of(scope, [row])[row.pk]
        require_own(scope, token_record(row, secrets))
        require_revision(f"Token '{key_id}'", row, expected)
        if row.state in FINAL_STATES and row.state != state:
            raise TokenIsOver(key_id, row.state)
        if row.state == TokenState.PENDING and state != TokenState.REVOKED:
            raise TokenPending(key_id)
        if row.state != state:
            enter_state(scope, row, state, "token.set_state")
            events.tell(scope, EVENTS[state], row)
    return token_record(row, secrets)


def _first_state(scope: Scope) -> TokenState:
    """Return the state of a new token; whoever may manage tokens has approved their own."""
    is_asked = Tenant.objects.get(id=scope.tenant.id).token_approval
    return TokenState.PENDING if is_asked and not scope.may(RIGHT) else TokenState.ACTIVE


def _conditions(command: IssueToken, parent: Token | None, key_id: str) -> dict[str, Any]:
    """Return the conditions of a new token; those of its parent count for it as well.

    Raises:
        InvalidDetail: They lie outside of those of the parent: the token would never count.
    """
    above = Conditions() if parent is None else parse_conditions(parent.conditions)
    if above.networks is not None and command.networks and not above.networks.spans(command.networks):
        raise InvalidDetail("/networks/in", "outside of the networks of the token it descends from")
    if above.clients and command.clients and not command.clients <= above.clients:
        raise InvalidDetail("/clients", "the token it descends from counts for fewer classes of clients")
    per_second = command.requests_per_second
    pace = None if per_second is None else Pace(key_id, per_second)
    return render_conditions(Conditions(command.networks, command.clients, pace))


def _require_fitting_kind(kind: TokenKind, owner: Member | ServiceAccount) -> None:
    is_person = isinstance(owner, Member)
    if kind not in DEFAULT_LIFETIME or is_person != (kind is TokenKind.PERSON):
        raise InvalidGrant("/kind", "a person's token is for a member, others are for a service account")


def _require_own_grants(scope: Scope, command: IssueToken) -> None:
    parse_grants(render_grants(command.grants))
    named = {one for grant in command.grants for one in grant.namespaces or ()}
    if Namespace.objects.scoped(scope).filter(id__in=named).count() != len(named):
        raise InvalidGrant("/namespaces", "there is no such namespace")
    if scope.principal.kind is not PrincipalKind.OPERATOR:
        missing = first_missing(command.grants, scope.grants)
        if missing is not None:
            raise GrantTooWide(missing)


def _owned_by(owner: Member | ServiceAccount) -> dict[str, Any]:
    return {"member": owner} if isinstance(owner, Member) else {"service_account": owner}


def _described(command: IssueToken) -> dict[str, Any]:
    if not 0 < len(command.name) <= LONGEST_NAME:
        raise InvalidLifetime(f"a token needs a name of 1 to {LONGEST_NAME} characters")
    if command.max_uses is not None and command.max_uses < 1:
        raise InvalidLifetime("a limited number of uses is at least 1")
    return {
        "kind": command.kind,
        "name": command.name,
        "description": command.description,
        "grants": render_grants(command.grants),
        "max_uses": command.max_uses,
    }


def _hand_on_uses(parent: Token | None, wanted: int | None) -> None:
    """Take the uses of a child from those its parent has left, so that together they never have more.

    Raises:
        InvalidLifetime: The parent has fewer, or the child is to have no limit.
    """
    if parent is None or parent.max_uses is None:
        return
    left = parent.max_uses - parent.use_count
    if wanted is None or wanted > left:
        raise InvalidLifetime(f"the token it descends from has {left} uses left to hand on")
    parent.use_count += wanted
    parent.save(update_fields=["use_count"])


def _timed(scope: Scope, command: IssueToken, parent: Token | None) -> dict[str, Any]:
    longest = _longest(scope, command.kind)
    usual = min(DEFAULT_LIFETIME[command.kind], longest)
    lifetime = usual if command.lifetime is None else command.lifetime
    if not timedelta(0) < lifetime <= longest:
        raise InvalidLifetime(f"a token of this kind lives at most {longest}")
    not_before = command.not_before or database_now()
    expires_at = not_before + lifetime
    if parent is not None and expires_at > parent.expires_at:
        expires_at = parent.expires_at
    _require_order(not_before, expires_at)
    return {"not_before": not_before, "expires_at": expires_at}


def _require_order(not_before: datetime, expires_at: datetime) -> None:
    if not_before >= expires_at:
        raise InvalidLifetime("it would end before it begins")


def _longest(scope: Scope, kind: TokenKind) -> timedelta:
    days = timedelta(days=Tenant.objects.get(id=scope.tenant.id).token_lifetime_days)
    return min(days, LONGEST_CI_LIFETIME) if kind is TokenKind.CI else days


def _parent(scope: Scope) -> Token | None:
    return lock_token(scope, scope.token_key) if scope.token_key else None
