"""What is stored encrypted: a key is made of a secret of the settings, for one purpose.

Of several secrets the last one encrypts and each of them decrypts, so that one can be replaced.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import Final

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from accord_server.kit.setting_types import BETWEEN_SECRETS

KEY_BYTES: Final = 32


@lru_cache(maxsize=8)
def box(secrets: str, purpose: bytes) -> MultiFernet:
    """Return what encrypts and decrypts; for another purpose the same secrets make other keys."""
    newest_first = reversed(secrets.split(BETWEEN_SECRETS))
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_key(one, purpose))) for one in newest_first])


def _key(secret: str, purpose: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose).derive(secret.encode())
