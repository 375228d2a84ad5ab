"""One change under every preset over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import optional, record
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

MATRIX = f"{NAMESPACE}/subjects/s/matrix"
WIDE = record("a", "b")


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice; the subject *s* has two versions that differ by an optional field."""
    api.registered("s", record("a"))
    api.registered("s", record("a", optional("b")))
    return Native(api.token)


def matrix(native: Native, **body: object) -> Any:
    return native.ok("POST", MATRIX, {"schema": json.dumps(WIDE), **body})


def words(told: Any) -> set[str]:
    return {one["verdict"] for one in told["presets"]}


def test_a_candidate_is_held_against_the_latest_version(native: Native) -> None:
    told = matrix(native)
    assert (told["subject"], told["old"], told["new"], told["level"]) == ("s", 2, None, "BACKWARD")
    assert len(told["presets"]) == 6
    assert told["presets"][0] == {
        "preset": "confluent:8.1",
        "verdict": "allowed",
        "is_compatible": True,
        "rules": [],
    }


def test_another_version_level_and_preset_can_be_named(native: Native) -> None:
    told = matrix(native, version=1, level="FULL", presets=["confluent", "confluent:8.1"])
    (one,) = told["presets"]
    assert (told["old"], one["preset"], one["rules"]) == (
        1,
        "confluent:8.1",
        ["READER_FIELD_MISSING_DEFAULT_VALUE"],
    )
    (finding,) = told["rules"][0]["findings"]
    assert (finding["direction"], finding["old"], finding["path"]) == (
        "backward",
        {"line": 1, "column": 1},
        "/fields/1",
    )


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"version": 3}, 404, "version_not_found"),
        ({"presets": ["x"]}, 422, "invalid_policy"),
        ({"level": "x"}, 422, "unknown_level"),
        ({"schema": "{"}, 422, "invalid_schema"),
    ],
)
def test_what_cannot_be_asked(native: Native, body: dict[str, object], status: int, code: str) -> None:
    answer = native.call("POST", MATRIX, {"schema": '"int"', **body})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_who_may_not_read_sees_no_place_in_what_is_stored(
    native: Native, api_with: Callable[..., Registry]
) -> None:
    assert matrix(native, version=1)["rules"][0]["findings"][0]["old"] is not None
    told = matrix(Native(api_with("compat.check").token), version=1)
    assert told["rules"][0]["findings"][0]["old"] is None


def test_a_new_subject_has_nothing_to_compare_with(native: Native) -> None:
    answer = native.call("POST", f"{NAMESPACE}/subjects/new/matrix", {"schema": '"int"'})
    assert answer.status_code == 404
    assert native.call("GET", f"{NAMESPACE}/subjects/new/matrix").status_code == 404


def test_two_versions_are_compared(native: Native, api: Registry) -> None:
    told = native.ok("GET", MATRIX)
    assert (told["old"], told["new"], words(told)) == (1, 2, {"allowed"})
    swapped = native.ok("GET", f"{MATRIX}?old=2&new=1&level=FORWARD&preset=accord")
    assert (swapped["old"], swapped["new"], [one["preset"] for one in swapped["presets"]]) == (
        2,
        1,
        ["accord:1"],
    )
    first = native.ok("GET", f"{MATRIX}?new=1")
    assert (first["old"], words(first), first["rules"]) == (1, {"allowed"}, [])
    api.level("s", "NONE")
    assert native.ok("GET", MATRIX)["level"] == "BACKWARD"


def test_the_latest_version_is_a_live_one(native: Native, api: Registry) -> None:
    api.ok("DELETE", "/subjects/s/versions/2")
    told = native.ok("GET", MATRIX)
    assert (told["old"], told["new"]) == (1, 1)
    assert native.ok("GET", f"{MATRIX}?new=2")["new"] == 2
    assert native.call("POST", MATRIX, {"schema": json.dumps(WIDE), "version": 2}).status_code == 404
    api.ok("DELETE", "/subjects/s")
    assert native.call("GET", MATRIX).json()["code"] == "subject_not_found"


def test_protobuf_is_asked_of_thirty_presets(native: Native, api: Registry) -> None:
    head = 'syntax = "proto3"; message M {'
    service.use(COMPILER)
    stored = {"schemaType": "PROTOBUF", "schema": f"{head} int32 a = 1; }}"}
    api.ok("POST", "/subjects/p/versions", stored)
    body = {"schema": f"{head} int64 a = 1; }}", "format": "PROTOBUF"}
    told = native.ok("POST", f"{NAMESPACE}/subjects/p/matrix", body)
    found = {one["preset"]: one["verdict"] for one in told["presets"]}
    assert (len(found), found["confluent:8.1"], found["buf:v2:WIRE"], found["buf:v2:FILE"]) == (
        30,
        "allowed",
        "allowed",
        "blocked",
    )


@pytest.mark.parametrize("asked", [("POST", {"schema": json.dumps(WIDE)}), ("GET", None)])
def test_a_change_too_large_for_a_request_is_refused(
    native: Native, settings: Settings, asked: tuple[str, object]
) -> None:
    settings.ACCORD_INLINE_CHECK_BYTES = 100
    method, body = asked
    refused = native.call(method, MATRIX, body)
    assert refused.status_code == 413
    assert b"both texts count as" in refused.content
    assert b"`accord matrix`" in refused.content
