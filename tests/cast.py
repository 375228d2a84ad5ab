"""The cast: Alice administers *north*, Bob reads there, Carol writes one namespace of it.

Mallory administers *south*. Fixed names make tests of access readable. `token_for` and `scope_for` say
who calls::

    def test_bob_cannot_write(bob, token_for):
        value = token_for(bob)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from django.contrib.auth.models import User

from accord_server.kit.scope import Grant, Scope
from tenants import watch
from tenants.decisions import decisions
from tenants.principals import operator_scope
from tenants.queries import scope_for_user
from tenants.selectors import parse_selector
from tests import factories

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from tenants.records import IssuedToken, NamespaceRecord, TenantRecord

NAMESPACE = "default"
CAROLS_NAMESPACE = "payments"


@dataclass(frozen=True, slots=True)
class Actor:
    """A member of a tenant."""

    name: str
    tenant: TenantRecord

    @property
    def key(self) -> str:
        """The principal's key."""
        return f"person:{self.name}"

    @property
    def user(self) -> User:
        """Django's account, for sign-in: ``client.force_login(alice.user)``."""
        return User.objects.get(username=self.name)

    @property
    def password(self) -> str:
        """What Alice types."""
        return factories.PASSWORD


class TokenFor(Protocol):
    """Issues a token of an actor's and returns its value."""

    def __call__(self, actor: Actor, *rights: str, **command: Any) -> str:
        """Ask for these rights, or for all; the actor's roles decide what is left of them."""
        ...


class ScopeFor(Protocol):
    """Returns the scope of an actor at a page, and lets the connection see the tenant."""

    def __call__(self, actor: Actor, namespace: str | None = NAMESPACE) -> Scope:
        """Come in by this namespace, or by the tenant as a whole."""
        ...


@pytest.fixture(scope="session", autouse=True)
def farewell() -> Iterator[None]:
    """Let the listening thread go before the database does."""
    yield
    watch.stop_running()


@pytest.fixture
def north(db: None) -> TenantRecord:
    """Alice's, Bob's and Carol's tenant; nothing is left of what an earlier one of its name had open."""
    decisions.clear()
    return factories.make_tenant("north")


@pytest.fixture
def south(db: None) -> TenantRecord:
    """Mallory's tenant, which has a *payments* too."""
    tenant = factories.make_tenant("south")
    factories.make_namespace(tenant, CAROLS_NAMESPACE)
    return tenant


@pytest.fixture
def payments(north: TenantRecord) -> NamespaceRecord:
    """The namespace of *north* that Carol writes."""
    return factories.make_namespace(north, CAROLS_NAMESPACE)


@pytest.fixture
def alice(north: TenantRecord) -> Actor:
    """She administers *north*."""
    return _actor(north, "alice", role="admin")


@pytest.fixture
def bob(north: TenantRecord) -> Actor:
    """He reads all of *north*."""
    return _actor(north, "bob", role="viewer")


@pytest.fixture
def carol(north: TenantRecord, payments: NamespaceRecord) -> Actor:
    """She writes the namespace *payments* of *north* and sees no other."""
    return _actor(north, "carol", role="developer", namespace=payments.slug)


@pytest.fixture
def mallory(south: TenantRecord) -> Actor:
    """She administers *south*, which is none of *north*'s business."""
    return _actor(south, "mallory", role="admin")


@pytest.fixture
def token_for() -> TokenFor:
    """Issue tokens: ``token_for(alice)``, ``token_for(carol, "subject.read", subjects=["orders-*"])``."""

    def value_for(actor: Actor, *rights: str, **command: Any) -> str:
        return issued_for(actor, *rights, **command).value

    return value_for


@pytest.fixture
def scope_for(db: None) -> ScopeFor:
    """Make scopes as pages do: ``scope_for(alice)``, ``scope_for(carol, "payments")``."""

    def scope(actor: Actor, namespace: str | None = NAMESPACE) -> Scope:
        return scope_for_user(actor.user, actor.tenant.slug, namespace)

    return scope


def issued_for(
    actor: Actor,
    *rights: str,
    subjects: tuple[str, ...] = ("*",),
    namespaces: frozenset[UUID] | None = None,
    **command: Any,
) -> IssuedToken:
    """Issue a token of the actor's, with its record."""
    selectors = tuple(selector for text in subjects if (selector := parse_selector(text)))
    asked = frozenset(rights) or factories.EVERYTHING.rights
    grants = (Grant(asked, selectors, namespaces),)
    return factories.make_token(operator_scope(actor.tenant.ref), actor.key, **{"grants": grants, **command})


def bearer(value: str) -> str:
    """Return the Authorization header for a token."""
    return f"Bearer {value}"


def _actor(tenant: TenantRecord, name: str, *, role: str, namespace: str | None = None) -> Actor:
    factories.make_person(tenant, name, role=role, namespace=namespace)
    return Actor(name, tenant)
