"""Whoever imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.factories import make_namespace
from tests.registry.imports.bringing import Bringer

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor


@pytest.fixture
def bringer(alice: Actor, token_for: TokenFor) -> Bringer:
    """Alice, who may do everything in *north*."""
    return Bringer(token_for(alice))


@pytest.fixture
def other(bringer: Bringer, alice: Actor) -> Bringer:
    """Another namespace of the same tenant."""
    make_namespace(alice.tenant, "copy")
    return Bringer(bringer.token, "copy")
