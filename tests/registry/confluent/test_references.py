"""References: what they resolve to, what they protect."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import optional, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

ADDRESS = record("zip", name="Address", namespace="geo")
USER = record({"name": "home", "type": "geo.Address"}, name="User")
WHOLE = record({"name": "home", "type": ADDRESS}, name="User")


def to(name: str = "geo.Address", subject: str = "ref", version: Any = 1) -> dict[str, Any]:
    return {"name": name, "subject": subject, "version": version}


def use(api: Registry, user: str = "user", /, **change: Any) -> Answer:
    return api.register(user, USER, references=[to(**change)])


@pytest.fixture
def ref(api: Registry) -> None:
    """Subject ref, version 1, id 1."""
    api.registered("ref", ADDRESS)


def test_case_059_a_referenced_type_is_written_by_name(api: Registry, ref: None) -> None:
    made = use(api).body
    shown = api.ok("GET", f"/schemas/ids/{made['id']}")
    assert shown["references"] == made["references"] == [to()]
    assert shown["schema"] == (
        '{"type":"record","name":"User","fields":[{"name":"home","type":"geo.Address"}]}'
    )


def test_case_061_a_dangling_reference_is_named(api: Registry, ref: None) -> None:
    missing = 'No schema reference found for subject "{}" and version {}'
    for change, message in (
        ({"subject": "none"}, missing.format("none", 1)),
        ({"version": 9}, missing.format("ref", 9)),
        ({"name": None}, "Invalid reference: references[0] has no name"),
    ):
        answer = use(api, **change)
        assert (answer.error, answer.body["message"]) == ((422, 42201), message)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"subject": None}, "subject"),
        ({"version": None}, "version"),
        ({"version": 0}, "version"),
        ({"name": "a\0"}, "references[0].name"),
        ({"subject": "\ud800"}, "references[0].subject"),
    ],
)
def test_an_incomplete_reference_is_named(
    api: Registry, ref: None, change: dict[str, Any], place: str
) -> None:
    answer = use(api, **change)
    assert answer.error == (422, 42201)
    assert answer.body["message"].startswith("Invalid reference: ")
    assert place in answer.body["message"]


def test_case_062_who_refers_to_a_version(api: Registry, ref: None) -> None:
    user = use(api).body["id"]
    assert api.ok("GET", "/subjects/ref/versions/1/referencedby") == [user]
    api.delete("/subjects/user")
    assert api.ok("GET", "/subjects/ref/versions/1/referencedby") == []
    assert api.ok("GET", "/subjects/ref/versions/latest/referencedby?deleted=true") == [user]
    assert api.get("/subjects/ref/versions/9/referencedby").error == (404, 40402)


def test_case_063_a_live_referrer_protects_what_it_refers_to(api: Registry, ref: None) -> None:
    use(api)
    for path in ("/subjects/ref/versions/1", "/subjects/ref"):
        refused = api.delete(path)
        assert refused.error == (422, 42206)
        assert refused.body["message"] == (
            "One or more references exist to the schema {magic=1,keytype=SCHEMA,subject=ref,version=1}."
        )
    api.delete("/subjects/user")
    assert api.delete("/subjects/ref").body == [1]
    assert api.delete("/subjects/ref?permanent=true").error == (422, 42206)
    assert api.delete("/subjects/ref/versions/1?permanent=true").error == (422, 42206)
    api.delete("/subjects/user?permanent=true")
    assert api.delete("/subjects/ref?permanent=true").body == [1]


def test_case_064_three_levels(api: Registry) -> None:
    colour = {"type": "enum", "name": "Colour", "symbols": ["RED"]}
    left = record({"name": "c", "type": "Colour"}, name="Left")
    right = record({"name": "c", "type": "Colour"}, name="Right")
    api.registered("colour", colour)
    for subject, schema in (("left", left), ("right", right)):
        api.registered(subject, schema, references=[to("Colour", "colour")])
    both = api.register("both", ["Left", "Right"], references=[to("Left", "left"), to("Right", "right")])
    assert (both.body["id"], both.body["schema"]) == (4, '["Left","Right"]')


def test_case_065_a_soft_deleted_target_serves_old_schemas_only(api: Registry, ref: None) -> None:
    use(api)
    api.ok("PUT", "/mode/ref", {"mode": "READWRITE"})
    api.registered("ref", record("zip", optional("city"), name="Address", namespace="geo"))
    user = api.register("user2", USER, references=[to(version=2)])
    api.delete("/subjects/user2")
    api.delete("/subjects/ref/versions/2")
    assert api.get(f"/schemas/ids/{user.body['id']}").status == 200
    assert api.register("user3", USER, references=[to(version=2)]).error == (422, 42201)
    assert api.look_up("user2", USER, query="?deleted=true", references=[to(version=2)]).status == 200


@pytest.mark.parametrize("version", [1, 2], ids=["soft-deleted", "missing"])
def test_a_check_refuses_the_references_that_registration_refuses(
    api: Registry, ref: None, version: int
) -> None:
    api.delete("/subjects/ref")
    refused = use(api, version=version)
    checked = api.check("user/versions", USER, references=[to(version=version)])
    assert refused.error == checked.error == (422, 42201)
    assert checked.body["message"] == refused.body["message"]
    verbose = api.check("user/versions/latest?verbose=true", USER, references=[to(version=version)])
    assert verbose.body == {"is_compatible": False, "messages": [refused.body["message"]]}


def test_a_check_makes_no_reference(api: Registry, ref: None, api_with: Callable[..., Registry]) -> None:
    checker = api_with("subject.read", "compat.check")
    assert checker.check("user/versions", USER, references=[to()]).body == {"is_compatible": True}


def test_case_066_a_target_gone_for_good_is_not_found(api: Registry, ref: None) -> None:
    use(api)
    for subject in ("user", "ref"):
        api.delete(f"/subjects/{subject}")
        api.delete(f"/subjects/{subject}?permanent=true")
    assert use(api).error == (422, 42201)


def test_case_069_a_subject_that_refers_to_itself_can_be_deleted(api: Registry) -> None:
    api.level("self", "NONE")
    api.registered("self", ADDRESS)
    api.registered("self", USER, references=[to(subject="self")])
    assert api.delete("/subjects/self").body == [1, 2]
    assert api.delete("/subjects/self?permanent=true").body == [1, 2]
    assert api.ok("GET", "/subjects?deleted=true") == []


def test_case_070_a_text_that_spells_everything_out_is_the_same(api: Registry, ref: None) -> None:
    made = use(api).body
    assert api.look_up("user", WHOLE).body["id"] == made["id"]
    assert api.register("user", WHOLE).body["id"] == made["id"]


def test_case_071_the_newest_version_is_stored_by_number(api: Registry, ref: None) -> None:
    assert use(api, version=-1).body["references"] == [to(version=1)]


@pytest.mark.parametrize(
    ("user", "first", "second", "shown"),
    [
        ("user", ":.:ref", "ref", "ref"),
        ("user", "ref", ":.:ref", "ref"),
        (":.c1:user", ":.c1:own", "own", "own"),
        (":.c1:user", ":.:ref", ":.:ref", ":.:ref"),
        ("user", ":.c1:own", ":.c1:own", ":.c1:own"),
    ],
)
def test_a_subject_referred_to_in_either_spelling_is_the_same(
    api: Registry, ref: None, user: str, first: str, second: str, shown: str
) -> None:
    newer = api.with_new_members()
    api.registered(":.c1:own", ADDRESS)
    made, again, found = (
        use(newer, user, subject=first).body,
        use(newer, user, subject=second).body,
        newer.look_up(user, USER, references=[to(subject=second)]).body,
    )
    assert made == again
    assert made["references"] == [to(subject=shown)]
    assert (found["id"], found["guid"], found["version"]) == (made["id"], made["guid"], 1)
    assert use(newer, f"{user}2", subject=second).body["guid"] == made["guid"]


def test_a_referenced_type_takes_part_in_the_check(api: Registry, ref: None) -> None:
    use(api)
    api.level("ref", "NONE")
    api.registered("ref", record("zip", "street", name="Address", namespace="geo"))
    refused = use(api, version=2)
    assert refused.error == (409, 40901)
    assert "street" in refused.body["message"]


def test_nobody_can_build_a_cycle(api: Registry, ref: None) -> None:
    """What does not exist yet cannot be referred to, not even by itself."""
    loop = record({"name": "me", "type": "Loop"}, name="Loop")
    answer = api.register("loop", loop, references=[to("Loop", "loop")])
    assert answer.error == (422, 42201)
    assert api.ok("GET", "/subjects?subjectPrefix=loop&deleted=true") == []


def test_the_same_text_with_other_references_is_another_schema(api: Registry, ref: None) -> None:
    one = use(api).body["id"]
    api.registered("ref2", ADDRESS)
    assert use(api, "user2", subject="ref2").body["id"] != one


def test_a_reference_that_is_no_object_is_named(api: Registry) -> None:
    body = {"schema": json.dumps(USER), "references": [to(), 7]}
    answer = api.call("POST", "/subjects/s/versions", body)
    assert (answer.error, answer.body["message"]) == ((400, 400), "references[1] must be an object")
