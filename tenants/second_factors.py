"""Second factors: what allauth asks of an installation, answered for ours."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import InvalidToken
from django.utils.translation import gettext_lazy as _

from accord_server.kit import sealing
from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import PUBLIC_URL, TOKEN_PEPPER

PURPOSE: Final = b"accord.second-factors"
ISSUER: Final = "Accord"


class SecondFactors(DefaultMFAAdapter):
    """Keeps secrets encrypted, and passkeys for the public address."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is wrong, or was used before."),
    }

    def encrypt(self, text: str) -> str:
        """Encrypt a secret as it is stored."""
        return sealing.box(configured(TOKEN_PEPPER), PURPOSE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a stored secret; for one that no pepper opens any more, return one that nobody knows."""
        try:
            return sealing.box(configured(TOKEN_PEPPER), PURPOSE).decrypt(encrypted_text).decode()
        except InvalidToken:
            return str(generate_totp_secret())  # codes of an empty one could be reckoned by everybody

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Bind passkeys to the public host, so that they are good at the hosts of namespaces below it."""
        host = str(context.request.get_host()).partition(":")[0]
        public = urlsplit(configured(PUBLIC_URL)).hostname or host
        return {"id": public if host.endswith(f".{public}") else host, "name": ISSUER}
