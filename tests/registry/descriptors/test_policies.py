"""What policies ask of modules by themselves: names, docs and owners, as of registrations."""

from __future__ import annotations

import pytest

from tests.registry.descriptors.asking import TEXTS, Shelf, compiled_set
from tests.registry.policies.asking import NAMESPACE, Native

pytestmark = pytest.mark.django_db

ASKED = {
    "name": "api",
    "default": {
        "naming": {"subjects": "shop[.].*", "fields": "[a-z]+"},
        "required": {"docs": ["record"], "owners": ["owner"]},
    },
}
DOCUMENTED = """syntax = "proto3"; package shop;
// An item.
message Item { string name = 1; }
"""
NAMED = {"item.proto": DOCUMENTED}
OWNED = "?property=owner=team-shop"


def rules(findings: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(one["rule"], one["path"]) for one in findings]


def test_without_a_policy_nothing_is_asked(shelf: Shelf) -> None:
    assert shelf.push("shop", TEXTS).body["judgement"]["own"] == []


def test_names_docs_and_owners_are_asked_for(shelf: Shelf) -> None:
    Native(shelf.token).enforce(ASKED)
    told = shelf.call("POST", "/modules/shop/check", compiled_set(TEXTS)).body
    assert not told["is_allowed"]
    assert rules(told["own"]) == [
        ("NAME_PATTERN", "/"),
        ("OWNER_MISSING", "/"),
        ("DOC_MISSING", "/item.proto/messages/Item"),
        ("DOC_MISSING", "/order.proto/messages/Order"),
        ("DOC_MISSING", "/order.proto/messages/Order/messages/Inner"),
        ("DOC_MISSING", "/order.proto/messages/Ping"),
    ]
    refused = shelf.push("shop", TEXTS)
    assert (refused.error, refused.body["own"]) == ((422, "content_refused"), told["own"])
    assert "asked by" in refused.body["detail"]
    # The same set with what is asked for goes in; what others own is not asked of it.
    again = shelf.push("shop.items", NAMED, OWNED, notes=True)
    assert (again.status, again.body["properties"]) == (201, {"owner": "team-shop"})
    texts = {"texts": NAMED}
    assert shelf.call("POST", f"/modules/shop.other/versions{OWNED}", texts).status == 201
    assert shelf.call("POST", f"/modules/shop.other/check{OWNED}", texts).body["is_allowed"]


def test_properties_stay_until_others_are_given(shelf: Shelf) -> None:
    assert shelf.push("shop", NAMED, OWNED).body["properties"] == {"owner": "team-shop"}
    assert shelf.push("shop", NAMED).status == 200
    assert shelf.push("shop", NAMED, OWNED).status == 200
    other = shelf.push("shop", NAMED, "?property=owner=team-base&property=wiki=base")
    assert (other.status, other.body["version"]) == (201, 2)
    assert shelf.push("shop", TEXTS).body["properties"] == {"owner": "team-base", "wiki": "base"}
    assert shelf.push("shop", TEXTS, "?property=owner").status == 400
    assert shelf.push("shop", TEXTS, "?property=-=x").error == (422, "invalid_detail")


def test_going_back_is_judged_by_what_is_in_force_now(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    shelf.push("shop", {**TEXTS, "more.proto": 'syntax = "proto3"; message More {}'})
    native = Native(shelf.token)
    native.enforce(ASKED)
    answer = native.call("POST", f"{NAMESPACE}/modules/shop/rollback", {"version": 1})
    assert (answer.status_code, answer.json()["code"]) == (422, "content_refused")
