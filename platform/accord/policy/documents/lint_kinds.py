"""The kinds of values under ``lint``: names of rules and categories, and what is said for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from accord.lint.table import known_names
from accord.policy.documents.kinds import Text, word
from accord.policy.documents.model import Pairs
from accord.policy.documents.problems import nearest, shown
from accord.policy.documents.source import Mapped

if TYPE_CHECKING:
    from accord.model import Severity
    from accord.policy.documents.kinds import Kind, Plain
    from accord.policy.documents.model import Setting
    from accord.policy.documents.problems import Problems
    from accord.policy.documents.source import Value

# A file or a folder by the path it is imported by; the root is not one, as nothing would be linted then.
PATH = Text(500, "the path of a file or folder, without '/' in front", form=r"(?!\.{1,2}/?$)[^/\s].*")
SUFFIX = Text(100, "an ending of at most 100 letters, digits and underscores", form=r"[A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class LintName:
    """The id of a lint rule, or a category."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a name."""
        text = word(value, problems, expected=self.words())
        if text is None or text in known_names():
            return text
        problems.add(value.place, f"there is no lint rule {shown(text)}; {nearest(text, known_names())}")
        return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the names."""
        return {"enum": [str(name) for name in known_names()]}

    def words(self) -> str:
        """Return what may be written."""
        return "the id of a lint rule, or a category"


@dataclass(frozen=True, slots=True)
class ByLintName:
    """An object with names of lint rules or categories, and a value for each."""

    item: Kind
    most: int = 200

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read the object."""
        if not isinstance(value, Mapped) or len(value.members) > self.most:
            problems.add(value.place, f"write an object with at most {self.most} names of lint rules")
            return None
        found: dict[str, tuple[str, ...] | Severity] = {}
        for name, inner in value.members.items():
            if name not in known_names():
                message = f"there is no lint rule {shown(name)}; {nearest(name, known_names())}"
                problems.add(value.keys[name], message)
            one = self.item.read(inner, problems)
            if one is not None:
                found[name] = cast("tuple[str, ...] | Severity", one)
        return Pairs(tuple(sorted(found.items(), key=lambda pair: pair[0])))

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of the object."""
        names = LintName().schema()
        return {"type": "object", "propertyNames": names, "additionalProperties": self.item.schema()}

    def words(self) -> str:
        """Return what may be written."""
        return f"an object by lint rule or category; each: {self.item.words()}"
