"""The search of a tenant: what was asked for, what was found, and the ways to ask for less or for more."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accord.discovery.query import HISTORY, MEANINGS, Condition, Operator, Search
from accord.naming import parse_subject
from frontend.pages.subject import TabLink
from registry.discovery_records import HitKind, Nearness, read_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord_server.kit.scope import Scope
    from frontend.pages.shell import Label
    from registry.discovery_records import Found, Hit, Place

PART: Final = 50
KINDS: Final[tuple[tuple[HitKind, Label], ...]] = (
    (HitKind.ALL, _("All")),
    (HitKind.SUBJECTS, _("Subjects")),
    (HitKind.FIELDS, _("Fields")),
    (HitKind.TYPES, _("Types")),
    (HitKind.DOCS, _("Documentation")),
)
FACETS: Final[tuple[tuple[Operator, Label], ...]] = (
    (Operator.FORMAT, _("Format")),
    (Operator.NS, _("Namespace")),
    (Operator.TYPE, _("Type")),
    (Operator.LOGICAL, _("Logical type")),
    (Operator.TAG, _("Tag")),
    (Operator.OWNER, _("Owner")),
    (Operator.COMPAT, _("Compatibility")),
    (Operator.UPDATED, _("Updated")),
)
SHOWN_VALUES: Final = 8
SUGGESTED: Final = 3
ELSEWHERE: Final[tuple[tuple[Label, Operator, str], ...]] = (
    (_("Search older versions"), Operator.IN, HISTORY),
    (_("Search what is deleted"), Operator.STATE, "deleted"),
)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What an address asks for; ``after`` is the place after which the list goes on."""

    text: str
    kind: HitKind = HitKind.ALL
    after: Place | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a name; those that answer the search are marked."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """A condition, and the address of the search without it."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value with how many hits have it, and the address of the search for those alone."""

    value: str
    count: int
    url: str


@dataclass(frozen=True, slots=True)
class Facet:
    """The most frequent values of one kind."""

    label: Label
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A hit; its pieces are those of its way."""

    hit: Hit
    pieces: tuple[Piece, ...]
    url: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The whole page; ``found`` is None where nothing was asked for, or nothing that could be read."""

    tabs: tuple[TabLink, ...]
    query: SearchQuery
    url: str
    refusal: str = ""
    found: Found | None = None
    kinds: tuple[TabLink, ...] = ()
    chips: tuple[Chip, ...] = ()
    facets: tuple[Facet, ...] = ()
    items: tuple[Item, ...] = ()
    more: str = ""
    elsewhere: tuple[TabLink, ...] = ()
    suggestions: tuple[TabLink, ...] = ()
    left_out: tuple[FacetValue, ...] = ()
    api_path: str = ""
    command: str = ""
    operators: tuple[tuple[str, str], ...] = tuple((str(one), text) for one, text in MEANINGS.items())


def read_search_query(given: dict[str, str], place: str = "") -> SearchQuery:
    """Read an address within bounds, with the place that it holds; nonsense beside the text means nothing."""
    kind = given.get("kind", "")
    is_kind = kind in set(HitKind)
    return SearchQuery(given.get("q", ""), HitKind(kind) if is_kind else HitKind.ALL, read_place(place))


def search_page(
    scope: Scope,
    query: SearchQuery,
    *,
    tabs: tuple[TabLink, ...],
    search: Search | None = None,
    found: Found | None = None,
    refusal: str = "",
) -> SearchPage:
    """Make the page of what was found, or of why nothing was looked for."""
    url = reverse("frontend:search", args=[scope.tenant.slug])
    if search is None or found is None:
        return SearchPage(tabs, query, url, refusal)
    return SearchPage(
        tabs=tabs,
        query=query,
        url=url,
        found=found,
        kinds=tuple(_kinds(url, query, search, found)),
        chips=tuple(_chip(url, query, search, one) for one in search.conditions),
        facets=tuple(_facets(url, query, search, found)),
        items=tuple(_item(scope, search, hit) for hit in found.hits),
        elsewhere=tuple(_elsewhere(url, query, search)),
        suggestions=tuple(_suggestions(url, query, search, found)),
        api_path=address_of(f"/api/v1/tenants/{scope.tenant.slug}/search", query),
    )


def command_of(query: SearchQuery, registry_url: str) -> str:
    """Return the command that does the same; any namespace tells the tenant."""
    kind = f" --kind {query.kind}" if query.kind else ""
    return f"accord search {shlex.quote(query.text)}{kind} --url {registry_url}"


