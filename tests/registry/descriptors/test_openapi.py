"""The OpenAPI document of the dialect: it has a row for every route, and is true of whatever is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from openapi_spec_validator import validate

from registry.api.descriptors.openapi import document
from registry.api.descriptors.operations import OPERATIONS
from registry.api.descriptors.urls import ROUTES, Route
from tests.openapi import hold

if TYPE_CHECKING:
    from tests.registry.descriptors.asking import Shelf

pytestmark = pytest.mark.django_db


def below(prefix: str) -> dict[str, Any]:
    """The document for one namespace."""
    return {**document(), "servers": [{"url": prefix}]}


def test_it_has_a_row_for_every_route_and_no_other() -> None:
    assert set(OPERATIONS) == {route.view for route in ROUTES}
    described = {
        (method.upper(), path) for path, operations in document()["paths"].items() for method in operations
    }
    assert described == {(route.method, route.template) for route in ROUTES}


def test_it_is_valid() -> None:
    validate(document())


def test_no_two_calls_have_one_name() -> None:
    names = [one["operationId"] for path in document()["paths"].values() for one in path.values()]
    assert len(set(names)) == len(names) == len(ROUTES)


@pytest.mark.parametrize("route", ROUTES, ids=[f"{one.method} {one.template}" for one in ROUTES])
def test_every_answer_is_as_it_says(shelf: Shelf, route: Route) -> None:
    hold(below(shelf.prefix), route.method, route.template, shelf.token)
