"""A policy document as values: what is set where, and nothing about how it was written.

What a section sets is kept flat, by dotted name (``limits.bytes``, ``rules.NAME_MISMATCH``): values
are inherited one by one, each under its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from accord.model import Format, Level, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class JudgedAs:
    """A rule is replaced by another: its findings weigh what that one's weigh.

    They keep their own id, place and words, which say what differs. The weight is that of the other
    rule itself (its own severity, or its cell in the preset); if that rule is replaced in turn, this
    is not followed.
    """

    rule: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """Something said for each of several names, in their order."""

    items: tuple[tuple[str, tuple[str, ...] | Severity], ...]


Setting: TypeAlias = str | int | bool | tuple[str, ...] | Level | Severity | JudgedAs | Pairs
Section: TypeAlias = "Mapping[str, Setting]"

# The names of the formats in a document, and of the section that holds for all of them.
FORMAT_KEYS: dict[str, Format] = {"avro": Format.AVRO, "json": Format.JSON, "protobuf": Format.PROTOBUF}
DEFAULT = "default"
FORMATS = "formats"
RULES = "rules"
PARAMETERS = "parameters"


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A named policy: what it sets for all formats, and what it sets for one.

    In one document the section of a format wins over ``default``.
    """

    name: str
    description: str = ""
    default: Section = field(default_factory=dict)
    formats: Mapping[Format, Section] = field(default_factory=dict)

    def sections(self, format_: Format) -> tuple[tuple[str, Section], ...]:
        """Return the sections that count for a format, the stronger one first, with their paths."""
        key = next(key for key, known in FORMAT_KEYS.items() if known is format_)
        return ((f"{FORMATS}.{key}", self.formats.get(format_, {})), (DEFAULT, self.default))
