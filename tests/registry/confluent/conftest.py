"""What the tests of the dialect share: their calls are noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.confluent.coverage import noting

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _noted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Note what a test calls, unless chance decides what it is."""
    if hasattr(request.function, "hypothesis"):
        yield
        return
    with noting(f"{request.node.path.name}::{request.node.name}"):
        yield
