"""How a token travels: as Bearer, or as the password of Basic under a user name clients like."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

from tenants import tokens

if TYPE_CHECKING:
    from tenants.tokens import TokenText

LONGEST_HEADER: Final = 1024
# The habits of two other registries; the third is the key id of the token itself.
USER_NAMES: Final = frozenset({"api-key", "OAuth"})


def read_authorization(header: str | None) -> TokenText | None:
    """Find the token in an Authorization header; None for every other content."""
    if header is None or len(header) > LONGEST_HEADER:
        return None
    scheme, _, value = header.strip().partition(" ")
    match scheme.lower():
        case "bearer":
            return tokens.parse(value.strip())
        case "basic":
            return _read_basic(value.strip())
        case _:
            return None


def _read_basic(value: str) -> TokenText | None:
    try:
        user, _, password = base64.b64decode(value, validate=True).decode("ascii").partition(":")
    except (binascii.Error, ValueError):
        return None
    token = tokens.parse(password)
    return token if token is not None and user in USER_NAMES | {token.key_id} else None
