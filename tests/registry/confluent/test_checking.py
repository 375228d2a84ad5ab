"""Checks and levels: what is compared, what is said, what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.registry.client import optional, record
from tests.registry.texts import nested

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

ONE = record("a")
ADDS_OPTIONAL = record("a", optional("b"))
ADDS_REQUIRED = record("a", "b")
DROPS_ALL: dict[str, Any] = record(optional("z"))
MISSING_B = (
    "{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'The field 'b' at path '/fields/1' in the "
    "new schema has no default value and is missing in the old schema', additionalInfo:'b'}"
)
OLD_ONE = '{oldSchema: \'{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}\'}'
SETTINGS = "{validateFields: 'false', compatibility: 'BACKWARD'}"


@pytest.fixture
def one(api: Registry) -> None:
    """Subject s with one version."""
    api.registered("s", ONE)


def test_case_082_against_the_latest_version(api: Registry, one: None) -> None:
    assert api.check("s/versions/latest", ADDS_OPTIONAL).body == {"is_compatible": True}
    assert api.check("s/versions/latest", ADDS_REQUIRED).body == {"is_compatible": False}
    assert api.check("s/versions/latest?verbose=true", ADDS_OPTIONAL).body["messages"] == []
    verbose = api.check("s/versions/1?verbose=True", ADDS_REQUIRED).body
    assert verbose["messages"] == [MISSING_B, "{oldSchemaVersion: 1}", OLD_ONE, SETTINGS]


def test_case_083_an_unknown_subject_accepts_anything_but_a_number(api: Registry) -> None:
    assert api.check("x/versions/latest", ONE).body == {"is_compatible": True}
    assert api.check("x/versions", ONE).body == {"is_compatible": True}
    assert api.check("x/versions/100", ONE).error == (404, 40402)
    assert api.check("x/versions/earliest", ONE).error == (422, 42202)


def test_case_084_an_invalid_schema(api: Registry, one: None) -> None:
    assert api.check("s/versions/latest", {"type": "record"}).error == (422, 42201)
    verbose = api.check("s/versions?verbose=true", {"type": "record"}).body
    assert verbose["is_compatible"] is False
    assert len(verbose["messages"]) == 1
    assert verbose["messages"][0].startswith("Invalid schema of type AVRO")


def test_an_unknown_type_is_a_message_too(api: Registry, one: None) -> None:
    verbose = api.check("s/versions?verbose=true", ONE, schemaType="FOO").body
    assert verbose == {"is_compatible": False, "messages": ["Invalid schema type FOO"]}


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "string", "doc": "x" * 1_100_000}, "bytes"),
        (json.loads(nested(200)), "deep"),
        (record(*[f"f{number}" for number in range(20_001)]), "fields"),
    ],
    ids=["text", "depth", "fields"],
)
def test_a_schema_above_a_limit_is_a_message_too(api: Registry, schema: Any, word: str) -> None:
    assert api.check("s/versions", schema).error == (422, 42209)
    verbose = api.check("s/versions?verbose=true", schema)
    assert (verbose.status, verbose.body["is_compatible"]) == (200, False)
    (message,) = verbose.body["messages"]
    assert word in message


def test_case_085_a_refusal_quotes_every_finding_and_the_old_schema(api: Registry, one: None) -> None:
    answer = api.register("s", ADDS_REQUIRED)
    assert answer.error == (409, 40901)
    details = f"{MISSING_B}, {{oldSchemaVersion: 1}}, {OLD_ONE}, {SETTINGS}"
    assert answer.body["message"] == (
        'Schema being registered is incompatible with an earlier schema for subject "s", '
        f"details: [{details}]"
    )
    assert api.versions("s") == [1]


@pytest.mark.parametrize("subject", ["s", "a/b c", ".."])
def test_a_refusal_leads_to_where_it_is_explained(api: Registry, subject: str) -> None:
    api.registered(subject, ONE)
    answer = api.register(subject, ADDS_REQUIRED)
    address, relation, _ = answer.headers["Link"].split("; ")
    assert relation == 'rel="help"'
    told = json.loads(
        Client()
        .post(
            address.strip("<>"),
            {"schema": json.dumps(ADDS_REQUIRED)},
            content_type="application/json",
            headers={"Authorization": f"Bearer {api.token}"},
        )
        .content
    )
    assert told["is_compatible"] is False
    assert told["comparisons"][0]["findings"][0]["advice"]
    assert "Link" not in api.check("s9/versions", "int").headers


def test_case_086_forward(api: Registry, one: None) -> None:
    api.level("s", "FORWARD")
    assert api.register("s", DROPS_ALL).error == (409, 40901)
    assert api.register("s", ADDS_REQUIRED).status == 200


def test_case_087_none_lets_everything_in_and_backward_looks_at_the_newest(api: Registry, one: None) -> None:
    api.level("s", "NONE")
    api.registered("s", ADDS_REQUIRED)
    api.level("s", "BACKWARD")
    assert api.register("s", record("a", "b", optional("c"))).status == 200


@pytest.mark.parametrize(
    ("level", "status"),
    [
        ("BACKWARD", 200),
        ("BACKWARD_TRANSITIVE", 409),
        ("FORWARD", 200),
        ("FORWARD_TRANSITIVE", 409),
        ("FULL", 200),
        ("FULL_TRANSITIVE", 409),
    ],
)
def test_case_088_transitive_levels_look_at_every_version(api: Registry, level: str, status: int) -> None:
    """Add an optional int, remove it, add it as a string: only the first version minds."""
    sequence = (record("a", optional("b")), record("a"))
    for schema in sequence:
        api.registered("s", schema)
    api.level("s", level)
    third = api.register("s", record("a", {"name": "b", "type": "string", "default": ""}))
    assert third.status == status
    assert ("{oldSchemaVersion: 1}" in third.raw.decode()) is (status == 409)


def test_case_089_the_level_of_the_subject_wins(api: Registry, one: None) -> None:
    api.ok("PUT", "/config", {"compatibility": "NONE"})
    api.level("s", "FULL")
    assert api.register("s", DROPS_ALL).error == (409, 40901)


def test_case_090_only_the_version_named_is_consulted(api: Registry, one: None) -> None:
    api.level("s", "BACKWARD_TRANSITIVE")
    api.registered("s", ADDS_OPTIONAL)
    breaks_two_alone = record("a", {"name": "b", "type": "string", "default": ""})
    assert api.check("s/versions/1", breaks_two_alone).body["is_compatible"] is True
    assert api.check("s/versions", breaks_two_alone).body["is_compatible"] is False


def test_case_091_a_soft_deleted_version_is_not_there(api: Registry, one: None) -> None:
    api.registered("s", ADDS_OPTIONAL)
    api.delete("/subjects/s/versions/2")
    assert api.check("s/versions/2", ONE).error == (404, 40402)


def test_the_mode_does_not_matter(api: Registry, one: None) -> None:
    api.mode("s", "READONLY")
    assert api.check("s/versions", ADDS_OPTIONAL).body["is_compatible"] is True


def test_a_check_stores_nothing(api: Registry) -> None:
    api.check("x/versions/latest", ONE)
    assert api.ok("GET", "/subjects?deleted=true") == []
    assert api.get("/schemas/ids/1").error == (404, 40403)


def test_full_prints_the_old_schema_once(api: Registry, one: None) -> None:
    api.level("s", "FULL")
    messages = api.check("s/versions?verbose=true", record({"name": "a", "type": "string"})).body["messages"]
    assert [one.partition(":")[0] for one in messages] == [
        "{errorType",
        "{errorType",
        "{oldSchemaVersion",
        "{oldSchema",
        "{validateFields",
    ]


def test_a_refusal_for_thousands_of_reasons_stays_short(api: Registry, one: None) -> None:
    hostile = record(*[f"f{number}" for number in range(16_000)])
    refused = api.register("s", hostile)
    verbose = api.check("s/versions?verbose=true", hostile)
    assert refused.error == (409, 40901)
    assert len(verbose.body["messages"]) == 1_000 + len(["... and N more", "version", "text", "settings"])
    assert "... and 15000 more" in refused.body["message"]
    assert max(len(refused.raw), len(verbose.raw)) < 300_000
