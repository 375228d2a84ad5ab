"""Equality of JSON values: keys that two values share exactly when JSON Schema calls them equal."""

from __future__ import annotations

from decimal import Decimal
from hashlib import blake2b
from typing import TYPE_CHECKING

from accord.formats.jsontext import quote

if TYPE_CHECKING:
    from accord.formats.jsontext import Json


def value_key(value: Json) -> str:
    """Return a text for a value: members sorted, 1 like 1.0, everything else as it is."""
    match value:
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int() | float() | Decimal():
            return number_key(value)
        case str():
            return quote(value)
        case dict():
            members = [f"{quote(key)}:{value_key(item)}" for key, item in sorted(value.items())]
            return f"{{{','.join(members)}}}"
        case _:
            return f"[{','.join([value_key(item) for item in value])}]"


def number_key(value: float | Decimal) -> str:
    """Return the plain text of a whole number, else digits and exponent without trailing zeros."""
    exact = Decimal(value)
    if exact == exact.to_integral_value():
        return str(int(exact))
    sign, digits, exponent = exact.as_tuple()
    spelled = "".join(map(str, digits))
    shorter = spelled.rstrip("0")
    power = int(exponent) + len(spelled) - len(shorter)
    return f"{'-' if sign else ''}{shorter}E{power}"


class Shapes:
    """Digests of the values of one text: two values, of this text or another, are equal when these are.

    A digest is made of those of the parts, which are remembered: so unlike a text it costs no more for a
    value that is nested deeply.
    """

    def __init__(self) -> None:
        self.known: dict[int, bytes] = {}

    def of(self, value: Json) -> bytes:
        """Return the digest of a value; the value must live as long as this object."""
        if not isinstance(value, dict | list):
            return digest(value_key(value).encode())
        known = self.known.get(id(value))
        if known is None:
            known = self.known[id(value)] = digest(self._parts(value))
        return known

    def _parts(self, value: dict[str, Json] | list[Json]) -> bytes:
        if isinstance(value, dict):
            members = [digest(key.encode()) + self.of(item) for key, item in value.items()]
            return b"{" + b"".join(sorted(members))
        return b"[" + b"".join([self.of(item) for item in value])


def digest(content: bytes) -> bytes:
    """Return sixteen bytes that stand for a content."""
    return blake2b(content, digest_size=16).digest()
