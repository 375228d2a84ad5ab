"""Tokens without their secrets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from accord_server.kit.paging import Batch, batch_of
from tenants.access import require_everywhere
from tenants.errors import InvalidGrant, TokenNotFound
from tenants.grants import parse_grants
from tenants.models import Member, Namespace, Token, TokenSecret, TokenState
from tenants.queries.parts import newest_first, place_of
from tenants.queries.people import find_principal, principal_record
from tenants.records import SecretRecord, TokenRecord, TokenUse
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from accord_server.kit.scope import Grant, Scope

RIGHT: Final = "token.read"
Secrets = dict[int, list[TokenSecret]]


@dataclass(frozen=True, slots=True)
class WantedTokens:
    """Which tokens are asked for; empty means all."""

    owner: str = ""
    state: str = ""
    # A part of the name.
    words: str = ""


def tokens_of(scope: Scope) -> tuple[TokenRecord, ...]:
    """Return the tenant's tokens, newest first.

    Raises:
        RightMissing: Without ``token.read``.
    """
    require_everywhere(scope, RIGHT)
    return _records(scope, token_rows(scope).order_by("-id"))


def list_tokens(scope: Scope, *, wanted: WantedTokens, after: str = "", limit: int) -> Batch[TokenRecord]:
    """Return a part of the tenant's tokens, newest first: three statements however many there are.

    Raises:
        RightMissing: Without ``token.read``, unless people ask for their own.
        PrincipalNotFound: The owner asked for is not there.
    """
    if not _is_own(scope, wanted.owner):
        require_everywhere(scope, RIGHT)
    rows = token_rows(scope)
    if wanted.owner:
        owner = find_principal(scope, wanted.owner)
        column = "member_id" if isinstance(owner, Member) else "service_account_id"
        rows = rows.filter(**{column: owner.pk})
    if wanted.state:
        rows = rows.filter(state=wanted.state)
    if wanted.words:
        rows = rows.filter(name__icontains=wanted.words)
    found = _records(scope, newest_first(rows, after=after, name="key_id", limit=limit))
    return batch_of(found, limit, _place)


def get_token(scope: Scope, key_id: str) -> TokenRecord:
    """Return a token.

    Raises:
        RightMissing: Without ``token.read``, unless it is a person's own.
        TokenNotFound: The tenant has no such token.
    """
    found = _records(scope, token_rows(scope).filter(key_id=key_id))
    if not (found and _is_own(scope, found[0].owner)):
        require_everywhere(scope, RIGHT)
    if not found:
        raise TokenNotFound(key_id)
    return found[0]


def token_rows(scope: Scope) -> QuerySet[Token]:
    """Return the tokens with their owners and parents, for services of this room."""
    rows: QuerySet[Token] = Token.objects.scoped(scope)
    return rows.select_related("member__user", "service_account", "parent")


def secrets_of(scope: Scope, rows: Iterable[Token]) -> Secrets:
    """Return the secrets of tokens that still count or may have been used, newest last, by token."""
    found: Secrets = defaultdict(list)
    wanted = TokenSecret.objects.scoped(scope).filter(token_id__in=[row.pk for row in rows])
    for secret in wanted.order_by("created_at"):
        found[secret.token_id].append(secret)
    return found


def namespace_slugs(scope: Scope) -> dict[UUID, str]:
    """Return what the namespaces of the tenant are called: grants hold ids, people read names."""
    return dict(Namespace.objects.scoped(scope).values_list("id", "slug"))


def token_record(row: Token, secrets: Iterable[TokenSecret] = ()) -> TokenRecord:
    """Turn a row into what other rooms see."""
    owner, kept = row.member or row.service_account, tuple(map(_secret_record, secrets))
    return TokenRecord(
        key_id=row.key_id,
        kind=TokenKind(row.kind),
        name=row.name,
        owner=principal_record(owner).key if owner else "",
        state=_state(row),
        last=kept[-1].last if kept else "",
        expires_at=row.expires_at,
        description=row.description,
        grants=_grants(row.grants),
        conditions=row.conditions,
        not_before=row.not_before,
        max_uses=row.max_uses,
        parent=row.parent.key_id if row.parent else None,
        created_at=row.created_at,
        created_by=row.created_by,
        approved_at=row.approved_at,
        approved_by=row.approved_by,
        revision=row.revision,
        secrets=kept,
        use=TokenUse(
            row.use_count, row.last_used_at, row.last_address, row.last_client, _days(row.used_rights)
        ),
    )


def _is_own(scope: Scope, owner: str) -> bool:
    """Tell whether tokens of this owner are the caller's own, who came without one."""
    return owner == scope.principal.key and not scope.token_key


def _records(scope: Scope, rows: Iterable[Token]) -> tuple[TokenRecord, ...]:
    found = tuple(rows)
    secrets = secrets_of(scope, found)
    return tuple(token_record(row, secrets[row.pk]) for row in found)


def _place(record: TokenRecord) -> str:
    return place_of(_known(record.created_at), record.key_id)


def _known(at: datetime | None) -> datetime:
    return at or timezone.now()


def _state(row: Token) -> str:
    """Return the state; a token whose time is over is expired before anybody says so."""
    is_over = row.state == TokenState.ACTIVE and row.expires_at <= timezone.now()
    return TokenState.EXPIRED.value if is_over else row.state


def _grants(stored: object) -> tuple[Grant, ...]:
    try:
        return parse_grants(stored)
    except InvalidGrant:
        # Of a newer release; here it opens nothing.
        return ()


def _days(used: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(used.items()))


def _secret_record(row: TokenSecret) -> SecretRecord:
    return SecretRecord(row.slot, row.last, row.created_at, row.expires_at, row.last_used_at)
