"""Fixtures of the tests of dry runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from tests.registry.client import Registry


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice, who may do everything in *north*."""
    return Native(api.token)
