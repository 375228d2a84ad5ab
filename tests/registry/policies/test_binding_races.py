"""What is bound to a place: changed by compare-and-set, with a history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.policies.asking import NAMESPACE, TENANT, prefix_place, subject_place

if TYPE_CHECKING:
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

PLACES = [f"{TENANT}/policy-binding", f"{NAMESPACE}/policy-binding", prefix_place("s"), subject_place("s")]


def put(native: Native, place: str, policy: str, **headers: str) -> Any:
    return native.call("PUT", place, {"policy": policy, "reason": f"for {policy}"}, **headers)


@pytest.mark.parametrize("place", PLACES)
def test_a_change_names_what_it_replaces_and_stays_known(native: Native, place: str) -> None:
    for name in ("one", "two"):
        native.create({"name": name})
    assert native.call("GET", f"{place}-history").status_code == 404
    assert put(native, place, "one").headers["ETag"] == '"1"'
    assert put(native, place, "one").headers["ETag"] == '"1"'
    unnamed, late = put(native, place, "two"), put(native, place, "two", If_Match='"7"')
    assert (unnamed.status_code, unnamed.json()["code"]) == (428, "version_not_named")
    assert (late.status_code, late.json()["code"]) == (412, "policy_changed")
    assert put(native, place, "two", If_Match='"1"').headers["ETag"] == '"2"'
    assert native.call("DELETE", place).status_code == 428
    assert native.call("DELETE", place, If_Match='"1"').status_code == 412
    assert native.call("DELETE", f"{place}?reason=done", If_Match='"2"').status_code == 204
    assert put(native, place, "one", If_Match='"2"').status_code == 412
    assert put(native, place, "one").headers["ETag"] == '"4"'
    listed = native.ok("GET", f"{place}-history?limit=3")
    assert [(one["number"], one["policy"], one["reason"]) for one in listed["items"]] == [
        (4, "one", "for one"),
        (3, None, "done"),
        (2, "two", "for two"),
    ]
    rest = native.ok("GET", f"{place}-history?cursor={listed['next']}")
    assert [one["created_by"] for one in rest["items"]] == ["person:alice"]


def test_what_is_known_is_not_sent_again(native: Native) -> None:
    native.enforce({"name": "one"})
    for address in (PLACES[1], f"{TENANT}/policies/one"):
        for known, status in (('"1"', 304), ('W/"1", "8"', 304), ('"2"', 200)):
            answer = native.call("GET", address, If_None_Match=known)
            assert (answer.status_code, answer.headers["ETag"]) == (status, '"1"')


def test_a_binding_takes_no_other_members(native: Native) -> None:
    native.create({"name": "one"})
    answer = native.call("PUT", PLACES[1], {"policy": "one", "version": 77})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "#/version"


def test_templates_say_what_they_are_and_a_namespace_what_holds(native: Native) -> None:
    listed = native.ok("GET", f"{NAMESPACE}/policy-templates")
    assert [(one["name"], one["is_recommended"]) for one in listed["items"]] == [
        ("queue-safe", True),
        ("drop-in", False),
        ("api", False),
    ]
    assert all(one["description"] for one in listed["items"])
    frozen = native.enforce({"name": "ice", "default": {"level": "FROZEN"}})
    assert "not locked" in frozen["advice"]["avro"]["cautions"][0]
    found = native.ok("GET", f"{NAMESPACE}/policy?format=JSON")
    assert (found["subject"], found["level"], found["format"]) == ("", "FROZEN", "JSON")
