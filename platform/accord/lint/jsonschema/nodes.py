"""What lint rules of JSON Schema look at: a schema inside the text, and where it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.formats.jsonschema.keywords import is_object_schema
from accord.lint.hits import Hit

if TYPE_CHECKING:
    from accord.formats.jsonschema.keywords import Members


@dataclass(frozen=True, slots=True)
class SchemaNode:
    """One schema object; ``root`` is the one around all of them."""

    path: tuple[str, ...]
    members: Members
    root: Members

    @property
    def is_object(self) -> bool:
        """Whether it speaks of objects."""
        return is_object_schema(self.members)

    @property
    def properties(self) -> Members:
        """Its properties by name."""
        found = self.members.get("properties")
        return found if isinstance(found, dict) else {}

    @property
    def required(self) -> list[str]:
        """The names that must be there."""
        found = self.members.get("required")
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    def hit(self, message: str, *steps: str) -> Hit:
        """Return a hit at the schema, or at what steps lead to from there."""
        return Hit(message, (*self.path, *steps))


@dataclass(frozen=True, slots=True)
class RootNode(SchemaNode):
    """The whole schema; ``unclosed`` are the steps to its objects that are not closed."""

    unclosed: tuple[tuple[str, ...], ...] = ()
