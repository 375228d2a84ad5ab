"""Taking identities off an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.socialaccount.models import SocialAccount

from tenants.queries.factors import factors_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def remove_identity(user: User, number: int) -> bool:
    """Take an identity off; False where there is none, or where nobody could sign in afterwards."""
    rows = SocialAccount.objects.filter(user=user)
    others = rows.exclude(pk=number).exists() or bool(factors_of(user).passkeys)
    if not (user.has_usable_password() or others):
        return False
    deleted, _kinds = rows.filter(pk=number).delete()
    return bool(deleted)
