"""The differences of Avro that leave data readable: what is filled in, passed over, widened or renamed.

Avro Java's checker is silent about all of them. They are told to people who ask what changed, and weighed by
presets that allow less than Avro can read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.diff.changes import Change, Facts
from accord.formats.avro.model import Union, branch_name

if TYPE_CHECKING:
    from accord.formats.avro.model import Field, Kind, Node

SHOWN = 120
MOST_BRANCHES = 4
NO_DEFAULT = "no default"


def spelled_default(field: Field) -> str:
    """Return the default of a field as JSON, cut to what a sentence can hold."""
    if not field.has_default:
        return NO_DEFAULT
    text = json.dumps(field.default, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def spelled_type(node: Node) -> str:
    """Return a type as people write it in JSON, without what is inside; of a long union the beginning."""
    if not isinstance(node, Union):
        return json.dumps(branch_name(node), ensure_ascii=False)
    shown = [branch_name(branch) for branch in node.branches[:MOST_BRANCHES]]
    left = len(node.branches) - len(shown)
    return json.dumps([*shown, f"{left} more"] if left else shown, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Sided(Change):
    """A difference of something with a name; ``reader`` and ``writer`` are its values as texts."""

    name: str
    reader: str
    writer: str

    @property
    def detail(self) -> str:
        """Both values."""
        return f"reader: {self.reader}, writer: {self.writer}"

    @property
    def facts(self) -> Facts:
        """Name and values."""
        return Facts(self.name, self.reader, self.writer)


@dataclass(frozen=True, slots=True)
class FieldFilledIn(Change):
    """A field of the reader that the writer lacks and whose default stands in for it."""

    field: str
    default: str

    @property
    def detail(self) -> str:
        """The field's name."""
        return self.field

    @property
    def facts(self) -> Facts:
        """Name and default."""
        return Facts(self.field, self.default)


@dataclass(frozen=True, slots=True)
class FieldNotRead(Change):
    """A field of the writer that the reader lacks, and so passes over."""

    field: str

    @property
    def detail(self) -> str:
        """The field's name."""
        return self.field

    @property
    def facts(self) -> Facts:
        """The name."""
        return Facts(self.field)


@dataclass(frozen=True, slots=True)
class FieldDefaultDiffers(Sided):
    """A field of both sides whose defaults differ, or that only one side gives a default."""


@dataclass(frozen=True, slots=True)
class FieldAliased(Sided):
    """A field of the reader that is found in the writer under one of its aliases; names as values."""


@dataclass(frozen=True, slots=True)
class TypeAliased(Sided):
    """A named type of the reader that is found in the writer under one of its aliases; full names."""


@dataclass(frozen=True, slots=True)
class EnumDefaultDiffers(Sided):
    """Two enums with different symbols for what they do not know."""


@dataclass(frozen=True, slots=True)
class TypePromoted(Change):
    """Data of one type that the reader takes as another, such as int as long."""

    reader: Kind
    writer: Kind

    @property
    def detail(self) -> str:
        """Both types."""
        return f"reader: {self.reader}, writer: {self.writer}"

    @property
    def facts(self) -> Facts:
        """Both types."""
        return Facts("", str(self.reader), str(self.writer))


@dataclass(frozen=True, slots=True)
class SymbolsDefaulted(Change):
    """Symbols of the writer that the reader lacks and takes for its default symbol."""

    symbols: tuple[str, ...]
    default: str

    @property
    def detail(self) -> str:
        """The symbols, as a list."""
        return f"[{', '.join(self.symbols)}]"

    @property
    def facts(self) -> Facts:
        """What they are taken for, and the symbols."""
        return Facts("", self.default, ", ".join(self.symbols))

    @property
    def parts(self) -> int:
        """The number of symbols."""
        return len(self.symbols)
