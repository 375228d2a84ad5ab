"""A namespace with something to look at, and clients that are signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from registry.records import RegisterVersion
from registry.services.registration import register_version
from tests import factories
from tests.frontend.schemas import ORDERS, TIER_TEXT, field, record

if TYPE_CHECKING:
    from registry.records import RegisteredVersion
    from tenants.records import TenantRecord
    from tests.cast import Actor, ScopeFor


class SignedIn(Protocol):
    """Makes a member of *north* with a role and signs them in."""

    def __call__(self, name: str, role: str, subjects: str = "*") -> Client:
        """Return their browser."""
        ...


class Register(Protocol):
    """Registers a text under a subject in Alice's name."""

    def __call__(self, subject: str, text: str, namespace: str = "default") -> RegisteredVersion:
        """Register and return what was stored."""
        ...


@pytest.fixture
def register(alice: Actor, scope_for: ScopeFor) -> Register:
    """Register schemas: ``register("orders-value", ORDERS[0])``."""

    def store(subject: str, text: str, namespace: str = "default") -> RegisteredVersion:
        schema = SchemaText(Format.AVRO, text)
        command = RegisterVersion(subject=parse_subject(subject), schema=schema)
        return register_version(scope_for(alice, namespace), command)

    return store


@pytest.fixture
def orders(register: Register) -> str:
    """A subject with three versions."""
    for text in ORDERS:
        register("orders-value", text)
    return "orders-value"


@pytest.fixture
def with_reference(alice: Actor, scope_for: ScopeFor, register: Register) -> str:
    """A subject whose schema refers to another one."""
    register("tiers-value", TIER_TEXT)
    text = record(field("tier", "com.example.Tier"))
    schema = SchemaText(Format.AVRO, text, (Reference("com.example.Tier", "tiers-value", 1),))
    register_version(scope_for(alice), RegisterVersion(subject=parse_subject("members-value"), schema=schema))
    return "members-value"


@pytest.fixture
def signed_in(north: TenantRecord) -> SignedIn:
    """Sign in as somebody new: ``signed_in("dora", "viewer", subjects="orders-*")``."""

    def sign_in(name: str, role: str, subjects: str = "*") -> Client:
        namespace = None if subjects == "*" else "default"
        factories.make_person(north, name, role=role, namespace=namespace, subjects=subjects)
        client = Client()
        client.force_login(User.objects.get(username=name))
        return client

    return sign_in


@pytest.fixture
def as_bob(bob: Actor) -> Client:
    """Bob's browser: he reads *north*."""
    return _signed_in(bob)


@pytest.fixture
def as_alice(alice: Actor) -> Client:
    """Alice's browser."""
    return _signed_in(alice)


@pytest.fixture
def as_carol(carol: Actor) -> Client:
    """Carol's browser: she sees the namespace *payments* alone."""
    return _signed_in(carol)


@pytest.fixture
def as_mallory(mallory: Actor) -> Client:
    """Mallory's browser: *north* is none of her business."""
    return _signed_in(mallory)


def _signed_in(actor: Actor) -> Client:
    client = Client()
    client.force_login(actor.user)
    return client
