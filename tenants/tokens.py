"""The text form of a token: ``acc<type>_<key id><secret><check>``.

No character outside base 62 and one underscore, so a token survives URLs, ``user:password`` pairs and
a double click. The check finds typing errors and helps secret scanners; it decides nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

BRAND: Final = "acc"
ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
KEY_ID_LENGTH: Final = 12
SECRET_LENGTH: Final = 43
CHECK_LENGTH: Final = 6
SECRET_BYTES: Final = 32
LAST_LENGTH: Final = 4


class TokenKind(StrEnum):
    """Whom a token speaks for; the value is the type letter."""

    PERSON = "p"
    SERVICE = "s"
    CI = "c"
    OPERATOR = "o"


TOKEN_PATTERN: Final = re.compile(
    rf"{BRAND}(?P<kind>[{''.join(TokenKind)}])_"
    rf"(?P<key_id>[0-9A-Za-z]{{{KEY_ID_LENGTH}}})"
    rf"[0-9A-Za-z]{{{SECRET_LENGTH}}}"
    rf"(?P<check>[0-9A-Za-z]{{{CHECK_LENGTH}}})"
)


@dataclass(frozen=True, slots=True)
class TokenText:
    """A well-formed token. ``value`` is the secret whole and stays out of every printed form."""

    kind: TokenKind
    key_id: str
    value: str = field(repr=False)

    @property
    def last(self) -> str:
        return self.value[-LAST_LENGTH:]


def parse(text: str) -> TokenText | None:
    """Read a token; None when prefix, length, alphabet or check are wrong."""
    match = TOKEN_PATTERN.fullmatch(text)
    if match is None or check_of(text[:-CHECK_LENGTH]) != match["check"]:
        return None
    return TokenText(TokenKind(match["kind"]), match["key_id"], text)


def generate(kind: TokenKind, key_id: str | None = None) -> TokenText:
    """Make a token from fresh randomness; with ``key_id`` a further secret of a known one."""
    handle = key_id or "".join(secrets.choice(ALPHABET) for _ in range(KEY_ID_LENGTH))
    secret = base62(int.from_bytes(secrets.token_bytes(SECRET_BYTES)), SECRET_LENGTH)
    body = f"{BRAND}{kind}_{handle}{secret}"
    return TokenText(kind, handle, body + check_of(body))


def digest(value: str, pepper: str) -> bytes:
    """What is stored of a token; a slow hash would add nothing to 256 random bits."""
    return hmac.digest(pepper.encode(), value.encode(), hashlib.sha256)


def is_same(left: bytes, right: bytes) -> bool:
    return hmac.compare_digest(left, right)


def check_of(body: str) -> str:
    return base62(zlib.crc32(body.encode()), CHECK_LENGTH)


def base62(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, rest = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[rest])
    return "".join(reversed(digits))
