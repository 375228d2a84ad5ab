"""The native API beside the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from tests.registry.client import Registry


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice."""
    return Native(api.token)
