"""Tokens of whoever runs the installation: issued and ended on the command line alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from tenants import peppers, tokens
from tenants.details import checked_name
from tenants.errors import InvalidLifetime, TokenNotFound
from tenants.models import OperatorToken
from tenants.services.changes import taken
from tenants.tokens import TokenKind

LONGEST_LIFETIME: Final = timedelta(days=366)
LIFETIME: Final = timedelta(days=90)
NAME_ONCE: Final = "tenants_operatortoken_name_key"


@dataclass(frozen=True, slots=True)
class IssuedOperatorToken:
    """A fresh token; ``value`` is shown this once and stays out of every printed form."""

    key_id: str
    name: str
    expires_at: datetime
    value: str = field(repr=False)


def issue_operator_token(*, name: str, lifetime: timedelta = LIFETIME) -> IssuedOperatorToken:
    """Issue a token that is good for the control plane of every tenant.

    Raises:
        InvalidDetail, SlugTaken: The name cannot be used, or there was such a token already.
        InvalidLifetime: It would live too long.
    """
    if not timedelta(0) < lifetime <= LONGEST_LIFETIME:
        raise InvalidLifetime(f"a token of an operator lives at most {LONGEST_LIFETIME.days} days")
    text = tokens.generate(TokenKind.OPERATOR)
    version, pepper = peppers.current()
    with taken(name, NAME_ONCE), transaction.atomic():
        row = OperatorToken.objects.create(
            key_id=text.key_id,
            name=checked_name(name),
            digest=tokens.digest(text.value, pepper),
            pepper_version=version,
            last=text.last,
            expires_at=timezone.now() + lifetime,
        )
    return IssuedOperatorToken(row.key_id, row.name, row.expires_at, text.value)


def revoke_operator_token(*, key_id: str) -> str:
    """End such a token at once and for good; return its name.

    Raises:
        TokenNotFound: There is none of this key id.
    """
    row = OperatorToken.objects.filter(key_id=key_id).first()
    if row is None:
        raise TokenNotFound(key_id)
    if row.revoked_at is None:
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
    return row.name
