"""What a process remembers of schemas: parsed models and verdicts on pairs, both safe to lose.

Their bounds stand in the table of `accord_server.kit.cache`. What a list of references brings is parsed
once for all schemas that have it, and lies in the memory of the models: it weighs there once, whether it
is held by one of them or by a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord.formats import parse
from accord_server.kit.cache import BoundedMemory, Part, memory_named
from registry.records import NOTHING, Referenced

if TYPE_CHECKING:
    from accord.formats import ParsedSchema
    from accord.model import Comparison, Reference, ReferenceResolver, SchemaText, Verdict

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Behind:
    """What a list of references brings, in the parser's own form, what that weighs, and in how many texts."""

    types: object
    part: Part
    files: int


MODELS: Final[BoundedMemory[ParsedSchema]] = memory_named("parsed_schemas")
# The same memory: one bound for all that is parsed.
BEHIND: Final[BoundedMemory[Behind]] = memory_named("parsed_schemas")
# By stored schema.
SIZES: Final[BoundedMemory[Referenced]] = memory_named("reference_sizes")
# Weighed in findings, with one for the pair itself.
PAIRS: Final[BoundedMemory[Comparison]] = memory_named("compared_pairs")
# Verdicts on whole histories, weighed in findings and comparisons.
VERDICTS: Final[BoundedMemory[Verdict]] = memory_named("verdicts")


class SharedReferences:
    """The parser's way to the schemas behind a list of references: parsed before, or read through a resolver.

    The key names the list: whose it is, and of each reference the name and the stored schema.
    """

    def __init__(self, key: Key, resolver: ReferenceResolver) -> None:
        self._key = ("behind", *key)
        self._resolver = resolver
        self._bytes = self._files = 0
        self._found: Behind | None = BEHIND.recall(self._key)

    @property
    def is_known(self) -> bool:
        """True when nothing needs to be read."""
        return self._found is not None

    @property
    def parts(self) -> tuple[Part, ...]:
        """What a model with these references keeps alive besides its own."""
        return () if self._found is None else (self._found.part,)

    @property
    def size(self) -> Referenced:
        """How much is behind the references, once that is known."""
        found = self._found
        return NOTHING if found is None else Referenced(found.part.weight, found.files)

    def resolve(self, reference: Reference) -> SchemaText:
        """Return the referenced text.

        Raises:
            ReferenceNotFound: As the resolver.
        """
        source = self._resolver.resolve(reference)
        self._bytes += length_in_bytes(source.text)
        self._files += 1
        return source

    def recall(self) -> object | None:
        """Return what was parsed before."""
        return None if self._found is None else self._found.types

    def keep(self, found: object) -> None:
        """Share it from now on."""
        self._found = Behind(found, Part(self._bytes), self._files)
        BEHIND.keep(self._key, self._found, parts=self.parts)


def length_in_bytes(text: str) -> int:
    """Return how long a text is in UTF-8, as the database stores it."""
    return len(text.encode("utf-8", "surrogatepass"))


def parse_shared(source: SchemaText, behind: SharedReferences | None, *, strict: bool) -> ParsedSchema:
    """Parse a text; what it refers to is parsed only if no schema with the same references was.

    Raises:
        InvalidSchema, UnknownFormat, SchemaTooLarge, InvalidReference, ReferenceNotFound: As the
            library's parsers do, with the place.
    """
    return parse(source, behind, strict=strict, memory=behind)


def keep_model(key: Key, parsed: ParsedSchema, parts: tuple[Part, ...]) -> None:
    """Remember a model under what names its meaning, at the price of all that it keeps alive."""
    MODELS.keep(key, parsed, weight=len(parsed.canonical), parts=parts)
