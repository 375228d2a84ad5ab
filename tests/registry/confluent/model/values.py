"""What the model's registry is made of: records, contents, versions, and the names of subjects.

Numbers in docstrings are sections of the specification that the dialect follows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

Reference = tuple[str, int]
Metadata = tuple[tuple[str, str], ...]

DEFAULT: Final = "."
GLOBAL: Final = ".__GLOBAL"
VERSION: Final = "confluent:version"
LATEST: Final = -1


class Refused(Exception):
    """The call fails with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Sketch:
    """A record: its fields by name, with type and whether they have a default, and its attributes.

    The type of a field is ``int``, ``string``, the name of a referenced record, or that record.
    """

    name: str
    fields: tuple[tuple[str, Any, bool], ...]
    attributes: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """The compact text in the order that is stored (2.7)."""
        fields = [
            {"name": name, "type": kind, **({"default": 0} if has_default else {})}
            for name, kind, has_default in self.fields
        ]
        value = {"type": "record", "name": self.name, "fields": fields, **dict(self.attributes)}
        return json.dumps(value, separators=(",", ":"))

    @property
    def normalized(self) -> Sketch:
        """The same with its attributes in order (2.8); equal sketches mean the same (2.4)."""
        return replace(self, attributes=tuple(sorted(self.attributes)))

    def reads(self, writer: Sketch) -> bool:
        """Tell whether data of another record can be read by this one (5.2)."""
        written = {name: kind for name, kind, _ in writer.fields}
        return self.name == writer.name and all(
            _type_reads(kind, written[name]) if name in written else has_default
            for name, kind, has_default in self.fields
        )


def _type_reads(reader: Any, writer: Any) -> bool:
    if isinstance(reader, Sketch) and isinstance(writer, Sketch):
        return reader.reads(writer)
    return bool(reader == writer)


@dataclass(frozen=True)
class Content:
    """What has an id in a context: equal contents are one schema (2.2)."""

    sketch: Sketch
    references: tuple[Reference, ...] = ()
    metadata: Metadata | None = None

    @property
    def properties(self) -> dict[str, str]:
        """The properties of the metadata."""
        return dict(self.metadata or ())

    def stands_for(self, other: Content, number: int) -> bool:
        """Tell whether a look-up of this is answered with another, which is version ``number`` (2.4)."""
        mine, theirs = self.properties, other.properties
        wanted, stored = mine.pop(VERSION, None), theirs.pop(VERSION, None)
        return (
            (wanted is None or wanted in {str(number), stored})
            and mine == theirs
            and self.references == other.references
            and self.sketch.normalized == other.sketch.normalized
        )


@dataclass
class Version:
    """A place in a subject. ``whole`` is the record with what it refers to written out."""

    subject: str
    number: int
    id: int
    content: Content
    whole: Sketch
    is_deleted: bool = False


@dataclass(frozen=True)
class Sent:
    """The body of a registration or look-up."""

    sketch: Sketch
    references: tuple[Reference, ...] = ()
    metadata: Metadata | None = None
    version: int = 0
    id: int | None = None
    normalize: bool = False


def split(subject: str) -> tuple[str, str]:
    """Return context and name (2.1)."""
    if subject.startswith(":."):
        context, _, name = subject[1:].partition(":")
        return context, name
    return DEFAULT, subject


def join(context: str, name: str) -> str:
    """Return the one spelling of a subject."""
    return name if context == DEFAULT else f":{context}:{name}"
