"""The modules of descriptor sets in a namespace, and what all pages of one module share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from frontend.pages.choices import OFFERED, VersionChoice
from frontend.pages.paging import make_pager
from frontend.pages.shell import Crumb, Frame, crumbs_to
from frontend.pages.subject import TabLink
from frontend.pages.subjects import Empty, SubjectsQuery, place_of
from registry.queries.modules import READ, module_name
from registry.services.module_verdicts import usable_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from accord_server.kit.scope import Scope
    from frontend.pages.paging import Pager
    from frontend.pages.shell import Label
    from registry.module_records import ModuleRow, ModuleVersionRow
    from registry.records import Page

TABS: Final[tuple[tuple[str, Label], ...]] = (
    ("module", _("Contents")),
    ("module-versions", _("Versions")),
    ("module-diff", _("Compare")),
    ("module-life", _("Life")),
)


@dataclass(frozen=True, slots=True)
class ModuleItem:
    """One row of the list."""

    row: ModuleRow
    url: str


@dataclass(frozen=True, slots=True)
class ModulesPage:
    """The list of modules."""

    tabs: tuple[TabLink, ...]
    query: SubjectsQuery
    url: str
    items: tuple[ModuleItem, ...]
    pager: Pager
    empty: Empty
    registry_url: str


@dataclass(frozen=True, slots=True)
class ModuleHead:
    """The head of every page of one module."""

    module: str
    latest: int
    versions: int
    updated_at: datetime
    tabs: tuple[TabLink, ...]


def modules_page(
    scope: Scope,
    query: SubjectsQuery,
    found: Page[ModuleRow],
    *,
    tabs: tuple[TabLink, ...],
    registry_url: str,
) -> ModulesPage:
    """Make the list of the modules that a search found."""
    return ModulesPage(
        tabs=tabs,
        query=query,
        url=reverse("frontend:modules", args=place_of(scope)),
        items=tuple(ModuleItem(row, module_url(scope, row.name)) for row in found.rows),
        pager=make_pager(found, query.address),
        empty=_why_empty(scope, query, found),
        registry_url=registry_url,
    )


def module_head(scope: Scope, rows: Sequence[ModuleVersionRow], *, tab: str) -> ModuleHead:
    """Make the head of a module from its versions, oldest first."""
    latest = shown_latest(rows)
    return ModuleHead(
        module=latest.module,
        latest=latest.number,
        versions=len(rows),
        updated_at=latest.created_at,
        tabs=tuple(
            TabLink(
                label,
                module_url(scope, latest.module, route),
                route == tab,
                len(rows) if route == "module-versions" else None,
            )
            for route, label in TABS
        ),
    )


def shown_latest(rows: Sequence[ModuleVersionRow]) -> ModuleVersionRow:
    """Return the latest version; where all are disabled, the newest of those."""
    return (usable_of(rows) or rows)[-1]


def module_frame(scope: Scope, module: str, title: Label) -> Frame:
    """Return the frame of a page of one module."""
    way = Crumb(_("Modules"), reverse("frontend:modules", args=place_of(scope)))
    return Frame(title, crumbs_to(*place_of(scope), way, Crumb(module)))


def module_url(scope: Scope, module: str, route: str = "module", /, **query: str | int) -> str:
    """Return the address of a page of one module."""
    asked = {name: value for name, value in query.items() if value}
    address = reverse(f"frontend:{route}", args=[*place_of(scope), module])
    return f"{address}?{urlencode(asked)}" if asked else address


def offer_module_versions(scope: Scope, rows: Sequence[ModuleVersionRow], *chosen: int) -> VersionChoice:
    """Offer the newest versions, given oldest first, and those that are chosen."""
    numbers = [one.number for one in rows]
    offered = tuple(sorted({*numbers[-OFFERED:], *chosen}, reverse=True))
    is_cut = len(offered) < len(numbers)
    url = module_url(scope, rows[-1].module, "module-versions") if is_cut else ""
    return VersionChoice(offered, len(numbers), url)


def _why_empty(scope: Scope, query: SubjectsQuery, found: Page[ModuleRow]) -> Empty:
    if found.rows:
        return Empty.NOT
    if found.total:
        return Empty.PAST_END
    if query.text:
        return Empty.FILTER
    return Empty.FIRST_RUN if scope.may(READ, module_name("")) or scope.may(READ) else Empty.PERMISSION
