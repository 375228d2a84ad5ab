"""Comments on versions: who says, changes and deletes what, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from registry.services import comments
from tests.cast import Actor
from tests.factories import make_person
from tests.registry.client import Registry, record
from tests.registry.lives.asking import at, refused, traces
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import TokenFor

pytestmark = pytest.mark.django_db

HERE = at(1, "comments")
HOSTILE = "<script>alert(1)</script>\r\nsecond \N{SNOWMAN} line"


@pytest.fixture(autouse=True)
def version(api: Registry) -> None:
    """A version to be talked about."""
    api.registered("s", record("a"))


def say(native: Native, text: str = "why?") -> Any:
    return native.call("POST", HERE, {"text": text})


def test_a_comment_is_said_changed_and_deleted(native: Native, scope: Scope) -> None:
    made = say(native, HOSTILE)
    assert made.status_code == 201
    document = made.json()
    assert document["text"] == HOSTILE.replace("\r\n", "\n")
    assert (document["author"], document["edited_at"], document["revision"]) == ("person:alice", None, 1)
    where = made.headers["Location"]
    assert native.ok("GET", where) == document
    changed = native.call("PUT", where, {"text": "because"}, If_Match=made.headers["ETag"])
    assert (changed.json()["text"], changed.headers["ETag"]) == ("because", '"2"')
    assert changed.json()["edited_at"] is not None
    said, noted = traces(scope, "version.commented", "comment.update")
    assert said["action"] == "comment.update"
    assert (noted.before, noted.after) == ({"text": document["text"]}, {"text": "because"})
    # Nobody changes or deletes what he has not read.
    late = native.call("PUT", where, {"text": "no"}, If_Match='"1"')
    assert refused(late) == (412, "changed_meanwhile")
    assert native.call("GET", where, If_None_Match='"2"').status_code == 304
    assert refused(native.call("DELETE", where)) == (428, "version_not_named")
    assert native.call("DELETE", where, If_Match='"2"').status_code == 204
    assert refused(native.call("GET", where)) == (404, "comment_not_found")
    assert native.ok("GET", HERE) == {"items": [], "next": None}


def test_comments_are_listed_newest_first_part_by_part(native: Native) -> None:
    for number in range(3):
        say(native, f"number {number}")
    first = native.ok("GET", f"{HERE}?limit=2")
    assert [one["text"] for one in first["items"]] == ["number 2", "number 1"]
    rest = native.ok("GET", f"{HERE}?limit=2&cursor={first['next']}")
    assert ([one["text"] for one in rest["items"]], rest["next"]) == (["number 0"], None)


def test_what_is_no_comment(native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    assert say(native, "").status_code == 400
    assert say(native, "x" * 4001).status_code == 400
    assert refused(say(native, "bell\a")) == (422, "comment_invalid")
    assert refused(native.call("POST", at(7, "comments"), {"text": "?"})) == (404, "version_not_found")
    monkeypatch.setattr(comments, "MOST_COMMENTS", 1)
    assert say(native).status_code == 201
    assert refused(say(native)) == (409, "comment_limit_reached")


def test_one_edits_what_one_said_oneself(
    native: Native, alice: Actor, bob: Actor, token_for: TokenFor
) -> None:
    where = say(native).headers["Location"]
    make_person(alice.tenant, "dora", role="developer")
    dora = Native(token_for(Actor("dora", alice.tenant)))
    edited = dora.call("PUT", where, {"text": "mine"}, If_Match="*")
    assert refused(edited) == (403, "comment_of_another")
    assert refused(dora.call("DELETE", where, If_Match="*")) == (403, "right_missing")
    # Who decides about states takes away what others said; nobody puts words into their mouths.
    hers = say(dora).headers["Location"]
    assert refused(native.call("PUT", hers, {"text": "mine"}, If_Match="*")) == (403, "comment_of_another")
    assert native.call("DELETE", hers, If_Match="*").status_code == 204
    # Bob reads here: he may see what is said, and say nothing.
    reader = Native(token_for(bob))
    assert refused(say(reader)) == (403, "right_missing")
    assert reader.call("GET", where).status_code == 200
