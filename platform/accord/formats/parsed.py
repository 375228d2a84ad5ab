"""What every format's parser hands out: the one shape that judging and storing rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from accord.model import Format, Reference


class ParsedSchema(Protocol):
    """A schema that parsed: immutable, with all it refers to resolved.

    ``canonical`` is the text as Confluent stores it, hashes it and returns it; ``root`` is the
    format's own top node, read only by the format's walk.
    """

    @property
    def format(self) -> Format:
        """The format the text is written in."""
        ...

    @property
    def canonical(self) -> str:
        """The one spelling that is stored and hashed."""
        ...

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references as given, or sorted and without duplicates after `normalized`."""
        ...

    @property
    def root(self) -> object:
        """The top node of the format's model."""
        ...

    def normalized(self) -> ParsedSchema:
        """Return the schema as Confluent's ``normalize=true`` stores it."""
        ...

    def resolved(self) -> str:
        """Return the text with every referenced type written out where it is first used."""
        ...

    def comparable(self) -> str:
        """Return a text that two schemas share exactly when they mean the same content."""
        ...


class ReferenceMemory(Protocol):
    """The port through which many schemas share what one list of references brings.

    What is kept is the parser's own and never changes. Whoever provides the port makes sure that the
    same references lead to the same texts.
    """

    def recall(self) -> object | None:
        """Return what the references were found to bring, if that is known."""
        ...

    def keep(self, found: object) -> None:
        """Take note of it."""
        ...
