"""Conditions of a token: when it counts. Stored as ``{"networks": {"in": […], "not_in": […]}}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.networks import Networks, read_network
from tenants.errors import InvalidDetail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.networks import Network

NETWORKS: Final = "networks"
WITHIN: Final = "in"
OUTSIDE: Final = "not_in"
MAX_NETWORKS: Final = 50


def parse_conditions(raw: object) -> Networks | None:
    """Read the stored form, which may come from outside; None where there is no condition.

    Raises:
        InvalidDetail: With a JSON pointer to the first place that is wrong.
    """
    if not isinstance(raw, dict) or raw.keys() - {NETWORKS}:
        raise InvalidDetail("/conditions", f"expected an object with the member {NETWORKS}")
    if not raw:
        return None
    given = raw[NETWORKS]
    place = f"/conditions/{NETWORKS}"
    if not isinstance(given, dict) or given.keys() - {WITHIN, OUTSIDE}:
        raise InvalidDetail(place, f"expected an object of the lists {WITHIN} and {OUTSIDE}")
    within, outside = (tuple(_networks(f"{place}/{name}", given.get(name, []))) for name in (WITHIN, OUTSIDE))
    return Networks(within, outside) if within or outside else None


def render_conditions(networks: Networks | None) -> dict[str, Any]:
    """Write conditions in the stored form."""
    if networks is None:
        return {}
    return {NETWORKS: {WITHIN: [*map(str, networks.within)], OUTSIDE: [*map(str, networks.outside)]}}


def _networks(place: str, given: object) -> Iterator[Network]:
    if not isinstance(given, list) or len(given) > MAX_NETWORKS:
        raise InvalidDetail(place, f"expected a list of at most {MAX_NETWORKS} networks")
    for index, text in enumerate(given):
        network = read_network(text) if isinstance(text, str) else None
        if network is None:
            raise InvalidDetail(f"{place}/{index}", "expected an address or a network such as 10.0.0.0/8")
        yield network
