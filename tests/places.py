"""Places in lists, sealed as an answer to somebody would say them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord_server.kit.sealed_places import seal

if TYPE_CHECKING:
    from tests.cast import Actor


def place(actor: Actor, listing: str, where: str) -> str:
    """Seal a place in the list at a path."""
    return seal(actor.tenant.id, listing.partition("?")[0], where)
