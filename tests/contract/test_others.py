"""What belongs to another tenant or namespace is told as what is nowhere: every route of every dialect.

The routes come from the URL tables. Each is asked twice from another place, about what is there in *north*
and about what is nowhere; the two answers are the same in status, body, headers and number of statements,
but for the names. A route that is added is held to it as soon as its own matrix can call it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf import service
from registry.api.confluent.urls import ROUTES as CONFLUENT
from registry.api.confluent.urls import Route as ConfluentRoute
from registry.api.descriptors.urls import ROUTES as DESCRIPTORS
from registry.api.descriptors.urls import Route as DescriptorRoute
from tenants.queries import scope_for_user
from tenants.services import allow_anonymous
from tests.accord.protobuf_texts import COMPILER
from tests.cast import bearer, issued_for
from tests.contract import test_confluent_refusals as confluent
from tests.contract import test_descriptor_refusals as descriptors
from tests.contract import test_native_refusals as native
from tests.contract.alike import Renames, is_told_alike
from tests.contract.refusals import Caller, but_for
from tests.factories import make_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor

pytestmark = pytest.mark.django_db

NAMES: Renames = (("orders", "ghosts"), ("Schema 1 ", "Schema 2 "))
# From where things of *north/default* are asked about.
PLACES = ("south/default", "north/elsewhere")


def renames_of(stage: native.Stage, place: str) -> Renames:
    """Return what each thing of the stage is called that is not in a place, and what nothing is called."""
    ghost = replace(
        native.GHOST,
        message=stage.message + 10**6,
        people=native.People(
            "nora", "automat", "proof-lector", "cold-one", token="2" * 12, pending="3" * 12, record="87654321"
        ),
    )
    names = {one.name for one in fields(stage)} - ({"policy"} if place.startswith("north") else set())
    pairs = [
        *((getattr(stage, name), getattr(ghost, name)) for name in names),
        *((getattr(stage.people, one.name), getattr(ghost.people, one.name)) for one in fields(stage.people)),
    ]
    return tuple((known, other) for known, other in pairs if isinstance(known, str) and len(known) > 2)


KNOWN = confluent.KNOWN
UNKNOWN = confluent.UNKNOWN


def opened(place: str, *subjects: str) -> Callable[[Actor, Callable[[str], str]], tuple[str | None, str]]:
    """Let callers without a token do in a place of *north* what such callers ever may."""

    def open_up(alice: Actor, _: Callable[[str], str]) -> tuple[None, str]:
        scope = scope_for_user(alice.user, *place.split("/"))
        allow_anonymous(scope, access="write", subjects=subjects)
        return None, place

    return open_up


# Who asks, and from where, by a place in which nothing of what is asked about is to be seen.
CALLERS: dict[str, Callable[[Actor, Callable[[str], str]], tuple[str | None, str]]] = {
    "another tenant": lambda _, token_at: (token_at("south"), "south/default"),
    "another namespace": lambda _, token_at: (token_at("north"), "north/elsewhere"),
    "nobody, elsewhere": opened("north/elsewhere", "*"),
    "nobody, on other subjects": opened("north/default", "other-*"),
    "a narrow token": lambda alice, _: (
        bearer(issued_for(alice, subjects=("other-*",)).value),
        "north/default",
    ),
}


@pytest.fixture(autouse=True)
def _places(alice: Actor, mallory: Actor) -> None:
    service.use(COMPILER)
    make_namespace(alice.tenant, "elsewhere")


@pytest.mark.parametrize("place", PLACES)
def test_the_native_api(alice: Actor, token_at: Callable[[str], str], place: str) -> None:
    stage = native.staged(Caller(token_at("north")), alice)
    renames = renames_of(stage, place)
    here = Caller(token_at(place), place)

    def is_alike(route: native.Route) -> bool:
        ghost = replace(here, renames=renames)
        return is_told_alike(lambda: stage.call(here, route), lambda: stage.call(ghost, route), renames)

    routes = [one for one in native.ROUTES if one.is_inside or place.startswith("south")]
    assert but_for(is_alike, routes) == []


@pytest.mark.parametrize("who", CALLERS)
def test_the_confluent_dialect(alice: Actor, token_at: Callable[[str], str], who: str) -> None:
    confluent.furnished(confluent.RouteCaller(token_at("north")))
    here = confluent.RouteCaller(*CALLERS[who](alice, token_at))

    def is_alike(route: ConfluentRoute) -> bool:
        known, ghost = (lambda values=values: here.call(route, values) for values in (KNOWN, UNKNOWN))
        return is_told_alike(known, ghost, NAMES)

    assert confluent.but_for(is_alike, CONFLUENT) == []


@pytest.mark.parametrize("who", CALLERS)
def test_the_dialect_of_descriptor_sets(alice: Actor, token_at: Callable[[str], str], who: str) -> None:
    descriptors.furnished(descriptors.RouteCaller(token_at("north")))
    here = descriptors.RouteCaller(*CALLERS[who](alice, token_at))

    def is_alike(route: DescriptorRoute) -> bool:
        known, ghost = (
            lambda values=values: here.call(route, values)
            for values in (descriptors.KNOWN, descriptors.UNKNOWN)
        )
        return is_told_alike(known, ghost, NAMES)

    assert but_for(is_alike, DESCRIPTORS) == []
