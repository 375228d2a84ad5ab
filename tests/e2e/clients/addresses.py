"""How clients are told where the registry is by an address with their credentials in it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from schema_registry.client import SchemaRegistryClient

if TYPE_CHECKING:
    from tests.e2e.platform import Platform


def address(platform: Platform, user: str = "api-key") -> str:
    """Return the address of the registry with the credentials in it."""
    split = urlsplit(platform.registry_url)
    return split._replace(netloc=f"{user}:{platform.token}@{split.netloc}").geturl()


def other_client(platform: Platform) -> SchemaRegistryClient:
    """Return a client of python-schema-registry-client."""
    made = SchemaRegistryClient(address(platform))
    # It opens a connection for each request, and would read every authority's certificate each time.
    made.client_kwargs["verify"] = False
    return made
