"""From where a caller may come: networks that are let in, and networks that are not."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address

Network = IPv4Network | IPv6Network
LONGEST: Final = 50


@dataclass(frozen=True, slots=True)
class Networks:
    """Networks within which a caller must be, unless there are none, and outside of which."""

    within: tuple[Network, ...] = ()
    outside: tuple[Network, ...] = ()

    def admits(self, address: str | None) -> bool:
        """Tell whether a caller from there is let in; one whose address nobody knows is not."""
        found = _address(address)
        if found is None or _is_in(found, self.outside):
            return False
        return not self.within or _is_in(found, self.within)

    def spans(self, other: Networks) -> bool:
        """Tell whether every network that the other one names within lies within one of these."""
        return not self.within or all(
            any(one.version == wide.version and one.subnet_of(wide) for wide in self.within)  # type: ignore[arg-type]  # of one version
            for one in other.within
        )


def read_network(text: str) -> Network | None:
    """Read an address or a network in CIDR form; None for anything else, host bits set among it."""
    if len(text) > LONGEST or "%" in text:
        return None
    try:
        return ip_network(text)
    except ValueError:
        return None


def _address(text: str | None) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address((text or "").partition("%")[0])
    except ValueError:
        return None
    # A dual socket shows IPv4 callers in the form of IPv6.
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _is_in(address: IPv4Address | IPv6Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)
