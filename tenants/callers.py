"""What a request says about where it comes from, made fit to be stored."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

LONGEST_CLIENT: Final = 200
NUL: Final = "\x00"


def clean_address(address: str | None) -> str | None:
    """Return the address, or None when it is none (a unix socket, a forged header)."""
    try:
        return str(ip_address((address or "").partition("%")[0]))
    except ValueError:
        return None


def clean_text(text: str, longest: int) -> str:
    """Return text that PostgreSQL can hold: no NUL, no lone surrogates, not too long."""
    return text.replace(NUL, "").encode("utf-8", "replace").decode()[:longest]
