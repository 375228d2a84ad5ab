"""A stand-in registry and a client that loses no time between its attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.client import ClientSettings, RegistryClient
from tests.accord.client.stand_in import StandIn, stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator

QUICK = ClientSettings(backoff=0, connect_timeout=2, read_timeout=2, max_answer=10_000)


@pytest.fixture
def registry() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


@pytest.fixture
def client(registry: StandIn) -> Iterator[RegistryClient]:
    with RegistryClient(registry.url, settings=QUICK) as made:
        yield made
