"""Who asks in the places of the matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cast import bearer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor


@pytest.fixture
def token_at(alice: Actor, mallory: Actor, token_for: TokenFor) -> Callable[[str], str]:
    """Return the header of whoever may do everything in a place."""
    return lambda place: bearer(token_for(mallory if place.startswith("south") else alice))
