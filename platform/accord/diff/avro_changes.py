"""The differences that the Avro walk emits, one class for each row of the rule table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from accord.diff.changes import Change, Facts

if TYPE_CHECKING:
    from accord.diff.changes import Pair
    from accord.formats.avro.logical import LogicalType
    from accord.formats.avro.model import Kind


@dataclass(frozen=True, slots=True)
class NameDiffers(Change):
    """Two named types of one kind whose names do not match; full names."""

    reader: str
    writer: str

    @property
    def detail(self) -> str:
        """The writer's full name."""
        return f"expected: {self.writer}"

    @property
    def facts(self) -> Facts:
        """Both names."""
        return Facts(self.reader.rpartition(".")[2], self.reader, self.writer)


@dataclass(frozen=True, slots=True)
class NamespaceDiffers(Change):
    """Two named types with one simple name in different namespaces; full names."""

    reader: str
    writer: str

    @property
    def detail(self) -> str:
        """The writer's full name."""
        return f"expected: {self.writer}"

    @property
    def facts(self) -> Facts:
        """Both names."""
        return Facts(self.reader.rpartition(".")[2], self.reader, self.writer)


@dataclass(frozen=True, slots=True)
class SizeDiffers(Change):
    """Two fixed types of different size, in bytes."""

    reader: int
    writer: int

    @property
    def detail(self) -> str:
        """Both sizes."""
        return f"expected: {self.writer}, found: {self.reader}"

    @property
    def facts(self) -> Facts:
        """Both sizes."""
        return Facts("", str(self.reader), str(self.writer))


@dataclass(frozen=True, slots=True)
class SymbolsMissing(Change):
    """Symbols of the writer that the reader lacks, sorted, with no default to fall back to."""

    symbols: tuple[str, ...]

    @property
    def detail(self) -> str:
        """The symbols in the form of a Java list."""
        return f"[{', '.join(self.symbols)}]"

    @property
    def facts(self) -> Facts:
        """The symbols."""
        return Facts("", "", ", ".join(self.symbols))

    @property
    def parts(self) -> int:
        """The number of symbols."""
        return len(self.symbols)


@dataclass(frozen=True, slots=True)
class FieldMissing(Change):
    """A field of the reader that the writer lacks and that has no default; its type as JSON."""

    field: str
    type: str = ""

    @property
    def detail(self) -> str:
        """The field's name."""
        return self.field

    @property
    def facts(self) -> Facts:
        """Name and type."""
        return Facts(self.field, self.type)


@dataclass(frozen=True, slots=True)
class FieldAmbiguous(Change):
    """A field of the reader that matches several fields of the writer by name and aliases."""

    field: str
    record: str
    matches: tuple[str, ...]
    ends_comparison: ClassVar[bool] = True

    @property
    def detail(self) -> str:
        """What the field matches, as a sentence."""
        return (
            f"Reader record field {self.field} matches multiple fields"
            f" in writer record schema {self.record}: {', '.join(self.matches)}"
        )

    @property
    def facts(self) -> Facts:
        """The field and what it matches."""
        return Facts(self.field, "", ", ".join(self.matches))

    @property
    def parts(self) -> int:
        """The number of matches."""
        return len(self.matches)


@dataclass(frozen=True, slots=True)
class TypeDiffers(Change):
    """Two types of which one cannot be read as the other."""

    reader: Kind
    writer: Kind

    @property
    def detail(self) -> str:
        """Both types in capitals."""
        reader, writer = self.reader.upper(), self.writer.upper()
        return f"reader type: {reader} not compatible with writer type: {writer}"

    @property
    def facts(self) -> Facts:
        """Both types."""
        return Facts("", str(self.reader), str(self.writer))


@dataclass(frozen=True, slots=True)
class LogicalTypeDiffers(Change):
    """Two types that are read alike but annotated differently."""

    reader: LogicalType | None
    writer: LogicalType | None

    @property
    def detail(self) -> str:
        """Both annotations."""
        return f"reader: {self.reader or 'none'}, writer: {self.writer or 'none'}"

    @property
    def facts(self) -> Facts:
        """Both annotations."""
        return Facts("", str(self.reader or "none"), str(self.writer or "none"))


@dataclass(frozen=True, slots=True)
class BranchMissing(Change):
    """A type the writer may have written that no branch of the reader's union reads.

    ``closest`` is the branch that was most likely meant, with the writer's type, if any.
    """

    writer: Kind
    closest: Pair | None = None
    name: str = ""

    @property
    def spoken(self) -> str:
        """The writer's type, and its name if it has one."""
        return f"{self.writer} {self.name}".rstrip()

    @property
    def detail(self) -> str:
        """The writer's type in capitals."""
        return f"reader union lacking writer type: {self.writer.upper()}"

    @property
    def facts(self) -> Facts:
        """The writer's type with its name."""
        return Facts("", "", self.spoken)

    @property
    def nearest(self) -> tuple[Pair, ...]:
        """The branch that was most likely meant, with the writer's type."""
        return () if self.closest is None else (self.closest,)
