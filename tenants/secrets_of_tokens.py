"""Whether a token is one of those whose digests are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tenants import peppers, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tenants.records import StoredSecret
    from tenants.tokens import TokenText


def fitting_slot(token: TokenText, secrets: Iterable[StoredSecret]) -> int | None:
    """Return the slot of the secret that a token holds, None for a wrong one; compares all of them."""
    slots = [one.slot for one in secrets if _fits(token, one.digest, one.pepper_version)]
    return slots[0] if slots else None


def _fits(token: TokenText, digest: bytes, version: int) -> bool:
    pepper = peppers.pepper(version)
    return pepper is not None and tokens.is_same(digest, tokens.digest(token.value, pepper))
