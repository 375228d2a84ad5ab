"""Plain stand-ins for what the library is given from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.errors import ReferenceNotFound

if TYPE_CHECKING:
    from accord.model import Format, Reference, SchemaText


@dataclass(frozen=True)
class ForeignSchema:
    """A schema of a format that the judge meets and must not look into."""

    canonical: str
    format: Format
    references: tuple[Reference, ...] = ()
    root: object = None

    def comparable(self) -> str:
        """Its text."""
        return self.canonical

    def normalized(self) -> ForeignSchema:
        """Itself."""
        return self

    def resolved(self) -> str:
        """Its text."""
        return self.canonical


class Shelf:
    """A resolver over a dictionary; it counts how often each text is asked for."""

    def __init__(self, texts: dict[tuple[str, int], SchemaText]) -> None:
        self.texts = texts
        self.asked: list[tuple[str, int]] = []

    def resolve(self, reference: Reference) -> SchemaText:
        """Return the text, or raise as the registry does."""
        where = (reference.subject, reference.version)
        self.asked.append(where)
        if where not in self.texts:
            raise ReferenceNotFound(subject=reference.subject, version=reference.version)
        return self.texts[where]
