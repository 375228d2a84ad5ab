"""What a tenant may have, in the words of the dialect; `tests.registry.test_quota_limits` tells the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tenants.pacing import buckets
from tenants.principals import operator_scope
from tenants.services.quotas import fold_tenant, set_limits
from tests.registry.client import Registry, record

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
