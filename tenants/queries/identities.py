"""The identities of OpenID Connect that belong to a person, and the providers there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.socialaccount.models import SocialAccount

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import OIDC_PROVIDERS
from tenants.records import IdentityRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def identities_of(user: User) -> tuple[IdentityRecord, ...]:
    """Return what lets the person in beside password and passkeys."""
    names = {one.slug: one.name for one in configured(OIDC_PROVIDERS)}
    rows = SocialAccount.objects.filter(user=user).order_by("pk")
    return tuple(
        IdentityRecord(row.pk, names.get(row.provider, row.provider), row.uid, row.date_joined)
        for row in rows
    )
