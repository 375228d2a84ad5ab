"""A place in the JSON of a schema while it is read, and the refusals that name it."""

from __future__ import annotations

from dataclasses import dataclass

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats.places import pointer_token, shown_pointer
from accord.model import Format


@dataclass(slots=True)
class Cursor:
    """A place in the text: the namespace around it, the place that holds it, and the step from there.

    Only a refusal spells the way out, so places cost little while nothing is wrong.
    """

    namespace: str | None = None
    holder: Cursor | None = None
    step: str | int = ""

    @property
    def pointer(self) -> str:
        """The JSON pointer that leads here."""
        tokens: list[str] = []
        place = self
        while place.holder is not None:
            tokens.append(pointer_token(str(place.step)))
            place = place.holder
        return "".join(f"/{token}" for token in reversed(tokens))

    def at(self, step: str | int) -> Cursor:
        """Return the place of a member or an item."""
        return Cursor(self.namespace, self, step)

    def inside(self, namespace: str | None) -> Cursor:
        """Return the same place with another namespace around it."""
        return Cursor(namespace, self.holder, self.step)

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
