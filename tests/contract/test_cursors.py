"""Every list of the native API takes the cursors alone that it gave to this tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from accord_server.kit.sealed_places import seal
from tests.cast import bearer
from tests.contract.refusals import Caller, but_for
from tests.contract.test_native_refusals import ROUTES, Route, staged
from tests.places import place

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db


def is_long(route: Route) -> bool:
    """Tell whether a route answers a list in parts."""
    view: Any = route.address.view
    answers = getattr(view.view_class, "answers", {})
    return route.method == "GET" and answers["GET"].is_list


def test_a_list_refuses_what_it_did_not_give(alice: Actor, token_for: TokenFor) -> None:
    """Nor does any of them take the place itself, which would be the number of a row in many."""
    admin = Caller(bearer(token_for(alice)))
    stage = staged(admin, alice)
    given = (place(alice, "/elsewhere", "1"), seal(uuid4(), "audit", "1"), "MQ==", "1")

    def refuses(route: Route) -> bool:
        answers = [stage.call(admin, route, query=f"cursor={text}") for text in given]
        return all(one.status_code == 400 and b"cursor is not one" in one.content for one in answers)

    lists = [route for route in ROUTES if is_long(route)]
    assert len(lists) > 20
    assert but_for(refuses, lists) == []
