"""Tokens without their secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenants.access import require
from tenants.models import (
    Token,
    TokenSecret,
)
from tenants.queries.people import principal_record
from tenants.records import (
    TokenRecord,
)
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope


def tokens_of(scope: Scope) -> tuple[TokenRecord, ...]:
    """Return the tenant's tokens without their secrets, newest first.

    Raises:
        RightMissing: Without ``token.read``.
    """
    require(scope, "token.read")
    rows = Token.objects.scoped(scope).select_related("member__user", "service_account").order_by("-id")
    last = dict(TokenSecret.objects.scoped(scope).order_by("created_at").values_list("token_id", "last"))
    return tuple(token_record(row, last.get(row.pk, "")) for row in rows)


def token_record(row: Token, last: str) -> TokenRecord:
    """Turn a row into what other rooms see; ``last`` are the last characters of its newest secret."""
    owner = row.member or row.service_account
    return TokenRecord(
        key_id=row.key_id,
        kind=TokenKind(row.kind),
        name=row.name,
        owner=principal_record(owner).key if owner else "",
        state=row.state,
        last=last,
        expires_at=row.expires_at,
    )
