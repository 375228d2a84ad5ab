"""Places in lists as callers see them.

A place may be the number of a row, or a name: what is answered instead is sealed with a key of the tenant
(AES-SIV), for one list. So it tells nothing, is taken by nobody else and nowhere else, and one that was
altered is known. The same place is the same text each time.
"""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from accord_server.kit.configuration import configured
from accord_server.kit.setting_types import BETWEEN_SECRETS
from accord_server.kit.settings_table import TOKEN_PEPPER

if TYPE_CHECKING:
    from uuid import UUID

PURPOSE: Final = b"accord places in lists"
KEY_BYTES: Final = 32
# The longest place is a few names in JSON.
LONGEST: Final = 8192


class BadPlace(Exception):
    """A text that nobody was given as a place in this list."""


def seal(tenant: UUID, listing: str, place: str) -> str:
    """Return a place in a list as the tenant sees it, in letters, digits, ``-`` and ``_``."""
    sealed = _siv(configured(TOKEN_PEPPER), tenant).encrypt(place.encode(), [listing.encode()])
    return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode()


def unseal(tenant: UUID, listing: str, text: str) -> str:
    """Return the place that the tenant was given as this text.

    Raises:
        BadPlace: It was not, or for another list.
    """
    try:
        given = text.encode("ascii")
        sealed = base64.b64decode(given + b"=" * (-len(given) % 4), altchars=b"-_", validate=True)
        if len(given) > LONGEST:
            raise BadPlace
        return _siv(configured(TOKEN_PEPPER), tenant).decrypt(sealed, [listing.encode()]).decode()
    except (binascii.Error, UnicodeError, InvalidTag):
        raise BadPlace from None


@lru_cache(maxsize=256)
def _siv(peppers: str, tenant: UUID) -> AESSIV:
    """Return what seals: by the first pepper, as long as that is kept."""
    pepper = next(one for one in peppers.split(BETWEEN_SECRETS) if one)
    what = PURPOSE + tenant.bytes
    return AESSIV(HKDF(SHA256(), KEY_BYTES, salt=None, info=what).derive(pepper.encode()))
