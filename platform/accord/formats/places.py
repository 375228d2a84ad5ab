"""Naming a place inside a schema text: JSON pointers, and names short enough for a message."""

from __future__ import annotations

SHOWN_NAME = 80
SHOWN_POINTER = 240


def pointer_token(token: str) -> str:
    """Return one token of a JSON pointer, escaped as RFC 6901 says."""
    return token.replace("~", "~0").replace("/", "~1")


def shown(value: str) -> str:
    """Return a name in quotes for a message: escaped to ASCII, and cut when it is very long."""
    return ascii(value if len(value) <= SHOWN_NAME else value[:SHOWN_NAME] + "...")


def shown_pointer(pointer: str, longest: int = SHOWN_POINTER) -> str:
    """Return a pointer for a message, its middle left out when it is very long; the root is /."""
    if len(pointer) <= longest:
        return pointer or "/"
    half = longest // 2
    return f"{pointer[:half]}...{pointer[-half:]}"
