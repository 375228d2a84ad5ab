"""Fixtures of the registry's tests: callers with tokens of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry
from tests.registry.forgetting import forget_everything

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor


@pytest.fixture(autouse=True)
def forget_schemas() -> Iterator[None]:
    """Let no test find what another one parsed."""
    yield
    forget_everything()


@pytest.fixture
def api(alice: Actor, token_for: TokenFor) -> Registry:
    """The registry as Alice, who may do everything in *north*."""
    return Registry(token_for(alice))


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    """Alice's scope in *north*, for what lies below the API."""
    return scope_for(alice)


@pytest.fixture
def api_with(alice: Actor, token_for: TokenFor) -> Callable[..., Registry]:
    """The registry with a token of some rights: ``api_with("subject.read", subjects=("orders-*",))``."""

    def made(*rights: str, **command: Any) -> Registry:
        return Registry(token_for(alice, *rights, **command))

    return made
