"""The OpenAPI document: it has a row for every route, and is true of whatever is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from registry.api.confluent.openapi import document
from registry.api.confluent.operations import COMPONENTS, OPERATIONS, PARAMETERS
from registry.api.confluent.urls import ROUTES, Route
from tests.openapi import hold
from tests.registry.client import PROBE, record

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

NAMED = [f"{route.method} {route.template}" for route in ROUTES]


def below(prefix: str) -> dict[str, Any]:
    """The document for one namespace."""
    return {**document(ROUTES), "servers": [{"url": prefix}]}


def parts(value: Any) -> Any:
    """Every object in a value, itself included."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(one)


def test_it_is_served(api: Registry) -> None:
    assert api.ok("GET", "/openapi.json") == document(ROUTES)


def test_it_has_a_row_for_every_route_and_no_other() -> None:
    assert set(OPERATIONS) == {(route.method, route.template) for route in ROUTES}


def test_every_parameter_and_component_is_used() -> None:
    assert {name for one in OPERATIONS.values() for name in one.query} == set(PARAMETERS)
    used = {one["$ref"].rpartition("/")[2] for one in parts(document(ROUTES)) if "$ref" in one}
    assert used == set(COMPONENTS)


@pytest.mark.parametrize("route", ROUTES, ids=NAMED)
def test_every_answer_is_as_it_says(api: Registry, route: Route) -> None:
    api.registered("s", PROBE)
    api.registered(":.c:s", record("a"))
    hold(below(api.prefix), route.method, route.template, api.token)
