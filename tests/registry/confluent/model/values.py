"""What the model's registry is made of: contents, versions and what is sent.

Numbers in docstrings are sections of the specification that the dialect follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import md5
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from tests.registry.confluent.model.contracts import VERSION, Metadata, RuleSet

if TYPE_CHECKING:
    from tests.registry.confluent.model.sketches import Sketch

LATEST: Final = -1
# The name that the schema uses, subject and number.
Reference = tuple[str, str, int]


class Refused(Exception):
    """The call fails with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Content:
    """What has an id in a context: equal contents are one schema (2.2).

    ``meaning`` is the text as look-ups compare it; ``resolved`` is it with all that it refers to (2.4).
    """

    text: str
    format: str
    meaning: str = field(compare=False)
    whole: Sketch = field(compare=False)
    references: tuple[Reference, ...] = ()
    metadata: Metadata | None = None
    rule_set: RuleSet | None = None

    @property
    def properties(self) -> dict[str, str]:
        """The properties of the metadata."""
        return dict(self.metadata.properties) if self.metadata else {}

    @property
    def guid(self) -> str:
        """The identity that is the same everywhere (2.10)."""
        hashed = md5(self.text.encode(), usedforsecurity=False)
        for name, subject, number in self.references:
            hashed.update(name.encode() + subject.encode() + number.to_bytes(4, "big"))
        for part in (self.metadata, self.rule_set):
            hashed.update(part.hashed.encode() if part is not None else b"")
        return str(UUID(hashed.hexdigest()))

    @property
    def shown(self) -> dict[str, Any]:
        """The members that every answer has about it (1.1)."""
        members = {
            "guid": self.guid,
            "schemaType": self.format,
            "references": [
                {"name": name, "subject": one, "version": number} for name, one, number in self.references
            ],
            "metadata": self.metadata and self.metadata.shown,
            "ruleSet": self.rule_set and self.rule_set.shown,
        }
        return {**{name: value for name, value in members.items() if value}, "schema": self.text}

    def stands_for(self, other: Content, number: int) -> bool:
        """Tell whether a look-up of this is answered with another, which is version ``number`` (2.4)."""
        mine, theirs = self.properties, other.properties
        wanted, stored = mine.pop(VERSION, None), theirs.pop(VERSION, None)
        return (
            (wanted is None or wanted in {str(number), stored})
            and mine == theirs
            and _rest(self.metadata) == _rest(other.metadata)
            and (self.rule_set or RuleSet()) == (other.rule_set or RuleSet())
            and self._means(other)
        )

    def _means(self, other: Content) -> bool:
        if self.format != other.format:
            return False
        if self.references == other.references:
            return self.meaning == other.meaning
        is_written_out = self.format == "AVRO" and not self.references
        return is_written_out and self.whole.text(normalize=True) == other.whole.text(normalize=True)


def _rest(metadata: Metadata | None) -> Metadata:
    return replace(metadata or Metadata(), properties=())


@dataclass
class Version:
    """A place in a subject."""

    subject: str
    number: int
    id: int
    content: Content
    is_deleted: bool = False

    @property
    def shown(self) -> dict[str, Any]:
        """What reads and look-ups answer."""
        return {"subject": self.subject, **self.registered, "deleted": self.is_deleted}

    @property
    def registered(self) -> dict[str, Any]:
        """What a registration answers."""
        return {"version": self.number, "id": self.id, **self.content.shown}


@dataclass(frozen=True)
class Sent:
    """The body of a registration or look-up; ``sketch`` is None where only metadata or rules are sent."""

    sketch: Sketch | None
    references: tuple[Reference, ...] = ()
    metadata: Metadata | None = None
    rule_set: RuleSet | None = None
    version: int = 0
    id: int | None = None
    normalize: bool = False

    @property
    def body(self) -> dict[str, Any]:
        """What a client sends."""
        members: dict[str, Any] = {"version": self.version or None, "id": self.id}
        if self.sketch:
            members |= {"schema": self.sketch.text(), "schemaType": self.sketch.format}
        if self.references:
            members["references"] = [
                {"name": name, "subject": one, "version": number} for name, one, number in self.references
            ]
        for name, part in (("metadata", self.metadata), ("ruleSet", self.rule_set)):
            if part is not None:
                members[name] = part.shown
        return members


@dataclass(frozen=True)
class Amended:
    """The body of a change of rules and metadata of a version (1.9)."""

    metadata: Metadata | None = None
    rule_set: RuleSet | None = None
    merged: RuleSet | None = None
    dropped: tuple[str, ...] = ()
    version: int = 0

    @property
    def body(self) -> dict[str, Any]:
        """What a client sends."""
        parts = (("metadata", self.metadata), ("ruleSet", self.rule_set), ("rulesToMerge", self.merged))
        members: dict[str, Any] = {name: part.shown for name, part in parts if part is not None}
        return {**members, "rulesToRemove": list(self.dropped), "newVersion": self.version or None}
