"""Whoever sets limits, and whoever meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from accord.formats.protobuf import service
from accord_server.kit import tenancy
from tenants.pacing import buckets
from tenants.principals import operator_scope
from tenants.services import quotas
from tests.accord.protobuf_texts import COMPILER
from tests.registry.descriptors.asking import Shelf
from tests.registry.imports.bringing import Bringer

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, TokenFor


class Limit(Protocol):
    """Sets limits of *north*; what was counted before is not what the next change adds."""

    def __call__(self, **wanted: int | None) -> None:
        """Set them by name."""
        ...


@pytest.fixture(autouse=True)
def _compiler() -> None:
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
