"""Fixtures of the registry's tests: callers with tokens of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf import service
from accord_server.kit import tenancy
from tenants.pacing import buckets
from tenants.principals import operator_scope
from tenants.services import quotas
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import Registry
from tests.registry.descriptors.asking import Shelf
from tests.registry.forgetting import forget_everything
from tests.registry.imports.bringing import Bringer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor
    from tests.registry.quota_limits import Limit


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


@pytest.fixture
def compiler() -> None:
    """The compiler of the tests."""
    service.use(COMPILER)


@pytest.fixture
def in_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no bucket fill while a test is slow."""
    monkeypatch.setattr(buckets, "clock", lambda: 1.0)
    buckets.clear()


@pytest.fixture
def operator(alice: Actor) -> Scope:
    """Whoever runs the installation, in *north*."""
    tenancy.activate(alice.tenant.id)
    return operator_scope(alice.tenant.ref)


@pytest.fixture
def limit(operator: Scope) -> Limit:
    """Set limits."""

    def set_them(**wanted: int | None) -> None:
        quotas.fold_tenant(operator)
        quotas.set_limits(operator, wanted=wanted, expected=None)
        tenancy.activate(operator.tenant.id)

    return set_them


@pytest.fixture
def shelf(alice: Actor, token_for: TokenFor) -> Shelf:
    """The descriptors of *north* as Alice."""
    return Shelf(token_for(alice))


@pytest.fixture
def bringer(alice: Actor, token_for: TokenFor) -> Bringer:
    """Alice, who imports."""
    return Bringer(token_for(alice))
