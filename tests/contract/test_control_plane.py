"""What all of the native API does alike, held route by route against the URL table.

What can be changed has an ETag; a change is made for it, or refused. A POST with a key is done once. Lists
come in parts. What is otherwise stands in a table here, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import transaction

from tenants.services.operators import issue_operator_token
from tests.cast import bearer
from tests.contract.refusals import Caller, but_for, document, refusal
from tests.contract.test_native_refusals import (
    LASTING,
    OPERATORS,
    ROUTES,
    WHATEVER,
    Route,
    Stage,
    bind,
    staged,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

CHANGES: Final = frozenset({"PUT", "PATCH", "DELETE"})
# No ETag that a test ever sees.
STALE: Final = {"If-Match": '"2147483646"'}
TOO_LATE: Final = {(412, code) for code in ("changed_meanwhile", "policy_changed", "webhook_changed")}
TENANT: Final = "/api/v1/tenants/north"
# Only what was deleted can be restored.
RESTORE: Final = "POST api/v1/tenants/<str:tenant>/restore"
NO_PARTS: Final = ("cursor=1", "limit=0", "limit=201", "limit=x")
KEY: Final = {"Idempotency-Key": "k-1", **WHATEVER}


def view_of(route: Route) -> Any:
    """The class of the view behind a route."""
    return route.address.view.view_class  # type: ignore[attr-defined]  # views are classes here


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    """Alice, who may do everything in *north*."""
    return Caller(bearer(token_for(alice)))


@pytest.fixture
def operator() -> Caller:
    """Whoever runs the installation."""
    return Caller(bearer(issue_operator_token(name="ada").value))


@pytest.fixture
def stage(admin: Caller, alice: Actor) -> Stage:
    """One of everything, and a policy bound to each place."""
    found = staged(admin, alice)
    bind(admin, found)
    return found


def undone(act: Callable[[], bool]) -> bool:
    """Do something, and take back what it changed."""
    with transaction.atomic():
        found = act()
        transaction.set_rollback(True)
    return found


def changes() -> list[Route]:
    """Every call that is made for a version, or may be."""
    return [route for route in ROUTES if view_of(route).matches(route.method) is not None]


def is_thing(route: Route) -> bool:
    """Whether a route is the address of something that can be changed."""
    view = view_of(route)
    return any(hasattr(view, name.lower()) and view.matches(name) is not None for name in CHANGES)


THINGS: Final = [route for route in ROUTES if route.method == "GET" and is_thing(route)]
LISTS: Final = [
    route for route in ROUTES + OPERATORS if route.method == "GET" and view_of(route).answers["GET"].is_list
]
POSTS: Final = [route for route in ROUTES + OPERATORS if route.method == "POST"]
# What cannot be changed, or ended, in a way that another change could be lost by.
UNVERSIONED: Final = {
    "DELETE api/v1/tenants/<str:tenant>/invitations/<uuid:invitation>",
    "DELETE api/v1/tenants/<str:tenant>/role-bindings/<uuid:binding>",
    "DELETE api/v1/tenants/<str:tenant>/namespaces/<str:namespace>/checks/<uuid:check>",
    "DELETE api/v1/tenants/<str:tenant>/namespaces/<str:namespace>/policy-dry-runs/<uuid:dry_run>",
    "DELETE api/v1/tenants/<str:tenant>/namespaces/<str:namespace>/imports/<uuid:run>",
    "PUT api/v1/tenants/<str:tenant>/namespaces/<str:namespace>/imports/<uuid:run>/result",
    "DELETE api/v1/tenants/<str:tenant>/namespaces/<str:namespace>/waivers/<uuid:waiver>",
    "DELETE api/v1/tenants/<str:tenant>/exports/<uuid:export>",
}


def test_only_what_cannot_be_changed_twice_is_changed_without_a_version() -> None:
    """The view itself says why, in ``unversioned``, which is printed nowhere."""
    found = {str(route) for route in ROUTES + OPERATORS if route.method in view_of(route).unversioned}
    assert found == UNVERSIONED


def test_whatever_can_be_changed_has_an_etag(admin: Caller, stage: Stage) -> None:
    """What it stands for wholly is not sent to who has it already."""

    def has_one(route: Route) -> bool:
        tag = stage.call(admin, route).headers["ETag"]
        again = stage.call(admin, route, more={"If-None-Match": tag})
        return again.status_code == (304 if view_of(route).tag_is_whole else 200)

    addresses = {route.address.pattern for route in changes() if route.method in CHANGES}
    assert addresses == {route.address.pattern for route in THINGS}
    assert but_for(has_one, THINGS) == []


def test_a_change_of_what_is_not_there_any_more_is_refused(admin: Caller, stage: Stage) -> None:
    def is_too_late(route: Route) -> bool:
        return undone(lambda: refusal(stage.call(admin, route, more=STALE)) in TOO_LATE)

    assert but_for(is_too_late, [route for route in changes() if str(route) not in LASTING]) == []


def test_a_change_says_what_it_is_made_for(admin: Caller, stage: Stage) -> None:
    def is_asked_back(route: Route) -> bool:
        return undone(lambda: refusal(stage.call(admin, route, more={})) == (428, "version_not_named"))

    assert but_for(is_asked_back, [one for one in changes() if view_of(one).matches(one.method)]) == []


def test_a_call_with_a_key_is_done_once(admin: Caller, operator: Caller, stage: Stage) -> None:
    def is_once(route: Route) -> bool:
        caller = operator if route in OPERATORS else admin

        def act() -> bool:
            if str(route) == RESTORE:
                assert operator.send("POST", f"{TENANT}/delete", {"confirm": "north"}).status_code == 200
            return is_answered_once(lambda body: stage.call(caller, route, body, more=KEY), route)

        return undone(act)

    assert but_for(is_once, [route for route in POSTS if not view_of(route).is_question]) == []


def is_answered_once(post: Callable[[Any], HttpResponse], route: Route) -> bool:
    """Whether a repeated call is answered as the first, and another one under its key is refused."""
    sent: Any = route.body if route.takes_body else b""
    first, again, other = post(sent), post(sent), post({"another": "call"})
    assert first.status_code < 300, route
    secrets = view_of(route).secrets
    shown = [
        {name: one for name, one in document(answer).items() if name not in secrets}
        for answer in (first, again)
    ]
    return (
        shown[0] == shown[1]
        and again.headers.get("Idempotency-Replayed") == "true"
        and first.headers.get("Location") == again.headers.get("Location")
        and refusal(other) == (422, "idempotency_key_reused")
    )


def test_a_list_refuses_a_part_that_cannot_be(admin: Caller, operator: Caller, stage: Stage) -> None:
    def is_refused(route: Route) -> bool:
        caller = operator if route in OPERATORS else admin
        asked = (stage.call(caller, route, query=query) for query in NO_PARTS)
        return all(refusal(one) == (400, "bad_request") for one in asked)

    assert but_for(is_refused, LISTS) == []
