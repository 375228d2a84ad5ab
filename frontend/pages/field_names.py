"""The names of fields of a tenant: what types they have, where, and where they do not agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accord.discovery.query import Condition, Operator
from accord.naming import parse_subject
from frontend.pages.subject import TabLink

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.discovery_records import FieldName, FieldNames, FieldPlace, FieldType

PART: Final = 50
LONGEST: Final = 200
# Names that no address can end in.
NOWHERE: Final = frozenset(("", ".", ".."))


@dataclass(frozen=True, slots=True)
class NamesQuery:
    """What an address asks for: how names begin, whether those in conflict alone, behind which name."""

    beginning: str = ""
    conflicts: bool = False
    after: str = ""


@dataclass(frozen=True, slots=True)
class NameItem:
    """A name with the address of its page."""

    found: FieldName
    url: str


@dataclass(frozen=True, slots=True)
class NamesPage:
    """The list of names."""

    tabs: tuple[TabLink, ...]
    query: NamesQuery
    url: str
    refusal: str = ""
    kinds: tuple[TabLink, ...] = ()
    items: tuple[NameItem, ...] = ()
    more: str = ""


@dataclass(frozen=True, slots=True)
class PlaceItem:
    """A field of a subject with the address of that."""

    place: FieldPlace
    url: str


@dataclass(frozen=True, slots=True)
class TypeItem:
    """A type with the first subjects whose fields have it; ``hidden`` are more."""

    use: FieldType
    places: tuple[PlaceItem, ...]
    hidden: int


@dataclass(frozen=True, slots=True)
class NamePage:
    """One name with its types; ``search_url`` finds all fields of that name."""

    tabs: tuple[TabLink, ...]
    found: FieldName
    types: tuple[TypeItem, ...]
    list_url: str
    search_url: str


def read_names_query(given: dict[str, str], place: str = "") -> NamesQuery:
    """Read an address within bounds, with the place that it holds."""
    beginning = given.get("q", "").replace("\0", "")[:LONGEST]
    return NamesQuery(beginning, given.get("conflicts") == "true", place)


def names_page(
    scope: Scope,
    query: NamesQuery,
    *,
    tabs: tuple[TabLink, ...],
    found: FieldNames | None = None,
    more: str = "",
    refusal: str = "",
) -> NamesPage:
    """Make the list of names; ``more`` is where it goes on."""
    url = reverse("frontend:fields", args=[scope.tenant.slug])
    kinds = tuple(
        TabLink(label, _address(url, replace(query, conflicts=one, after="")), query.conflicts is one)
        for one, label in ((False, _("All names")), (True, _("Conflicts")))
    )
    if found is None:
        return NamesPage(tabs, query, url, refusal, kinds)
    items = tuple(NameItem(one, _url(scope, one.name)) for one in found.names)
    more = _address(url, replace(query, after=more)) if more else ""
    return NamesPage(tabs, query, url, kinds=kinds, items=items, more=more)


def _address(url: str, query: NamesQuery) -> str:
    values = {
        "q": query.beginning,
        "conflicts": "true" if query.conflicts else "",
        "after": query.after,
    }
    kept = urlencode({name: value for name, value in values.items() if value})
    return f"{url}?{kept}" if kept else url


def name_page(scope: Scope, found: FieldName, *, tabs: tuple[TabLink, ...]) -> NamePage:
    """Make the page of one name."""
    condition = Condition(Operator.FIELD, found.key).spelled
    asked = urlencode({"q": condition, "kind": "field"} if found.types else {"q": found.name})
    search = reverse("frontend:search", args=[scope.tenant.slug])
    return NamePage(
        tabs=tabs,
        found=found,
        types=tuple(_type(scope, one) for one in found.types),
        list_url=reverse("frontend:fields", args=[scope.tenant.slug]),
        search_url=f"{search}?{asked}",
    )


def _type(scope: Scope, use: FieldType) -> TypeItem:
    places = tuple(
        PlaceItem(
            one,
            reverse(
                "frontend:definition", args=[scope.tenant.slug, one.namespace, parse_subject(one.subject)]
            ),
        )
        for one in use.places
    )
    return TypeItem(use, places, use.subjects - len(places))


def _url(scope: Scope, name: str) -> str:
    return "" if name in NOWHERE else reverse("frontend:field", args=[scope.tenant.slug, name])
