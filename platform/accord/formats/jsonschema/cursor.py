"""A place in the JSON of a schema while it is read, and the refusals that name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.errors import InvalidSchema, SchemaTooLarge
from accord.formats.places import pointer_token, shown, shown_pointer
from accord.model import Format

if TYPE_CHECKING:
    from accord.formats.jsontext import Json


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A text that was read: the schema itself (no name) or one it refers to."""

    name: str
    value: Json


@dataclass(slots=True)
class Cursor:
    """A place: the document, the address that references count from, what holds it, and the step.

    Only a refusal spells the way out, so places cost little while nothing is wrong.
    """

    document: Document
    base: str
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
        return Cursor(self.document, self.base, self, step)

    def refusal(self, sentence: str) -> InvalidSchema:
        """Return the error for this place; the sentence says what to change."""
        return refusal(self.pointer, sentence, document=self.document.name)

    def too_large(self, sentence: str) -> SchemaTooLarge:
        """Return the error for a limit that is met here."""
        return too_large(self.pointer, sentence, document=self.document.name)


def refusal(pointer: str, sentence: str, *, document: str = "") -> InvalidSchema:
    """Return the error that names a place and what to change there."""
    details = f"{sentence} ({_place(pointer, document)})"
    return InvalidSchema(format=Format.JSON, details=details, location="" if document else pointer)


def too_large(pointer: str, sentence: str, *, document: str = "") -> SchemaTooLarge:
    """Return the error that names a limit and the place where it is met."""
    details = f"{sentence} ({_place(pointer, document)})"
    return SchemaTooLarge(details=details, location="" if document else pointer)


def _place(pointer: str, document: str) -> str:
    within = f" of the referenced schema {shown(document)}" if document else ""
    return f"at {shown_pointer(pointer)}{within}"
