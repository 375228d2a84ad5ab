"""References between their stored form and the one that leaves the room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.model import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable


def references_of(stored: Iterable[list[Any]]) -> tuple[Reference, ...]:
    """Return references from their stored form, a list of triples."""
    return tuple(Reference(name, subject, version) for name, subject, version in stored)


def references_to_store(references: Iterable[Reference]) -> list[list[Any]]:
    """Return the stored form of references."""
    return [[one.name, one.subject, one.version] for one in references]