def left_out_of(
    page: SearchPage, search: Search, counted: Iterable[tuple[Condition, int]]
) -> tuple[FacetValue, ...]:
    """Return the conditions that are in the way with how many hits they hide."""
    chips = ((_chip(page.url, page.query, search, one), count) for one, count in counted)
    return tuple(FacetValue(chip.text, count, chip.url) for chip, count in chips)


def _suggestions(url: str, query: SearchQuery, search: Search, found: Found) -> Iterable[TabLink]:
    """Yield searches for the names of the hits, where all of those are only spelled alike."""
    if len(search.words) != 1 or not found.hits or found.hits[0].nearness is not Nearness.SIMILAR:
        return
    names = dict.fromkeys(hit.name for hit in found.hits)
    for name in list(names)[:SUGGESTED]:
        text = " ".join((name, *(one.spelled for one in search.conditions)))
        yield TabLink(name, address_of(url, SearchQuery(text, query.kind)), is_here=False)


def _latest(search: Search) -> str:
    """Return the search among the latest versions."""
    kept = [one.spelled for one in search.conditions if one.operator is not Operator.IN]
    return " ".join((*_plain(search), *kept))


def _elsewhere(url: str, query: SearchQuery, search: Search) -> Iterable[TabLink]:
    """Yield the searches that may find what this one does not."""
    for label, operator, value in ELSEWHERE:
        if not search.of(operator):
            text = f"{query.text} {Condition(operator, value).spelled}"
            yield TabLink(label, address_of(url, SearchQuery(text)), is_here=False)


def _kinds(url: str, query: SearchQuery, search: Search, found: Found) -> Iterable[TabLink]:
    """Yield the tabs: kinds of hits, and what only older versions have."""
    latest = _latest(search)
    for kind, label in KINDS:
        count = None if kind is HitKind.ALL or search.is_past else found.counts[kind]
        is_here = kind is query.kind and not search.is_past
        yield TabLink(label, address_of(url, SearchQuery(latest, kind)), is_here, count)
    past = f"{latest} {Condition(Operator.IN, HISTORY).spelled}"
    yield TabLink(_("Older versions"), address_of(url, SearchQuery(past)), search.is_past)


def _chip(url: str, query: SearchQuery, search: Search, without: Condition) -> Chip:
    kept = [one.spelled for one in search.conditions if one != without]
    text = " ".join((*_plain(search), *kept))
    return Chip(without.spelled, address_of(url, SearchQuery(text, query.kind)))


def _facets(url: str, query: SearchQuery, search: Search, found: Found) -> Iterable[Facet]:
    for operator, label in FACETS:
        values = [
            FacetValue(
                value, count, address_of(url, SearchQuery(_narrowed(query, operator, value), query.kind))
            )
            for value, count in found.facets.get(operator, {}).items()
            if value.lower() not in search.of(operator)
        ]
        if values:
            yield Facet(label, tuple(values[:SHOWN_VALUES]))


def _narrowed(query: SearchQuery, operator: Operator, value: str) -> str:
    """Return the search with one more condition; marks that end a value cannot be in one."""
    return f"{query.text} {Condition(operator, value.replace(chr(34), '').strip('*')).spelled}"


def _plain(search: Search) -> tuple[str, ...]:
    """Return what was asked for without operators."""
    if search.schema_id is not None:
        return (str(search.schema_id),)
    return tuple(one for one in (search.fingerprint, search.way) if one) or search.words


def _item(scope: Scope, search: Search, hit: Hit) -> Item:
    args = [scope.tenant.slug, hit.namespace, parse_subject(hit.subject)]
    url = reverse("frontend:definition", args=args) if not hit.is_deleted else ""
    named = [value.strip("*") for value in search.of(Operator.FIELD)]
    return Item(hit, tuple(pieces(hit.path, (*_plain(search), *named))), url)


def pieces(text: str, wanted: Iterable[str]) -> Iterable[Piece]:
    """Yield a text in pieces, what is wanted marked at its last place: names are at the end of ways."""
    places = [(text.lower().rfind(one), len(one)) for one in wanted if one]
    at, length = max(places, key=lambda place: (place[0] >= 0, place[1]), default=(-1, 0))
    if at < 0:
        yield Piece(text)
        return
    cut = ((text[:at], False), (text[at : at + length], True), (text[at + length :], False))
    yield from (Piece(part, is_marked) for part, is_marked in cut if part)


def address_of(url: str, query: SearchQuery, *, after: str = "") -> str:
    """Return the address of a search, or of the part of its hits after a place."""
    given = {"q": query.text, "kind": query.kind.value, "after": after}
    return f"{url}?{urlencode({name: value for name, value in given.items() if value})}"
