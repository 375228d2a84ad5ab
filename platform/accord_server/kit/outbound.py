"""Calls to addresses that tenants name: never into a network of ours, unless the operator says so.

A name is resolved once, every address behind it is judged, and the connection goes to the one that was
judged: who answers another address a moment later gains nothing. Redirects are not followed.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from accord_server.kit.configuration import configured
from accord_server.kit.settings_table import WEBHOOK_NETWORKS, WEBHOOK_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    IpAddress = IPv4Address | IPv6Address

LONGEST: Final = 2000
LATE: Final = "there was no answer in time"
PORTS: Final = {"https": 443, "http": 80}
# IPv6 addresses that stand for one of IPv4, which is what counts.
TRANSLATED: Final = IPv6Network("64:ff9b::/96")


# Names of a network of ours are nobody's business: whether there is one, or none, is told in the same words.
NOWHERE: Final = (
    "The host of the address is not known, or lies in a private network, which this installation does not let"
    " webhooks call; its operator may allow it by ACCORD_WEBHOOK_NETWORKS."
)


class Refused(Exception):
    """An address that is not called; the message is a sentence for whoever named it."""


class Unreachable(Exception):
    """Nobody answered; the message says how."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address taken apart; ``target`` is its path and query."""

    scheme: str
    host: str
    port: int
    target: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the status, after how many milliseconds. What else was said is not read."""

    status: int
    milliseconds: int


def place_of(url: str) -> Place:
    """Take an address apart.

    Raises:
        Refused: It is none that could be called.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("The address is not a URL.") from None
    if len(url) > LONGEST or not url.isascii() or any(letter <= " " for letter in url):
        raise Refused(f"The address has at most {LONGEST} characters, ASCII alone and no blanks.")
    if parts.scheme not in PORTS or not parts.hostname:
        raise Refused("The address starts with https:// and names a host.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise Refused("The address holds no user, no password and no fragment: calls are signed instead.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(parts.scheme, parts.hostname, port or PORTS[parts.scheme], target)


def address_of(place: Place) -> str:
    """Resolve the host of a place; return the IP address to call.

    Raises:
        Refused: It has no address, or one that is private and not among those allowed, or is not spoken to in
            clear.
    """
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(NOWHERE) from None
    addresses = [str(one[4][0]) for one in found]
    for address in addresses:
        _judge(place, address)
    return addresses[0]


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    """Send a body; return what was answered, a redirect among it.

    Raises:
        Refused: As `place_of` and `address_of`.
        Unreachable: There was no answer in time, or none that is HTTP.
    """
    place = place_of(url)
    connection = _Pinned(place, address_of(place), configured(WEBHOOK_TIMEOUT))
    begin = time.monotonic()
    try:
        with connection.deadline():
            connection.request("POST", place.target, body, dict(headers))
            status = connection.getresponse().status
    except TimeoutError:
        raise Unreachable(LATE) from None
    except ssl.SSLCertVerificationError as reason:
        raise Unreachable(f"its certificate is not trusted: {reason.verify_message}") from None
    except (OSError, http.client.HTTPException) as reason:
        if connection.is_late:
            raise Unreachable(LATE) from None
        raise Unreachable(f"the connection failed: {type(reason).__name__}") from None
    finally:
        connection.close()
    if connection.is_late:  # what ended in the middle may look like an answer
        raise Unreachable(LATE)
    return Reply(status, round((time.monotonic() - begin) * 1000))


class _Pinned(http.client.HTTPConnection):
    """A connection to one IP address, made and verified as to the host that it was resolved from."""

    def __init__(self, place: Place, address: str, seconds: float) -> None:
        super().__init__(place.host, place.port, timeout=seconds)
        self._place = place
        self._address = address
        self.is_late = False

    def connect(self) -> None:
        """Connect to the address, and speak TLS with the host."""
        sock = socket.create_connection((self._address, self._place.port), self.timeout)
        self.sock = sock
        if self._place.scheme == "https":
            self.sock = ssl.create_default_context().wrap_socket(sock, server_hostname=self._place.host)
            if self.is_late:  # the deadline ended the plain socket, and would not come again for this one
                raise TimeoutError

    def deadline(self) -> _Timer:
        """Return a context in which everything together takes no longer than one wait may."""
        return _Timer(float(self.timeout or 0), self._end)

    def _end(self) -> None:
        self.is_late = True
        with suppress(OSError):  # it has ended just now
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)


class _Timer(threading.Timer):
    """A timer that runs while its block does."""

    def __enter__(self) -> None:
        self.daemon = True
        self.start()

    def __exit__(self, *_error: object) -> None:
        self.cancel()


def _judge(place: Place, text: str) -> None:
    address = _meant(ip_address(text.partition("%")[0]))
    if any(address in network for network in configured(WEBHOOK_NETWORKS)):
        return
    if not address.is_global or address.is_multicast or address.is_reserved:
        raise Refused(NOWHERE)
    if place.scheme != "https":
        raise Refused("The address starts with https://; only networks that the operator names go without.")


def _meant(address: IpAddress) -> IpAddress:
    """Return the address of IPv4 that one of IPv6 stands for, or the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else address)
