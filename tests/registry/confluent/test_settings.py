"""Config and mode: at a subject, a context, and above all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from registry.services.configuration import MEMBERS
from tenants.rights import RIGHTS
from tests.house.pages.confluent import MEMBERS_IN_FORCE
from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

ONE, BREAKING = record("a"), record({"name": "a", "type": "string"})


def test_case_097_unset(api: Registry) -> None:
    assert api.ok("GET", "/config") == {"compatibilityLevel": "BACKWARD"}
    unset = api.get("/config/s")
    assert unset.error == (404, 40408)
    assert unset.body["message"] == "Subject 's' does not have subject-level compatibility configured"
    assert api.ok("GET", "/config/s?defaultToGlobal=true") == {"compatibilityLevel": "BACKWARD"}


def test_case_098_a_level_needs_no_subject(api: Registry) -> None:
    assert api.ok("PUT", "/config/s", {"compatibility": "FULL"}) == {"compatibility": "FULL"}
    assert api.ok("GET", "/config/s") == {"compatibilityLevel": "FULL"}


def test_case_099_an_unknown_level(api: Registry) -> None:
    answer = api.call("PUT", "/config/s", {"compatibility": "BOGUS"})
    assert answer.error == (422, 42203)
    assert answer.body["message"] == (
        "Invalid compatibility level. Valid values are none, backward, forward, full, "
        "backward_transitive, forward_transitive, and full_transitive"
    )
    assert api.ok("PUT", "/config/s", {"compatibility": "full"}) == {"compatibility": "FULL"}


def test_case_100_absent_keeps_and_null_clears(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"compatibility": "FULL", "normalize": True})
    assert api.ok("PUT", "/config/s", {}) == {"normalize": True, "compatibility": "FULL"}
    assert api.ok("PUT", "/config/s", {"compatibility": None}) == {"normalize": True}
    assert api.ok("GET", "/config/s?defaultToGlobal=true")["compatibilityLevel"] == "BACKWARD"


def test_nothing_given_stores_nothing(api: Registry) -> None:
    assert api.ok("PUT", "/config/s", {}) == {}
    assert api.get("/config/s").error == (404, 40408)


def test_case_101_deleting_answers_what_was(api: Registry) -> None:
    api.level("s", "FORWARD")
    assert api.delete("/config/s").body == {"compatibilityLevel": "FORWARD"}
    assert api.ok("GET", "/config/s?defaultToGlobal=true") == {"compatibilityLevel": "BACKWARD"}
    assert api.delete("/config/s").error == (404, 40401)
    api.ok("PUT", "/config", {"compatibility": "NONE"})
    assert api.delete("/config").body == {"compatibilityLevel": "NONE"}
    assert api.delete("/config").body == {"compatibilityLevel": "BACKWARD"}


def test_case_102_two_spellings_of_the_top_level(api: Registry) -> None:
    api.ok("PUT", "/config/:.:", {"compatibility": "NONE"})
    assert api.ok("GET", "/config") == api.ok("GET", "/config/%3A.%3A") == {"compatibilityLevel": "NONE"}
    assert api.delete("/config/:.:").status == 200


def test_case_103_the_top_level_is_about_the_default_context(api: Registry) -> None:
    api.registered(":.c:s", ONE)
    api.ok("PUT", "/config", {"compatibility": "NONE"})
    assert api.register(":.c:s", BREAKING).error == (409, 40901)
    api.ok("PUT", "/config/:.__GLOBAL:", {"compatibility": "NONE"})
    assert api.register(":.c:s", BREAKING).status == 200


def test_a_context_has_a_level_of_its_own(api: Registry) -> None:
    api.registered(":.c:s", ONE)
    api.ok("PUT", "/config/:.c:", {"compatibility": "NONE"})
    assert api.register(":.c:s", BREAKING).status == 200
    assert api.ok("GET", "/config/:.c:") == {"compatibilityLevel": "NONE"}


def test_case_104_a_record_is_never_completed_by_its_parent(api: Registry) -> None:
    api.ok("PUT", "/config", {"compatibility": "NONE"})
    api.ok("PUT", "/config/s", {"normalize": False})
    assert api.ok("GET", "/config/s?defaultToGlobal=true") == {
        "normalize": False,
        "compatibilityLevel": "BACKWARD",
    }
    api.registered("s", ONE)
    assert api.register("s", BREAKING).error == (409, 40901)


def test_every_member_of_a_record_is_kept(api: Registry) -> None:
    record_ = {
        "alias": "b",
        "normalize": True,
        "validateFields": False,
        "compatibility": "FULL",
        "compatibilityPolicy": "LENIENT",
        "compatibilityGroup": "g",
        "defaultMetadata": {"properties": {"k": "v"}},
    }
    assert api.ok("PUT", "/config/s", record_) == record_


def test_members_come_in_the_order_of_the_dialect(api: Registry) -> None:
    texts = dict.fromkeys(("alias", "aliasForDeks", "compatibilityGroup"), "x")
    flags = dict.fromkeys(("normalize", "validateFields", "validateNewSchemas", "validateRules"), True)
    metadata = {name: {"properties": {"k": "v"}} for name in ("overrideMetadata", "defaultMetadata")}
    rules = {name: {"enableAt": "ALL"} for name in ("overrideRuleSet", "defaultRuleSet")}
    sent = {**rules, **metadata, **flags, **texts, "compatibility": "FULL", "compatibilityPolicy": "LENIENT"}
    shown = [name.replace("compatibilityLevel", "compatibility") for name in MEMBERS]
    assert list(api.ok("PUT", "/config/s", sent)) == shown
    for query in ("", "?defaultToGlobal=true"):
        assert list(api.ok("GET", f"/config/s{query}")) == [*MEMBERS]
    assert list(api.delete("/config/s").body) == [*MEMBERS]


def test_an_unknown_policy_is_dropped(api: Registry) -> None:
    assert api.ok("PUT", "/config/s", {"compatibilityPolicy": "ODD", "normalize": True}) == {
        "normalize": True
    }


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"compatibility": 7}, "compatibility"),
        ({"normalize": "yes"}, "normalize"),
        ({"alias": ["a"]}, "alias"),
        ({"alias": "a\0"}, "alias"),
        ({"compatibilityGroup": "\ud800"}, "compatibilityGroup"),
        ({"defaultMetadata": []}, "defaultMetadata"),
        ({"defaultMetadata": {"properties": {"a\0": "v"}}}, "defaultMetadata"),
        ({"overrideRuleSet": {"enableAt": "y" * 20_000}}, "overrideRuleSet"),
    ],
)
def test_a_member_of_the_wrong_type_is_named(api: Registry, body: dict[str, Any], place: str) -> None:
    answer = api.call("PUT", "/config/s", body)
    assert answer.error == (400, 400)
    assert answer.body["message"].startswith(place)
    assert api.get("/config/s").error == (404, 40408)


@pytest.mark.parametrize(
    "name", ["__GLOBAL", "a%00b", "x%2Fversions", ":*:", ":*:a", ":.a%2Fb:", ":.a%2Fb:s"]
)
@pytest.mark.parametrize(
    ("setting", "body"), [("config", {"normalize": True}), ("mode", {"mode": "READONLY"})]
)
def test_an_impossible_place_holds_no_settings(api: Registry, setting: str, body: object, name: str) -> None:
    assert api.call("PUT", f"/{setting}/{name}", body).error == (422, 42208)


def test_a_read_only_subject_keeps_its_config(api: Registry) -> None:
    api.mode("s", "READONLY")
    answer = api.call("PUT", "/config/s", {"compatibility": "FULL"})
    assert answer.error == (422, 42205)
    assert answer.body["message"] == "Subject s in context  is in read-only mode"


def test_case_117_read_only(api: Registry) -> None:
    api.registered("s", ONE)
    assert api.ok("PUT", "/mode", {"mode": "readonly"}) == {"mode": "readonly"}
    assert api.ok("GET", "/mode") == {"mode": "READONLY"}
    assert api.register("s", record("a", optional("b"))).error == (422, 42205)
    assert api.registered("s", ONE) == 1
    assert api.get("/schemas/ids/1").status == 200
    assert api.delete("/subjects/s").error == (422, 42205)
    api.mode("", "READWRITE")
    assert api.delete("/subjects/s").body == [1]


@pytest.mark.parametrize(
    ("path", "mode", "message"),
    [
        ("/mode", "BOGUS", "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD."),
        ("/mode/s", "FORWARD", "Forward mode only supported on global level"),
        ("/mode", "FORWARD", "Forward mode only supported on global level"),
    ],
)
def test_case_118_impossible_modes(api: Registry, path: str, mode: str, message: str) -> None:
    answer = api.call("PUT", path, {"mode": mode})
    assert (answer.error, answer.body["message"]) == ((422, 42204), message)


def test_an_operator_can_fix_all_modes(api: Registry, settings: Settings) -> None:
    api.mode("s", "READONLY")
    settings.ACCORD_MODE_CHANGES = False
    for answer in (api.call("PUT", "/mode/s", {"mode": "READWRITE"}), api.delete("/mode/s")):
        assert (answer.error, answer.body["message"]) == ((422, 42205), "Mode changes are not allowed")
    assert api.ok("GET", "/mode/s") == {"mode": "READONLY"}


def test_forward_above_all(api: Registry) -> None:
    assert api.ok("PUT", "/mode/:.__GLOBAL:", {"mode": "FORWARD"}) == {"mode": "FORWARD"}
    assert api.ok("GET", "/mode/s?defaultToGlobal=true") == {"mode": "FORWARD"}


def test_case_119_an_id_needs_an_import(api: Registry) -> None:
    answer = api.register("s", PROBE, id=7)
    assert answer.error == (422, 42205)
    assert answer.body["message"] == "Subject s in context  is not in import mode"


def test_case_120_an_import_takes_ids_and_versions_as_they_come(api: Registry) -> None:
    api.mode("s", "IMPORT")
    made = api.register("s", ONE, id=7, version=3).body
    assert (made["id"], made["version"]) == (7, 3)
    assert api.register("s", ONE).body["id"] == 7
    refused = api.register("s", BREAKING)
    assert (refused.error, refused.body["message"]) == (
        (422, 42205),
        "Subject s in context  is not in read-write mode",
    )
    assert api.register("s", BREAKING, id=9).body["version"] == 4


def test_case_121_an_import_needs_room(api: Registry) -> None:
    api.registered("s", ONE)
    answer = api.call("PUT", "/mode", {"mode": "IMPORT"})
    assert (answer.error, answer.body["message"]) == (
        (422, 42205),
        "Cannot import since found existing subjects",
    )
    assert api.call("PUT", "/mode?force=true", {"mode": "IMPORT"}).status == 200
    api.mode("", "READWRITE")
    api.delete("/subjects/s")
    api.mode("", "IMPORT")
    assert api.ok("GET", "/subjects?deleted=true") == []


@pytest.mark.parametrize("place", ["/s", "/:.:", "", "/:.__GLOBAL:"])
def test_purging_leftovers_needs_the_right_to_purge(
    api: Registry, api_with: Callable[..., Registry], place: str
) -> None:
    api.registered("s", ONE)
    api.delete("/subjects/s")
    answer = api_with(*(RIGHTS.keys() - {"subject.purge"})).call("PUT", f"/mode{place}", {"mode": "IMPORT"})
    assert answer.error == (403, 403)
    assert "subject.purge" in answer.body["message"]
    assert api.ok("GET", "/subjects?deleted=true") == ["s"]


def test_an_import_where_nothing_was_needs_no_right_to_purge(api_with: Callable[..., Registry]) -> None:
    api_with("mode.write").mode("s", "IMPORT")


def test_case_122_an_id_stands_for_one_schema_in_a_context(api: Registry) -> None:
    api.ok("PUT", "/mode/:.__GLOBAL:", {"mode": "IMPORT"})
    api.registered("s", ONE, id=1)
    taken = api.register("t", BREAKING, id=1)
    assert taken.error == (422, 42205)
    assert taken.body["message"] == "Overwrite new schema with id 1 in context . is not permitted."
    assert api.registered(":.c:t", BREAKING, id=1) == 1


def test_case_123_one_schema_may_be_imported_under_several_ids(api: Registry) -> None:
    api.mode("", "IMPORT")
    assert [api.registered(name, ONE, id=number) for name, number in (("s", 5), ("s", 6), ("t", 7))] == [
        5,
        6,
        7,
    ]
    assert api.versions("s") == [1, 2]
    assert api.register("s", BREAKING, id=8).status == 200


def test_a_live_version_is_never_overwritten(api: Registry) -> None:
    api.mode("s", "IMPORT")
    api.registered("s", ONE, id=5, version=1)
    assert api.register("s", BREAKING, id=6, version=1).error == (422, 42205)
    assert api.registered("s", ONE, id=5, version=1) == 5
    api.delete("/subjects/s/versions/1")
    assert api.register("s", BREAKING, id=6, version=1).status == 200


@pytest.mark.parametrize("place", ["", ":.c:"])
def test_old_registries_began_with_id_0(api: Registry, place: str) -> None:
    api.mode(place, "IMPORT")
    assert api.registered(f"{place}s", ONE, id=0, version=1) == 0
    assert api.ok("GET", f"/schemas/ids/0?subject={place}&fetchMaxId=true")["maxId"] == 0
    assert api.ok("GET", "/contexts") == sorted({".", place.strip(":") or "."})
    assert api.register(f"{place}s", BREAKING, id=0).error == (422, 42205)
    api.mode(place, "READWRITE")
    assert [api.registered(f"{place}t{one}", one) for one in ("int", "long")] == [1, 2]
    assert api.registered(f"{place}t", ONE) == 0


@pytest.mark.parametrize("config", [{}, {"defaultMetadata": {"properties": {"k": "v"}}}, {"normalize": True}])
def test_what_is_imported_twice_is_imported_once(api: Registry, config: dict[str, Any]) -> None:
    api.ok("PUT", "/config/s", config)
    api.mode("s", "IMPORT")
    first = [api.register("s", ONE, id=7, version=number).body for number in (3, 5)]
    again = [api.register("s", ONE, id=7, version=number) for number in (3, 5)]
    assert [one.body for one in again] == first
    assert api.versions("s") == [3, 5]
    assert api.register("s", ONE, id=7, version=-1).body["version"] == 5
    assert api.register("s", BREAKING, id=8, version=3).error == (422, 42205)


def test_case_124_automatic_ids_go_on_after_the_highest_import(api: Registry) -> None:
    api.mode("", "IMPORT")
    api.registered("s", ONE, id=100)
    api.mode("", "READWRITE")
    assert api.registered("t", BREAKING) == 101
    assert api.registered("u", ONE) == 100


def test_case_125_unset_modes(api: Registry) -> None:
    unset = api.get("/mode/s")
    assert unset.error == (404, 40409)
    assert unset.body["message"] == "Subject 's' does not have subject-level mode configured"
    assert api.ok("GET", "/mode/s?defaultToGlobal=True") == {"mode": "READWRITE"}
    assert api.delete("/mode/s").error == (404, 40401)
    api.mode("s", "READONLY")
    api.ok("PUT", "/mode/s", {"mode": None})
    assert api.get("/mode/s").error == (404, 40409)
    assert api.call("PUT", "/mode/s", {}).error == (422, 42204)
    assert api.call("PUT", "/mode/s", {"mode": 1}).error == (400, 400)


def test_case_126_a_context_and_all_inside(api: Registry) -> None:
    for place in (":.c:", ":.c:s", ":.d:s"):
        api.mode(place, "READONLY")
    assert api.delete("/mode/:.c:?recursive=true").body == {"mode": "READONLY"}
    assert api.get("/mode/:.c:s").error == (404, 40409)
    assert api.ok("GET", "/mode/:.d:s") == {"mode": "READONLY"}
    assert api.delete("/mode/:.c:?recursive=true").body == {}
    assert api.delete("/mode/:.c:s?recursive=true").body == {}
    assert api.delete("/mode/:.c:s").error == (404, 40401)


def test_without_recursion_only_the_context_loses_its_mode(api: Registry) -> None:
    for place in (":.c:", ":.c:s"):
        api.mode(place, "READONLY")
    api.delete("/mode/:.c:")
    assert api.ok("GET", "/mode/:.c:s") == {"mode": "READONLY"}


def test_the_top_level_mode_falls_back(api: Registry) -> None:
    api.mode("", "READONLY")
    assert api.delete("/mode").body == {"mode": "READONLY"}
    assert api.delete("/mode").body == api.ok("GET", "/mode") == {"mode": "READWRITE"}


IDLE = {
    "aliasForDeks": "other",
    "validateRules": True,
}


def test_members_that_the_manual_calls_idle_are_stored_and_change_nothing(api: Registry) -> None:
    """Once one takes effect, `MEMBERS_IN_FORCE` of the manual's page must name it."""
    assert set(IDLE) == set(MEMBERS) - MEMBERS_IN_FORCE
    assert api.ok("PUT", "/config/s", IDLE) == api.ok("GET", "/config/s") == IDLE
    assert api.registered("plain", ONE) == api.registered("s", ONE)
    assert api.register("s", BREAKING).error == (409, 40901)
    assert api.ok("GET", "/subjects") == ["plain", "s"]
