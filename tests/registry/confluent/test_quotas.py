"""What a tenant may have, in the words of the dialect; `tests.registry.test_quota_limits` tells the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tenants.pacing import buckets
from tenants.principals import operator_scope
from tenants.services.quotas import fold_tenant, set_limits
from tests.cast import issued_for
from tests.registry.client import Registry, record
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from tests.cast import Actor

pytestmark = pytest.mark.django_db


def limit(actor: Actor, **wanted: int) -> None:
    operator = operator_scope(actor.tenant.ref)
    fold_tenant(operator)
    set_limits(operator, wanted=wanted, expected=None)


def test_a_registration_without_room_is_refused(api: Registry, alice: Actor) -> None:
    api.registered("s", record("a"))
    limit(alice, versions=1)
    refused = api.register("t", record("b"))
    assert (refused.status, refused.body["error_code"]) == (422, 42290)


def test_too_many_requests_are_told_when_to_come_again(
    api: Registry, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "clock", lambda: 1.0)
    limit(alice, requests_per_second=1)
    api.ok("GET", "/subjects")
    refused = api.get("/subjects")
    assert (refused.status, refused.body["error_code"], refused.headers["Retry-After"]) == (429, 42901, "1")


@pytest.fixture
def _standing_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "clock", lambda: 1.0)


@pytest.mark.usefixtures("_standing_still")
def test_a_request_that_comes_too_early_uses_up_no_use(api: Registry, alice: Actor) -> None:
    limit(alice, requests_per_second=1)
    counted = Registry(issued_for(alice, max_uses=2).value)
    api.ok("GET", "/subjects")
    assert [counted.get("/subjects").status for _ in range(3)] == [429] * 3
    buckets.clear()
    assert counted.get("/subjects").status == 200
    buckets.clear()
    assert counted.get("/subjects").status == 200


@pytest.mark.usefixtures("_standing_still")
def test_strangers_and_pages_take_nothing_from_tokens(api: Registry, alice: Actor) -> None:
    pages = Client()
    pages.force_login(alice.user)
    limit(alice, requests_per_second=4)
    Native(api.token).ok("PUT", f"{NAMESPACE}/anonymous-access", {"access": "read"}, If_Match="*")
    buckets.clear()
    stranger = Client(headers={"Accept": "*/*"})
    assert [stranger.get("/sr/north/default/subjects").status_code for _ in range(2)] == [200, 429]
    assert [pages.get("/t/north/").status_code for _ in range(5)] == [200] * 4 + [429]
    assert b"Too many at once" in pages.get("/t/north/").content
    assert [api.get("/subjects").status for _ in range(5)] == [200] * 4 + [429]
