"""Every pattern of the root URL table, and which matrix of refusals answers for it.

The matrices of the native API, of the pages and of the probes are generated from their part of this
list, that of the Confluent dialect from the route table behind its patterns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, get_resolver

from accord_server import urls as roof
from accord_server.kit import errors, health
from registry.api.confluent.urls import dispatch
from registry.api.descriptors import urls as descriptors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True)
class Address:
    """One pattern, with all that stands before it, and the view behind it."""

    pattern: str
    view: Callable[..., Any]

    @property
    def names(self) -> list[str]:
        """The variables of the pattern."""
        return PLACE.findall(self.pattern)

    def path(self, values: Mapping[str, str]) -> str:
        """Fill the variables in."""
        return "/" + PLACE.sub(lambda place: values[place[1]], self.pattern)


def addresses(patterns: list[Any] | None = None, before: str = "") -> Iterator[Address]:
    """Walk the root URL table down to its views."""
    for one in get_resolver("accord_server.urls").url_patterns if patterns is None else patterns:
        text = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield Address(text, one.callback)
        else:
            yield from addresses(one.url_patterns, text)


CLAIMS: dict[str, Callable[[Address], bool]] = {
    "confluent": lambda address: address.view in {dispatch, roof.registry_at_root},
    "descriptors": lambda address: address.view in {descriptors.dispatch, roof.descriptors_at_root},
    "native": lambda address: address.pattern.startswith("api/v1/"),
    "pages": lambda address: (
        address.view.__module__.startswith("frontend.views") or address.view is roof.home
    ),
    "health": lambda address: address.view.__module__ == health.__name__,
    "nothing": lambda address: address.view is errors.unknown_route,
}


def claimed_by(matrix: str) -> list[Address]:
    """Return the addresses that a matrix answers for."""
    return [address for address in addresses() if CLAIMS[matrix](address)]
