"""Grants: their stored form, and what two lists of them have in common.

Stored as a list of objects ``{"namespaces": "*" | [id, …], "subjects": [selector, …], "actions":
[right, …]}``. There is no deny: what a principal may do is the sum of its grants, which keeps reviews
short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

from accord_server.kit.scope import EVERY_SUBJECT, Grant, SubjectSelector
from tenants.errors import InvalidGrant
from tenants.rights import ANONYMOUS, RIGHTS, SEEN_FROM_BELOW, Reach
from tenants.selectors import common, parse_selector, render_selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Json = dict[str, str | list[str]]

MAX_GRANTS: Final = 20
MAX_SELECTORS: Final = 50
MAX_NAMESPACES: Final = 100
EVERYWHERE: Final = "*"
_MEMBERS: Final = frozenset({"namespaces", "subjects", "actions"})


def parse_grants(raw: object) -> tuple[Grant, ...]:
    """Read the stored form, which may come from outside.

    Raises:
        InvalidGrant: With a JSON pointer to the first place that is wrong.
    """
    if not isinstance(raw, list) or not 0 < len(raw) <= MAX_GRANTS:
        raise InvalidGrant("", f"expected a list of 1 to {MAX_GRANTS} grants")
    return tuple(_parse_grant(f"/{index}", entry) for index, entry in enumerate(raw))


def render_grants(grants: Iterable[Grant]) -> list[Json]:
    """Write grants in the stored form."""
    return [
        {
            "namespaces": EVERYWHERE if grant.namespaces is None else sorted(map(str, grant.namespaces)),
            "subjects": [render_selector(selector) for selector in grant.subjects],
            "actions": sorted(grant.rights),
        }
        for grant in grants
    ]


def anonymous_grants(access: str, subjects: Iterable[str], namespace: UUID) -> tuple[Grant, ...]:
    """Return what callers without a token may do in a namespace; nothing that this release does not know."""
    selectors = tuple(one for text in subjects if (one := parse_selector(text)) is not None)
    if access not in ANONYMOUS or not selectors:
        return ()
    return spread([Grant(ANONYMOUS[access].rights, selectors, frozenset({namespace}))])


def spread(grants: Iterable[Grant]) -> tuple[Grant, ...]:
    """Give each right the reach it can have, so that grants can be compared.

    A right about a whole namespace ignores the subjects of its grant when those are all there are, and
    is lost when they are only a part, except for what one must see to find one's part. A right about
    the tenant is lost in a grant on some of its namespaces.
    """
    parts = (part for grant in grants for part in _parts(grant))
    return tuple(dict.fromkeys(part for part in parts if part.rights))


def intersect(left: Sequence[Grant], right: Sequence[Grant]) -> tuple[Grant, ...]:
    """Return grants that open exactly what both lists open."""
    shared = (_both(one, other) for one in spread(left) for other in spread(right))
    return tuple(dict.fromkeys(grant for grant in shared if grant is not None))


def first_missing(wanted: Iterable[Grant], held: Sequence[Grant]) -> str | None:
    """Return a right that the wanted grants open somewhere the held ones do not, if there is any.

    Each selector must lie in one held selector: grants that cover it only together do not count.
    """
    for grant in spread(wanted):
        for right in sorted(grant.rights):
            holders = [one for one in spread(held) if right in one.rights and _spans(one, grant)]
            if not all(any(_covers(one, selector) for one in holders) for selector in grant.subjects):
                return right
    return None


def _spans(holder: Grant, grant: Grant) -> bool:
    if holder.namespaces is None:
        return True
    return grant.namespaces is not None and grant.namespaces <= holder.namespaces


def _covers(holder: Grant, selector: SubjectSelector) -> bool:
    return any(common(one, selector) == (selector,) for one in holder.subjects)


def _parts(grant: Grant) -> Iterable[Grant]:
    of = {reach: frozenset(n for n in grant.rights if RIGHTS[n].reach is reach) for reach in Reach}
    is_whole = EVERY_SUBJECT in grant.subjects
    yield Grant(of[Reach.SUBJECT], grant.subjects, grant.namespaces)
    yield Grant(
        of[Reach.NAMESPACE] if is_whole else of[Reach.NAMESPACE] & SEEN_FROM_BELOW,
        namespaces=grant.namespaces,
    )
    is_tenant = is_whole and grant.namespaces is None
    yield Grant(of[Reach.TENANT] if is_tenant else of[Reach.TENANT] & SEEN_FROM_BELOW)


def _both(one: Grant, other: Grant) -> Grant | None:
    rights = one.rights & other.rights
    namespaces = _both_namespaces(one.namespaces, other.namespaces)
    if not rights or namespaces == frozenset():
        return None
    subjects = tuple(
        dict.fromkeys(both for a in one.subjects for b in other.subjects for both in common(a, b))
    )
    return Grant(rights, subjects, namespaces) if subjects else None


def _both_namespaces(one: frozenset[UUID] | None, other: frozenset[UUID] | None) -> frozenset[UUID] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _parse_grant(place: str, entry: object) -> Grant:
    if not isinstance(entry, dict) or entry.keys() - _MEMBERS:
        raise InvalidGrant(place, "expected an object of namespaces, subjects and actions")
    return Grant(
        rights=_parse_actions(f"{place}/actions", entry.get("actions")),
        subjects=_parse_subjects(f"{place}/subjects", entry.get("subjects", [EVERYWHERE])),
        namespaces=_parse_namespaces(f"{place}/namespaces", entry.get("namespaces", EVERYWHERE)),
    )


def _texts(place: str, raw: object, limit: int) -> list[str]:
    if not isinstance(raw, list) or not 0 < len(raw) <= limit or not all(isinstance(x, str) for x in raw):
        raise InvalidGrant(place, f"expected a list of 1 to {limit} strings")
    return raw


def _parse_actions(place: str, raw: object) -> frozenset[str]:
    names = _texts(place, raw, len(RIGHTS))
    for index, name in enumerate(names):
        if name not in RIGHTS:
            raise InvalidGrant(f"{place}/{index}", f"there is no right '{name}'")
    return frozenset(names)


def _parse_subjects(place: str, raw: object) -> tuple[SubjectSelector, ...]:
    selectors = []
    for index, text in enumerate(_texts(place, raw, MAX_SELECTORS)):
        selector = parse_selector(text)
        if selector is None:
            raise InvalidGrant(
                f"{place}/{index}", "expected a subject, a prefix ending in '*' or 'topic:name'"
            )
        selectors.append(selector)
    return tuple(dict.fromkeys(selectors))


def _parse_namespaces(place: str, raw: object) -> frozenset[UUID] | None:
    if raw == EVERYWHERE:
        return None
    ids = []
    for index, text in enumerate(_texts(place, raw, MAX_NAMESPACES)):
        try:
            ids.append(UUID(text))
        except ValueError:
            raise InvalidGrant(f"{place}/{index}", "expected the id of a namespace") from None
    return frozenset(ids)
