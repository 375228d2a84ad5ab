"""Tokens: issued, suspended, resumed, revoked, spent."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F

from accord_server.kit.scope import PrincipalKind
from tenants import peppers, tokens
from tenants.access import require
from tenants.announcements import announce_tokens
from tenants.errors import GrantTooWide, InvalidGrant, InvalidLifetime, TokenIsOver, TokenNotFound
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
from tenants.records import AuditEntry, IssuedToken, IssueToken, TokenRecord
from tenants.services.audit import record_audit
from tenants.services.changes import change
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
# Nothing brings a token back from these.
FINAL_STATES: Final = frozenset({TokenState.REVOKED, TokenState.COMPROMISED})


def issue_token(scope: Scope, *, command: IssueToken) -> IssuedToken:
    """Issue a token; its value is in the answer and never again.

    People may issue tokens of their own; tokens of others need ``token.manage``. A caller who came
    with a token issues children of it, which cannot outlive it; where its uses are limited, it hands on some
    of those it has left.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token or when called with a token.
        GrantTooWide: The grants open more than the caller may do.
        InvalidGrant: A grant cannot be read or names a namespace that is not there.
        InvalidLifetime: Outside the tenant's token rules, or more uses than the parent has left.
        PrincipalNotFound: No such owner.
    """
    if command.owner != scope.principal.key or scope.token_key:
        require(scope, "token.manage")
    with change(scope):
        owner = find_principal(scope, command.owner)
        _require_fitting_kind(command.kind, owner)
        _require_own_grants(scope, command)
        parent = _parent(scope)
        _hand_on_uses(parent, command.max_uses)
        text = tokens.generate(command.kind)
        row = Token.objects.insert(
            scope, key_id=text.key_id, **_owned_by(owner), **_described(command),
            **_timed(scope, command, parent), parent=parent, created_by=scope.principal.key,
        )  # fmt: skip
        _store_secret(scope, row, text)
        record = token_record(row, text.last)
        record_audit(scope, entry=AuditEntry("token.issue", "token", row.key_id, after=_shown(row, record)))
    return IssuedToken(record, text.value)


def revoke_token(scope: Scope, *, key_id: str) -> TokenRecord:
    """End a token and all that descend from it, for good and everywhere within two seconds.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
    """
    return _set_state(scope, key_id, TokenState.REVOKED)


def suspend_token(scope: Scope, *, key_id: str) -> TokenRecord:
    """Make a token and all that descend from it count for nothing until it is resumed.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver: It has been revoked.
    """
    return _set_state(scope, key_id, TokenState.SUSPENDED)


def resume_token(scope: Scope, *, key_id: str) -> TokenRecord:
    """Make a suspended token count again.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver: It has been revoked.
    """
    return _set_state(scope, key_id, TokenState.ACTIVE)


def spend_use(scope: Scope, *, token_id: int) -> bool:
    """Take one use of a token that has a limited number; False when none is left."""
    with change(scope):
        left = Token.objects.scoped(scope).filter(pk=token_id, use_count__lt=F("max_uses"))
        return left.update(use_count=F("use_count") + 1) == 1


def _set_state(scope: Scope, key_id: str, state: TokenState) -> TokenRecord:
    with change(scope):
        row = _lock(scope, key_id)
        record = token_record(row, _last(scope, row))
        if record.owner != scope.principal.key or scope.token_key:
            require(scope, "token.manage")
        if row.state in FINAL_STATES and row.state != state:
            raise TokenIsOver(key_id, row.state)
        before, row.state = row.state, state
        row.save(update_fields=["state"])
        announce_tokens([key_id, *_descendants(scope, row)])
        entry = AuditEntry(
            "token.set_state", "token", key_id, before={"state": before}, after={"state": state}
        )
        record_audit(scope, entry=entry)
    return token_record(row, record.last)


def _lock(scope: Scope, key_id: str) -> Token:
    rows = Token.objects.scoped(scope).select_for_update(of=("self",))
    row: Token | None = rows.select_related("member__user", "service_account").filter(key_id=key_id).first()
    if row is None:
        raise TokenNotFound(key_id)
    return row


def _last(scope: Scope, row: Token) -> str:
    newest = TokenSecret.objects.scoped(scope).filter(token_id=row.pk).order_by("created_at").last()
    return newest.last if newest else ""


def _descendants(scope: Scope, row: Token) -> list[str]:
    """Return the key ids below a token: they die with it, so their cached decisions must too."""
    found: list[str] = []
    parents = [row.pk]
    while parents:
        children = Token.objects.scoped(scope).filter(parent_id__in=parents).values_list("id", "key_id")
        parents = [number for number, _ in children]
        found += [key_id for _, key_id in children]
    return found


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
    lifetime = DEFAULT_LIFETIME[command.kind] if command.lifetime is None else command.lifetime
    longest = _longest(scope, command.kind)
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
    return _lock(scope, scope.token_key) if scope.token_key else None


def _store_secret(scope: Scope, row: Token, text: TokenText) -> None:
    version, pepper = peppers.current()
    TokenSecret.objects.insert(
        scope,
        token=row,
        slot=FIRST_SLOT,
        digest=tokens.digest(text.value, pepper),
        pepper_version=version,
        last=text.last,
    )


def _shown(row: Token, record: TokenRecord) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "name": row.name,
        "owner": record.owner,
        "grants": row.grants,
        "not_before": row.not_before.isoformat(),
        "expires_at": row.expires_at.isoformat(),
        "max_uses": row.max_uses,
    }
