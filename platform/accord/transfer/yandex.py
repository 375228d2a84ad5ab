"""What Yandex Schema Registry has besides Confluent's interface: namespaces, and rules for each format.

Its manual names the calls and what can be chosen, not the shape of the answers: so the choices are looked for
by their names wherever they stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.client import RegistryDenied, RegistryRefusal, RegistryUnreadable
from accord.client.transport import Request

if TYPE_CHECKING:
    from accord.client import RegistryClient
    from accord.client.transport import Json

RULES: Final = "yandex.compatibilityRules"
NAMESPACES: Final = "yandex.namespaces"
_CALLS: Final = {RULES: "/compatibility/rules", NAMESPACES: "/v1/namespace"}


def read_extras(client: RegistryClient) -> dict[str, Json]:
    """What the registry tells of them by name; nothing where it is another product."""
    extras: dict[str, Json] = {}
    for name, path in _CALLS.items():
        try:
            extras[name] = client.send(Request("GET", path)).body
        except RegistryDenied:
            raise
        except (RegistryRefusal, RegistryUnreadable):
            continue
    return extras
