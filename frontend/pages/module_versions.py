"""The versions of a module, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from frontend.pages.life import shown_state
from frontend.pages.modules import module_url
from frontend.pages.paging import PAGE_SIZE, make_pager
from registry.records import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope
    from frontend.pages.life import ShownState
    from frontend.pages.modules import ModuleHead
    from frontend.pages.paging import Pager
    from registry.module_records import ModuleVersionRow


@dataclass(frozen=True, slots=True)
class VersionItem:
    """One version; ``diff_url`` is empty for the first."""

    row: ModuleVersionRow
    url: str
    diff_url: str
    digest: str
    life_url: str
    state: ShownState


@dataclass(frozen=True, slots=True)
class ModuleVersionsPage:
    """One page of the list."""

    head: ModuleHead
    items: tuple[VersionItem, ...]
    pager: Pager


def module_versions_page(
    scope: Scope, head: ModuleHead, rows: Sequence[ModuleVersionRow], *, number: int
) -> ModuleVersionsPage:
    """Make a page of the versions, which are given oldest first."""
    first = (number - 1) * PAGE_SIZE
    before = {one.number: other.number for other, one in pairwise(rows)}
    items = tuple(
        VersionItem(
            one,
            module_url(scope, one.module, v=one.number),
            _diff(scope, one, before.get(one.number, 0)),
            one.digest.hex()[:12],
            module_url(scope, one.module, "module-life", v=one.number),
            shown_state(one.life.state),
        )
        for one in rows[::-1][first : first + PAGE_SIZE]
    )
    page = Page(items, len(rows), number, PAGE_SIZE)
    return ModuleVersionsPage(
        head,
        items,
        make_pager(
            page,
            lambda at: module_url(scope, head.module, "module-versions", page=at if at > 1 else ""),
        ),
    )


def _diff(scope: Scope, one: ModuleVersionRow, before: int) -> str:
    asked = {"from": before, "to": one.number}
    return module_url(scope, one.module, "module-diff", **asked) if before else ""
