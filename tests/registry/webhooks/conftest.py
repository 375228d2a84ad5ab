"""Fixtures of the tests of webhooks."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest

from tests.registry.policies.asking import Native
from tests.registry.webhooks.receiving import Receiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.registry.client import Registry


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice, who may do everything in *north*."""
    return Native(api.token)


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A receiver on this machine, which the operator lets webhooks call."""
    settings.ACCORD_WEBHOOK_NETWORKS = (ip_network("127.0.0.0/8"),)
    with Receiver() as started:
        yield started
