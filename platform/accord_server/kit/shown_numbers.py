"""Numbers of rows as tenants see them.

All tenants' rows of a table are numbered by one sequence: two numbers that a tenant sees would tell it how
much the others did meanwhile. What is shown instead is a permutation of the numbers, another one for each
tenant and kind, keyed by the first pepper of the installation, which stays (a Feistel network).
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from accord_server.kit.configuration import configured
from accord_server.kit.setting_types import BETWEEN_SECRETS
from accord_server.kit.settings_table import TOKEN_PEPPER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

PURPOSE: Final = b"accord shown numbers"
HALF_BITS: Final = 26
HALF: Final = (1 << HALF_BITS) - 1
# Every number shown is below this: programs that hold numbers as floats read them exactly.
END: Final = 1 << 2 * HALF_BITS
ROUNDS: Final = range(8)
NONE: Final = 0


def shown(tenant: UUID, kind: str, number: int) -> int:
    """Return what the tenant sees for the number of a row, below `END`; ``kind`` names the table."""
    return _permuted(tenant, kind, number, ROUNDS)


def meant(tenant: UUID, kind: str, number: int) -> int:
    """Return the number of the row that the tenant sees as this; 0, which no row has, where it sees none."""
    if not 0 <= number < END:
        return NONE
    left, right = number >> HALF_BITS, number & HALF
    swapped = _permuted(tenant, kind, right << HALF_BITS | left, reversed(ROUNDS))
    return (swapped & HALF) << HALF_BITS | swapped >> HALF_BITS


def _permuted(tenant: UUID, kind: str, number: int, rounds: Iterable[int]) -> int:
    key, left, right = _key(configured(TOKEN_PEPPER), tenant, kind), number >> HALF_BITS, number & HALF
    for round_ in rounds:
        mixed = hashlib.blake2s(bytes([round_]) + right.to_bytes(4), key=key, digest_size=4).digest()
        left, right = right, left ^ int.from_bytes(mixed) & HALF
    return left << HALF_BITS | right


@lru_cache(maxsize=1024)
def _key(peppers: str, tenant: UUID, kind: str) -> bytes:
    pepper = next(one for one in peppers.split(BETWEEN_SECRETS) if one)
    what = b"\0".join((PURPOSE, tenant.bytes, kind.encode()))
    return hashlib.blake2s(what, key=hashlib.sha256(pepper.encode()).digest()).digest()
