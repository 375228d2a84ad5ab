"""The second factors of a person, without their secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from allauth.mfa.models import Authenticator

from tenants.records import FactorsRecord, PasskeyRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User


# Recovery codes stand for one of these and are none.
KINDS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user: User) -> bool:
    """Tell whether a person has an app or a passkey, and so cannot sign in by the password alone."""
    return bool(Authenticator.objects.filter(user=user, type__in=KINDS).exists())


def factors_of(user: User) -> FactorsRecord:
    """Return the second factors of a person."""
    rows = list(Authenticator.objects.filter(user=user).order_by("pk"))
    kinds = {row.type: row for row in rows}
    codes = kinds.get(Authenticator.Type.RECOVERY_CODES)
    app = kinds.get(Authenticator.Type.TOTP)
    return FactorsRecord(
        app_since=app.created_at if app else None,
        codes_left=len(codes.wrap().get_unused_codes()) if codes else None,
        passkeys=tuple(
            PasskeyRecord(row.pk, row.wrap().name, row.created_at, row.last_used_at)
            for row in rows
            if row.type == Authenticator.Type.WEBAUTHN
        ),
    )
