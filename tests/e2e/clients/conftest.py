"""Confluent's client for Python, and the format a test is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient

from tests.e2e.clients.formats import KITS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.clients.formats import Kit
    from tests.e2e.platform import Platform


@pytest.fixture
def client(platform: Platform) -> Iterator[SchemaRegistryClient]:
    with SchemaRegistryClient(platform.client_settings()) as made:
        yield made


@pytest.fixture
def consumer(platform: Platform) -> Iterator[SchemaRegistryClient]:
    """A client that has sent nothing: of Protobuf the one that registers remembers a text it cannot read."""
    with SchemaRegistryClient(platform.client_settings()) as made:
        yield made


@pytest.fixture(params=KITS, ids=lambda kit: kit.__name__)
def kit(request: pytest.FixtureRequest, topic: str) -> Kit:
    """A format; its record has a name that no other test uses."""
    made: Kit = request.param(f"R{topic.removeprefix('topic-')}")
    return made
