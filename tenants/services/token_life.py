"""What becomes of a token: approved, changed, rolled, reported as leaked."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from accord_server.kit.scope import Scope
from tenants import tokens
from tenants.access import require
from tenants.announcements import announce_tokens
from tenants.details import checked_description, checked_name
from tenants.errors import (
    GrantTooWide,
    InvalidLifetime,
    TokenIsOver,
    TokenNotPending,
    TokenPending,
    TokenRolling,
)
from tenants.grants import first_missing, parse_grants, render_grants
from tenants.models import Token, TokenSecret, TokenState
from tenants.principals import ANYBODY
from tenants.queries import database_now, resolve_token, token_record
from tenants.queries.tokens import secrets_of
from tenants.records import AuditEntry, IssuedToken
from tenants.secrets_of_tokens import fitting_slot
from tenants.services import events
from tenants.services.audit import record_audit
from tenants.services.changes import change, require_revision
from tenants.services.tokens import (
    FINAL_STATES,
    RIGHT,
    descendants,
    enter_state,
    lock_token,
    require_own,
    shown_token,
    store_secret,
)
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tenants.records import TokenDetails, TokenRecord

GRACE: Final = timedelta(hours=24)
LONGEST_GRACE: Final = timedelta(days=7)
TWO_SLOTS: Final = 3  # the sum of their numbers


def approve_token(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """Let a token count that waited for it; never more than its owner may do, whoever approves.

    Raises:
        RightMissing: Without ``token.manage``.
        TokenNotFound: The tenant has no such token.
        TokenNotPending: It does not wait.
        Changed: It is at another revision than ``expected``.
    """
    return _decide(scope, key_id, TokenState.ACTIVE, expected)


def refuse_token(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """End a token that waited for approval; raises as `approve_token`."""
    return _decide(scope, key_id, TokenState.REVOKED, expected)


def update_token(scope: Scope, *, key_id: str, details: TokenDetails, expected: int | None) -> TokenRecord:
    """Change what is said of a token, or make its grants narrower, for its descendants too.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver: It never comes back.
        InvalidDetail, InvalidGrant: A part of it cannot be stored.
        GrantTooWide: The grants would open what they do not open now.
        Changed: It is at another revision than ``expected``.
    """
    with change(scope):
        row, before = _locked(scope, key_id)
        require_own(scope, before)
        require_revision(f"Token '{key_id}'", row, expected)
        _require_living(row)
        shown = shown_token(row, before)
        if details.name is not None:
            row.name = checked_name(details.name)
        if details.description is not None:
            row.description = checked_description(details.description)
        if details.grants is not None:
            row.grants = _narrower(details.grants, before)
        row.revision += 1
        row.save(update_fields=["name", "description", "grants", "revision"])
        after = token_record(row, secrets_of(scope, [row])[row.pk])
        _note(scope, row, "token.update", before=shown, after=shown_token(row, after))
        events.tell(scope, events.CHANGED, row)
    return after


def roll_token(
    scope: Scope, *, key_id: str, grace: timedelta = GRACE, expected: int | None = None
) -> IssuedToken:
    """Give a token a second secret; the first counts on for a while, then no longer.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        TokenIsOver, TokenPending: It never comes back, or waits for approval.
        TokenRolling: It has two secrets already.
        InvalidLifetime: The grace is too long.
        Changed: It is at another revision than ``expected``.
    """
    if not timedelta(0) <= grace <= LONGEST_GRACE:
        raise InvalidLifetime(f"an old secret counts on for at most {LONGEST_GRACE.days} days")
    with change(scope):
        row, before = _locked(scope, key_id)
        require_own(scope, before)
        require_revision(f"Token '{key_id}'", row, expected)
        _require_living(row)
        if row.state == TokenState.PENDING:
            raise TokenPending(key_id)
        current = _only_secret(scope, row)
        text = tokens.generate(TokenKind(row.kind), key_id)
        # By the clock that decides what counts.
        current.expires_at = database_now() + grace
        current.save(update_fields=["expires_at"])
        store_secret(scope, row, text, slot=TWO_SLOTS - current.slot)
        row.wanted_at = timezone.now()
        row.revision += 1
        row.save(update_fields=["wanted_at", "revision"])
        _note(
            scope,
            row,
            "token.roll",
            before=None,
            after={"slot": TWO_SLOTS - current.slot, "grace": str(grace)},
        )
        events.tell(scope, events.ROLLED, row)
        record = token_record(row, secrets_of(scope, [row])[row.pk])
    return IssuedToken(record, text.value)


def drop_old_secret(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """End the older secret of a token that was rolled at once; without one nothing changes.

    Raises:
        RightMissing: Without ``token.manage``, for somebody else's token.
        TokenNotFound: The tenant has no such token.
        Changed: It is at another revision than ``expected``.
    """
    with change(scope):
        row, before = _locked(scope, key_id)
        require_own(scope, before)
        require_revision(f"Token '{key_id}'", row, expected)
        _drop(scope, row, _stored_secrets(scope, row).filter(expires_at__isnull=False))
    return token_record(row, secrets_of(scope, [row])[row.pk])


def drop_new_secret(scope: Scope, *, key_id: str, expected: int | None = None) -> TokenRecord:
    """Take a roll back, for whoever never got its answer: the older secret counts on as it did before.

    Where the grace of the older is over, or there is none, nothing changes.

    Raises:
        RightMissing, TokenNotFound, Changed: As `drop_old_secret`.
    """
    with change(scope):
        row, before = _locked(scope, key_id)
        require_own(scope, before)
        require_revision(f"Token '{key_id}'", row, expected)
        secrets = _stored_secrets(scope, row)
        if secrets.filter(expires_at__gt=database_now()).exists():
            _drop(scope, row, secrets.filter(expires_at__isnull=True))
            secrets.update(expires_at=None)
    return token_record(row, secrets_of(scope, [row])[row.pk])


def report_leak(value: str, *, request_id: str = "", address: str | None = None) -> None:
    """Mark a token as compromised that somebody found, if it is one; nobody learns whether it was.

    It never counts again, nor does any that descends from it; its tenant is told.
    """
    text = tokens.parse(value.strip())
    resolved = None if text is None else resolve_token(text.key_id)
    if text is None or resolved is None or fitting_slot(text, resolved.secrets) is None:
        return
    scope = Scope(resolved.tenant, None, ANYBODY, request_id=request_id, address=address)
    with change(scope):
        row = lock_token(scope, text.key_id)
        if row.state in FINAL_STATES:
            return
        enter_state(scope, row, TokenState.COMPROMISED, "token.compromise")
        events.tell(scope, events.COMPROMISED, row)


def _decide(scope: Scope, key_id: str, state: TokenState, expected: int | None) -> TokenRecord:
    require(scope, RIGHT)
    with change(scope):
        row, _ = _locked(scope, key_id)
        require_revision(f"Token '{key_id}'", row, expected)
        if row.state != TokenState.PENDING:
            raise TokenNotPending(key_id, row.state)
        row.approved_at, row.approved_by = timezone.now(), scope.principal.key
        enter_state(scope, row, state, "token.approve" if state == TokenState.ACTIVE else "token.refuse")
        events.tell(scope, events.APPROVED if state == TokenState.ACTIVE else events.REFUSED, row)
        return token_record(row, secrets_of(scope, [row])[row.pk])


def _locked(scope: Scope, key_id: str) -> tuple[Token, TokenRecord]:
    row = lock_token(scope, key_id)
    return row, token_record(row, secrets_of(scope, [row])[row.pk])


def _require_living(row: Token) -> None:
    if row.state in FINAL_STATES:
        raise TokenIsOver(row.key_id, row.state)


def _narrower(wanted: tuple[Any, ...], before: TokenRecord) -> list[Any]:
    stored = render_grants(wanted)
    parse_grants(stored)
    missing = first_missing(wanted, before.grants)
    if missing is not None:
        raise GrantTooWide(missing)
    return stored


def _only_secret(scope: Scope, row: Token) -> TokenSecret:
    """Return the secret of a token, and forget one whose grace is over.

    Raises:
        TokenRolling: It has another one, which still counts.
    """
    *older, current = secrets_of(scope, [row])[row.pk]
    for old in older:
        if _until(old) > timezone.now():
            raise TokenRolling(row.key_id, _until(old).isoformat())
        old.delete()
    return current


def _stored_secrets(scope: Scope, row: Token) -> QuerySet[TokenSecret]:
    rows: QuerySet[TokenSecret] = TokenSecret.objects.scoped(scope)
    return rows.filter(token_id=row.pk)


def _drop(scope: Scope, row: Token, secrets: QuerySet[TokenSecret]) -> None:
    """End some secrets of a locked token, if there are any."""
    slots = list(secrets.values_list("slot", flat=True))
    if slots:
        secrets.delete()
        row.revision += 1
        row.save(update_fields=["revision"])
        _note(scope, row, "token.drop_secret", before={"slot": slots[0]}, after=None)
        events.tell(scope, events.SLOT_CLEARED, row)


def _until(secret: TokenSecret) -> datetime:
    return secret.expires_at or timezone.now() + LONGEST_GRACE


def _note(
    scope: Scope, row: Token, action: str, *, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> None:
    announce_tokens([row.key_id, *descendants(scope, row)])
    record_audit(scope, entry=AuditEntry(action, "token", row.key_id, before=before, after=after))
