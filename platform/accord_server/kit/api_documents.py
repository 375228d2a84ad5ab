"""The OpenAPI documents of all dialects, for whoever shows or hands them out.

A room registers those of its dialects; making one takes a while, so that is done when one is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ApiDocument:
    """The document of one dialect: its name in addresses, and what makes it."""

    name: str
    load: Callable[[], Json]


_documents: dict[str, ApiDocument] = {}


def register(document: ApiDocument) -> None:
    """Show a document; they are shown in the order in which they were first registered."""
    _documents[document.name] = document


def api_documents() -> tuple[ApiDocument, ...]:
    """Return all of them."""
    return tuple(_documents.values())
