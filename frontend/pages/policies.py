"""The policies of a tenant: each with its newest version, who changed it last and why, where it is bound."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from frontend.pages.binding_places import place_words
from frontend.pages.origins import policy_url
from frontend.pages.tabs import tenant_tabs
from registry.queries.policies import WRITE
from tenants.access import may_in_tenant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord_server.kit.paging import Batch
    from accord_server.kit.scope import Scope
    from frontend.pages.subject import TabLink
    from registry.policy_records import BindingRecord, PolicyRow

PAGE_SIZE: Final = 50
# More places than this are only counted.
SHOWN_PLACES: Final = 3


@dataclass(frozen=True, slots=True)
class PolicyItem:
    """One row of the list."""

    row: PolicyRow
    url: str
    places: tuple[str, ...]
    further: int


@dataclass(frozen=True, slots=True)
class PoliciesPage:
    """The whole page; addresses are empty where there is nothing, or nothing that one may do."""

    tenant: str
    tabs: tuple[TabLink, ...]
    items: tuple[PolicyItem, ...]
    new_url: str
    first_url: str
    next_url: str
    templates: tuple[str, ...]


def policies_page(
    scope: Scope,
    found: Batch[PolicyRow],
    bound: Iterable[BindingRecord],
    *,
    after: str,
    templates: Iterable[str],
) -> PoliciesPage:
    """Make the page of one part of the list."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for one in bound:
        places[one.policy].append(place_words(one))
    url = reverse("frontend:policies", args=[scope.tenant.slug])
    may_write = may_in_tenant(scope, WRITE)
    return PoliciesPage(
        tenant=scope.tenant.slug,
        tabs=tenant_tabs(scope, "policies"),
        items=tuple(
            PolicyItem(
                row,
                policy_url(scope, row.name),
                tuple(places[row.name][:SHOWN_PLACES]),
                max(0, len(places[row.name]) - SHOWN_PLACES),
            )
            for row in found.rows
        ),
        new_url=reverse("frontend:policy-new", args=[scope.tenant.slug]) if may_write else "",
        first_url=url if after else "",
        next_url=f"{url}?{urlencode({'after': found.after})}" if found.after else "",
        templates=tuple(templates) if may_write else (),
    )
