"""Fixtures of the dialect's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.registry.descriptors.asking import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor


@pytest.fixture(autouse=True)
def _compiler() -> None:
    service.use(COMPILER)


@pytest.fixture
def shelf_with(alice: Actor, token_for: TokenFor) -> Callable[..., Shelf]:
    """The same with a token of some rights."""

    def made(*rights: str, **command: Any) -> Shelf:
        return Shelf(token_for(alice, *rights, **command))

    return made
