"""Who may do what with policies: documents belong to the tenant, places to whoever governs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.policies.asking import NAMESPACE, TENANT, Native, prefix_place, subject_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

P = f"{TENANT}/policies/house"


@pytest.fixture
def narrow(alice: Actor, token_for: TokenFor) -> Native:
    """Whoever may do everything with subjects that begin with *orders-*."""
    return Native(token_for(alice, subjects=("orders-*",)))


def test_a_place_is_governed_by_the_right_on_all_of_it(native: Native, narrow: Native) -> None:
    native.create({"name": "house"})
    for place in (subject_place("orders-value"), prefix_place("orders-"), prefix_place("orders-eu-")):
        assert narrow.call("PUT", place, {"policy": "house"}).status_code == 200
    for place in (subject_place("other"), prefix_place("ord"), f"{NAMESPACE}/policy-binding"):
        assert narrow.call("PUT", place, {"policy": "house"}).status_code == 404
    assert narrow.call("PUT", f"{TENANT}/policy-binding", {"policy": "house"}).status_code == 404


def test_a_document_is_changed_by_who_governs_every_place(native: Native, narrow: Native) -> None:
    native.create({"name": "house"})
    assert narrow.replace("house", {"name": "house"}, 1).status_code == 200
    native.bind("house", subject_place("orders-value"))
    assert narrow.replace("house", {"name": "house"}, 2).status_code == 200
    native.bind("house", subject_place("other"))
    refused = narrow.replace("house", {"name": "house"}, 3)
    assert (refused.status_code, refused.json()["code"]) == (403, "right_missing")
    assert narrow.call("DELETE", P, If_Match='"3"').status_code == 403
    assert narrow.call("POST", f"{P}/revert", {"version": 1}, If_Match='"3"').status_code == 403


def test_bindings_are_listed_as_far_as_they_may_be_seen(native: Native, narrow: Native) -> None:
    native.create({"name": "house"})
    for place in (subject_place("other"), subject_place("orders-value"), f"{NAMESPACE}/policy-binding"):
        native.bind("house", place)
    seen = narrow.ok("GET", f"{TENANT}/policy-bindings")["items"]
    assert [one["place"] for one in seen] == [{"reach": "subject", "name": "orders-value"}]
    assert len(native.ok("GET", f"{TENANT}/policy-bindings?policy=house")["items"]) == 3
    parts = native.ok("GET", f"{TENANT}/policy-bindings?limit=2")
    rest = native.ok("GET", f"{TENANT}/policy-bindings?limit=2&cursor={parts['next']}")
    assert (len(parts["items"]), len(rest["items"]), rest["next"]) == (2, 1, None)


def test_other_tenants_have_policies_of_their_own(
    native: Native, mallory: Actor, token_for: TokenFor
) -> None:
    native.create({"name": "house"})
    south = Native(token_for(mallory))
    assert south.ok("GET", "/api/v1/tenants/south/policies")["items"] == []
    assert south.ok("POST", "/api/v1/tenants/south/policies", {"name": "house"})["version"] == 1
    assert south.call("GET", P).status_code == 404


def test_a_policy_moves_from_place_to_place(native: Native) -> None:
    for name in ("house", "other"):
        native.create({"name": name})
    place = subject_place("a/b")
    assert [native.bind(name, place)["policy"] for name in ("house", "other", "other")] == [
        "house",
        "other",
        "other",
    ]
    assert native.ok("GET", place)["policy"] == "other"
    native.ok("DELETE", place, If_Match="*")
    gone = native.call("DELETE", place)
    assert (gone.status_code, gone.json()["code"]) == (404, "binding_not_found")
    assert native.call("PUT", place, {"policy": "ghost"}).json()["code"] == "policy_not_found"


def test_a_reader_reads(native: Native, api_with: Callable[..., Registry]) -> None:
    native.create({"name": "house"})
    reader = Native(api_with("policy.read").token)
    assert reader.ok("GET", P)["version"] == 1
    refused = reader.replace("house", {"name": "house"}, 1)
    assert (refused.status_code, refused.json()["code"]) == (403, "right_missing")
