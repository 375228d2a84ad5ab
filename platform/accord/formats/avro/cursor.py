"""A place in the JSON of a schema while it is read, and the refusals that name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats.places import pointer_token, shown_pointer
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.jsontext import Json


@dataclass(frozen=True, slots=True)
class Cursor:
    """A JSON value, the JSON pointer that leads to it, and the namespace around it."""

    value: Json
    namespace: str | None = None
    pointer: str = ""

    def member(self, key: str) -> Cursor:
        """Return the place of an object's member; its value is None where there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return Cursor(value, self.namespace, f"{self.pointer}/{pointer_token(key)}")

    def has(self, key: str) -> bool:
        """Tell whether this is an object with the member, be it null."""
        return isinstance(self.value, dict) and key in self.value

    def text(self, key: str) -> str | None:
        """Return a member that is a string; anything else counts as absent, as in Avro Java."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, str) else None

    def items(self) -> Iterator[Cursor]:
        """Yield the places of a list's items; nothing for other values."""
        items = self.value if isinstance(self.value, list) else []
        for position, item in enumerate(items):
            yield Cursor(item, self.namespace, f"{self.pointer}/{position}")

    def inside(self, namespace: str | None) -> Cursor:
        """Return the same place with another namespace around it."""
        return Cursor(self.value, namespace, self.pointer)

    def refusal(self, sentence: str) -> InvalidSchema:
        """Return the error for this place; the sentence says what to change."""
        return refusal(self.pointer, sentence)

    def too_large(self, sentence: str) -> SchemaTooLarge:
        """Return the error for a limit that is met here."""
        return too_large(self.pointer, sentence)


def refusal(pointer: str, sentence: str) -> InvalidSchema:
    """Return the error that names a place and what to change there."""
    details = f"{sentence} (at {shown_pointer(pointer)})"
    return InvalidSchema(format=Format.AVRO, details=details, location=pointer)


def too_large(pointer: str, sentence: str) -> SchemaTooLarge:
    """Return the error that names a limit and the place where it is met."""
    details = f"{sentence} (at {shown_pointer(pointer)})"
    return SchemaTooLarge(details=details, location=pointer)
