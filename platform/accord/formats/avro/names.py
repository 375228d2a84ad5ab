"""Avro names: their parts, their grammar, and what a spelling means inside a namespace."""

from __future__ import annotations

from dataclasses import dataclass

from accord.formats.avro.model import Kind

# Names that a text may not use bare for a named type: Avro Java writes such a type in full.
RESERVED_NAMES = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Name:
    """A simple name and its namespace; None is the null namespace.

    An alias that names the null namespace from inside another has the namespace ``""``: it prints
    as ``.Name`` and equals no full name, as in Avro Java.
    """

    simple: str
    namespace: str | None = None

    @property
    def full(self) -> str:
        """The name with its namespace, dots between."""
        return self.simple if self.namespace is None else f"{self.namespace}.{self.simple}"

    def within(self, namespace: str | None) -> str:
        """Return the spelling used inside a namespace: simple where it lives there, else full."""
        is_bare = self.namespace is None or self.namespace == namespace
        return self.simple if is_bare and self.simple not in RESERVED_NAMES else self.full


def is_simple_name(text: str) -> bool:
    """Tell whether a text is a letter or underscore, then letters, digits and underscores (ASCII)."""
    return text.isascii() and text.isidentifier()  # Python's own names, and Avro's, within ASCII


def is_namespace(text: str) -> bool:
    """Tell whether every part between dots is a simple name; the empty text is the null namespace."""
    return not text or all(is_simple_name(part) for part in text.split("."))


def split_name(text: str, namespace: str | None) -> Name:
    """Return what a name means: with a dot it is full, else it lives in ``namespace``."""
    space, dot, simple = text.rpartition(".")
    return Name(simple, (space or None) if dot else namespace)


def split_alias(text: str, namespace: str | None) -> Name:
    """Return what an alias means for a type that lives in ``namespace``."""
    name = split_name(text, namespace)
    if name.namespace is None and namespace is not None:
        return Name(name.simple, "")
    return name
