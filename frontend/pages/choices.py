"""The versions that a drop-down offers: the newest, and what is chosen already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse

from frontend.pages.subjects import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope
    from frontend.pages.subject import SubjectHead

OFFERED: Final = 200


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """What is offered, newest first, out of how many; an address leads to the rest if there is one."""

    numbers: tuple[int, ...]
    total: int
    all_url: str


def offer_versions(scope: Scope, head: SubjectHead, numbers: Sequence[int], *chosen: int) -> VersionChoice:
    """Offer the newest of some versions, given oldest first, and those that are chosen."""
    offered = tuple(sorted({*numbers[-OFFERED:], *chosen}, reverse=True))
    is_cut = len(offered) < len(numbers)
    url = reverse("frontend:versions", args=[*place_of(scope), head.subject]) if is_cut else ""
    return VersionChoice(offered, len(numbers), url)
