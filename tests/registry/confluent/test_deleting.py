"""Deleting softly and for good, and what it does to numbers and ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.client import optional, record

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

ONE, TWO = record("a"), record("a", optional("b"))


@pytest.fixture(autouse=True)
def two(api: Registry) -> None:
    """Subject s with two versions, ids 1 and 2."""
    api.registered("s", ONE)
    api.registered("s", TWO)


def test_case_043_a_soft_deleted_version_is_hidden(api: Registry) -> None:
    assert api.delete("/subjects/s/versions/1").body == 1
    assert api.versions("s") == [2]
    assert api.get("/subjects/s/versions/1").error == (404, 40402)
    assert api.ok("GET", "/subjects/s/versions/1?deleted=true")["version"] == 1
    assert api.get("/schemas/ids/1").status == 200


def test_case_044_softly_twice_then_for_good_twice(api: Registry) -> None:
    api.delete("/subjects/s/versions/2")
    again = api.delete("/subjects/s/versions/2")
    assert again.error == (404, 40406)
    assert again.body["message"] == (
        "Subject 's' Version 2 was soft deleted.Set permanent=true to delete permanently"
    )
    assert api.delete("/subjects/s/versions/2?permanent=true").body == 2
    assert api.get("/subjects/s/versions/2?deleted=true").error == (404, 40402)
    assert api.delete("/subjects/s/versions/2?permanent=true").error == (404, 40402)


def test_case_045_for_good_needs_softly_first(api: Registry) -> None:
    answer = api.delete("/subjects/s/versions/1?permanent=True")
    assert answer.error == (404, 40407)
    assert answer.body["message"] == (
        "Subject 's' Version 1 was not deleted first before being permanently deleted"
    )


def test_case_046_latest_is_the_highest_live_version(api: Registry) -> None:
    assert api.delete("/subjects/s/versions/latest").body == 2
    assert api.versions("s") == [1]
    assert api.delete("/subjects/s/versions/-1").body == 1
    assert api.delete("/subjects/s/versions/latest").error == (404, 40402)


def test_case_047_what_is_not_there(api: Registry) -> None:
    assert api.delete("/subjects/x/versions/1").error == (404, 40401)
    assert api.delete("/subjects/s/versions/9").error == (404, 40402)
    assert api.delete("/subjects/s/versions/0").error == (422, 42202)


def test_case_048_a_soft_deleted_subject(api: Registry) -> None:
    assert api.delete("/subjects/s").body == [1, 2]
    assert api.get("/subjects/s/versions").error == (404, 40401)
    assert api.get("/subjects/s/versions/1").error == (404, 40401)
    assert api.get("/subjects/s/versions/latest").error == (404, 40401)
    assert api.get("/subjects/s/versions/latest?deleted=true").error == (404, 40402)
    assert api.ok("GET", "/subjects") == []
    assert api.ok("GET", "/subjects?deleted=true") == ["s"]
    assert api.ok("GET", "/subjects?deletedOnly=true") == ["s"]
    assert api.ok("GET", "/subjects?deleted_only=True&deleted=true") == ["s"]


def test_case_049_a_subject_softly_twice_then_for_good(api: Registry) -> None:
    live = api.delete("/subjects/s?permanent=true")
    assert live.error == (404, 40405)
    assert live.body["message"] == "Subject 's' was not deleted first before being permanently deleted"
    api.delete("/subjects/s")
    again = api.delete("/subjects/s")
    assert again.error == (404, 40404)
    assert again.body["message"] == ("Subject 's' was soft deleted.Set permanent=true to delete permanently")
    assert api.delete("/subjects/s?permanent=true").body == [1, 2]
    assert api.ok("GET", "/subjects?deleted=true") == []
    assert api.delete("/subjects/s?permanent=true").error == (404, 40401)
    assert api.delete("/subjects/x").error == (404, 40401)


def test_the_names_of_impossible_subjects_are_simply_unknown(api: Registry) -> None:
    assert api.delete("/subjects/__GLOBAL").error == (404, 40401)
    assert api.delete("/subjects/a%00b").error == (404, 40401)


def test_case_050_one_deleted_version_leaves_the_subject_live(api: Registry) -> None:
    api.delete("/subjects/s/versions/1")
    assert api.ok("GET", "/subjects?deletedOnly=true") == []
    assert api.versions("s", "?deletedOnly=true") == [1]
    assert api.versions("s", "?deleted=true") == [1, 2]


def test_nothing_deleted_in_a_live_subject_is_an_empty_list(api: Registry) -> None:
    assert api.versions("s", "?deletedOnly=true") == []


def test_case_051_versions_registered_again_get_new_numbers_and_old_ids(api: Registry) -> None:
    api.delete("/subjects/s")
    again = [api.register("s", schema).body for schema in (ONE, TWO)]
    assert [(one["id"], one["version"]) for one in again] == [(1, 3), (2, 4)]
    assert api.get("/subjects/s/versions/1").error == (404, 40402)
    assert api.get("/subjects/s/versions/1?deleted=true").error == (404, 40402)


def test_case_052_a_number_comes_back_once_it_is_gone_for_good(api: Registry) -> None:
    api.delete("/subjects/s/versions/2")
    api.delete("/subjects/s/versions/2?permanent=true")
    api.delete("/subjects/s/versions/1")
    assert [api.register("s", ONE).body["version"] for _ in range(2)] == [2, 2]


def test_case_053_what_is_gone_for_good_gets_a_new_id(api: Registry) -> None:
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    assert api.get("/schemas/ids/1").error == (404, 40403)
    again = api.register("s", ONE).body
    assert (again["id"], again["version"]) == (3, 1)


def test_an_id_in_use_elsewhere_stays(api: Registry) -> None:
    api.registered("t", ONE)
    api.delete("/subjects/s")
    api.delete("/subjects/s?permanent=true")
    assert api.get("/schemas/ids/1").status == 200
    assert api.registered("s", ONE) == 1


def test_case_054_looking_a_deleted_version_up(api: Registry) -> None:
    api.delete("/subjects/s/versions/1")
    assert api.look_up("s", ONE).error == (404, 40403)
    assert api.look_up("s", ONE, query="?deleted=true").body["version"] == 1


def test_case_055_the_version_before_becomes_the_baseline(api: Registry) -> None:
    api.delete("/subjects/s/versions/2")
    breaking_two_alone = record("a", {"name": "b", "type": "string", "default": ""})
    assert api.check("s/versions/latest", breaking_two_alone).body == {"is_compatible": True}


def test_case_056_settings_outlive_a_soft_delete_only(api: Registry) -> None:
    api.level("s", "FULL")
    api.mode("s", "READWRITE")
    api.delete("/subjects/s")
    api.registered("s", ONE)
    assert api.ok("GET", "/config/s") == {"compatibilityLevel": "FULL"}
    for permanent in ("", "?permanent=true"):
        assert api.delete(f"/subjects/s{permanent}").status == 200
    assert api.get("/config/s").error == (404, 40408)
    assert api.get("/mode/s").error == (404, 40409)


def test_the_last_version_takes_the_settings_with_it(api: Registry) -> None:
    api.level("s", "FULL")
    for number in (1, 2):
        api.delete(f"/subjects/s/versions/{number}")
        api.delete(f"/subjects/s/versions/{number}?permanent=true")
    assert api.get("/config/s").error == (404, 40408)


def test_case_057_nothing_live_is_nothing_to_compare_with(api: Registry) -> None:
    api.delete("/subjects/s")
    assert api.register("s", record({"name": "a", "type": "string"})).body["version"] == 3


def test_case_058_deleted_versions_as_negative_numbers(api: Registry) -> None:
    api.delete("/subjects/s/versions/1")
    assert api.versions("s", "?deletedAsNegative=true") == [-1, 2]
    assert api.get("/subjects/x/versions?deletedAsNegative=true").error == (404, 40401)
