"""What is said of subjects and versions: description, labels and properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry, record
from tests.registry.lives.asking import SUBJECT, at, refused, traces
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

SAID: dict[str, Any] = {
    "description": "Orders as they were placed",
    "labels": ["pii", "eu"],
    "properties": {"owner": "team-orders"},
}
PLACES = (f"{SUBJECT}/details", at(1, "details"))


@pytest.fixture(autouse=True)
def version(api: Registry) -> None:
    """A subject with a version."""
    api.registered("s", record("a"))


@pytest.mark.parametrize("place", PLACES)
def test_something_is_said_and_changed(native: Native, scope: Scope, place: str) -> None:
    born = native.call("GET", place)
    assert born.json() == {
        "description": "",
        "labels": [],
        "properties": {},
        "revision": 1,
        "changed_at": None,
        "changed_by": None,
    }
    made = native.call("PATCH", place, SAID, If_Match=born.headers["ETag"])
    assert (made.status_code, made.headers["ETag"]) == (200, '"2"')
    assert {name: made.json()[name] for name in SAID} == {**SAID, "labels": ["eu", "pii"]}
    # A part that is left out stays; what is the same changes nothing.
    changed = native.call("PATCH", place, {"labels": []}, If_Match='"2"')
    assert (changed.json()["description"], changed.json()["labels"]) == (SAID["description"], [])
    assert native.call("PATCH", place, {"labels": []}, If_Match='"3"').headers["ETag"] == '"3"'
    _, noted = traces(scope, "details.changed")
    said = {**SAID, "labels": ["eu", "pii"]}
    assert (noted.before, noted.after) == (said, {**said, "labels": []})
    late = native.call("PATCH", place, SAID, If_Match='"2"')
    assert refused(late) == (412, "changed_meanwhile")
    assert refused(native.call("PATCH", place, SAID)) == (428, "version_not_named")
    assert native.call("GET", place, If_None_Match='"3"').status_code == 304


@pytest.mark.parametrize("place", PLACES)
def test_what_cannot_be_said(native: Native, place: str) -> None:
    def answer(body: object) -> int:
        return int(native.call("PATCH", place, body, If_Match="*").status_code)

    assert answer({}) == 400
    assert answer({"description": "x" * 4097}) == 400
    assert answer({"labels": ["not a label"]}) == 422
    assert answer({"labels": [f"l{number}" for number in range(51)]}) == 400
    assert answer({"properties": {"bad key": "x"}}) == 422
    assert answer({"properties": {f"p{number}": "x" for number in range(51)}}) == 422
    assert answer({"properties": {"p": "x" * 1001}}) == 400


def test_who_may_say_it(api: Registry, api_with: Callable[..., Registry]) -> None:
    reader = Native(api_with("subject.read").token)
    for place in PLACES:
        assert reader.call("GET", place).status_code == 200
        assert refused(reader.call("PATCH", place, SAID, If_Match="*")) == (403, "right_missing")
    elsewhere = Native(api_with("subject.read", "subject.write", subjects=("other",)).token)
    for place in PLACES:
        assert refused(elsewhere.call("GET", place)) == (404, "subject_not_found")
    native = Native(api.token)
    assert refused(native.call("GET", at(7, "details"))) == (404, "version_not_found")
    api.delete("/subjects/s")
    for place in PLACES:
        assert refused(native.call("GET", place)) == (404, "subject_not_found")


def test_what_is_said_goes_with_the_thing(api: Registry, native: Native) -> None:
    for place in PLACES:
        native.ok("PATCH", place, SAID, If_Match="*")
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    api.registered("s", record("a"))
    for place in PLACES:
        assert native.ok("GET", place)["revision"] == 1
