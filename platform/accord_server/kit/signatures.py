"""Signatures of what is sent to others, in the form of Standard Webhooks.

The secret of a receiver is not stored: it is derived from the first pepper of the installation, which stays.
"""

from __future__ import annotations

import base64
import hmac
from typing import TYPE_CHECKING, Final

from accord_server.kit.configuration import configured
from accord_server.kit.setting_types import BETWEEN_SECRETS
from accord_server.kit.settings_table import TOKEN_PEPPER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

PREFIX: Final = "whsec_"
PURPOSE: Final = b"accord webhook secret"


def secret_of(receiver: UUID, number: int) -> str:
    """Return the secret of a receiver; the number changes when it is rolled."""
    pepper = next(one for one in configured(TOKEN_PEPPER).split(BETWEEN_SECRETS) if one)
    what = b"\0".join((PURPOSE, receiver.bytes, str(number).encode()))
    return PREFIX + base64.b64encode(hmac.digest(pepper.encode(), what, "sha256")).decode()


def signed(secrets: Iterable[str], *, message: str, moment: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message at a moment (seconds since 1970), signed with each of the secrets."""
    content = b".".join((message.encode(), str(moment).encode(), body))
    return {
        "webhook-id": message,
        "webhook-timestamp": str(moment),
        "webhook-signature": " ".join(f"v1,{_signature(secret, content)}" for secret in secrets),
    }


def _signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, content, "sha256")).decode()
