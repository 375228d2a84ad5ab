"""Conditions of a token: when it counts.

Stored as ``{"networks": {"in": […], "not_in": […]}, "clients": […], "pace": {"owner": …, "per_second": …}}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.clients import CLASSES
from accord_server.kit.networks import Networks, read_network
from accord_server.kit.scope import Pace
from tenants.errors import InvalidDetail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.networks import Network

NETWORKS: Final = "networks"
WITHIN: Final = "in"
OUTSIDE: Final = "not_in"
CLIENTS: Final = "clients"
PACE: Final = "pace"
MAX_NETWORKS: Final = 50
MAX_PACE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Conditions:
    """From where a token counts, for which classes of clients (none for all), and how often in a second."""

    networks: Networks | None = None
    clients: frozenset[str] = frozenset()
    pace: Pace | None = None


def parse_conditions(raw: object) -> Conditions:
    """Read the stored form, which may come from outside.

    Raises:
        InvalidDetail: With a JSON pointer to the first place that is wrong.
    """
    if not isinstance(raw, dict) or raw.keys() - {NETWORKS, CLIENTS, PACE}:
        raise InvalidDetail("/conditions", f"expected an object with {NETWORKS}, {CLIENTS} and {PACE}")
    return Conditions(_read_networks(raw), _read_clients(raw), _read_pace(raw))


def render_conditions(conditions: Conditions) -> dict[str, Any]:
    """Write conditions in the stored form."""
    networks, pace = conditions.networks, conditions.pace
    stored: dict[str, Any] = {}
    if networks is not None:
        stored[NETWORKS] = {
            WITHIN: [*map(str, networks.within)],
            OUTSIDE: [*map(str, networks.outside)],
        }
    if conditions.clients:
        stored[CLIENTS] = sorted(conditions.clients)
    if pace is not None:
        stored[PACE] = pace._asdict()
    return stored


def _read_networks(raw: dict[str, Any]) -> Networks | None:
    if NETWORKS not in raw:
        return None
    given, place = raw[NETWORKS], f"/conditions/{NETWORKS}"
    if not isinstance(given, dict) or given.keys() - {WITHIN, OUTSIDE}:
        raise InvalidDetail(place, f"expected an object of the lists {WITHIN} and {OUTSIDE}")
    within, outside = (tuple(_networks(f"{place}/{name}", given.get(name, []))) for name in (WITHIN, OUTSIDE))
    return Networks(within, outside) if within or outside else None


def _read_clients(raw: dict[str, Any]) -> frozenset[str]:
    given = raw.get(CLIENTS, [])
    if not isinstance(given, list) or not all(one in CLASSES for one in given):
        raise InvalidDetail(f"/conditions/{CLIENTS}", f"expected a list of some of {', '.join(CLASSES)}")
    return frozenset(given)


def _read_pace(raw: dict[str, Any]) -> Pace | None:
    if PACE not in raw:
        return None
    match raw[PACE]:
        case {"owner": str(owner), "per_second": int(number)} if 0 < number <= MAX_PACE:
            return Pace(owner, number)
    raise InvalidDetail(f"/conditions/{PACE}", f"expected whose it is, and a number from 1 to {MAX_PACE}")


def _networks(place: str, given: object) -> Iterator[Network]:
    if not isinstance(given, list) or len(given) > MAX_NETWORKS:
        raise InvalidDetail(place, f"expected a list of at most {MAX_NETWORKS} networks")
    for index, text in enumerate(given):
        network = read_network(text) if isinstance(text, str) else None
        if network is None:
            raise InvalidDetail(f"{place}/{index}", "expected an address or a network such as 10.0.0.0/8")
        yield network
