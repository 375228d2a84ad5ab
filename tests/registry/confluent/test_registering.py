"""Registering: ids, versions, what counts as the same schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import PROBE, optional, record, segment

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

MINIFIED = '{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}'


def test_case_012_an_empty_registry(api: Registry) -> None:
    assert api.ok("GET", "/subjects") == []
    assert api.get("/subjects/x/versions").error == (404, 40401)


def test_case_013_ids_and_versions_count_up(api: Registry) -> None:
    api.level("s", "NONE")
    made = [api.register("s", record(f"f{number}")).body for number in range(10)]
    assert [(one["id"], one["version"]) for one in made] == [(n, n) for n in range(1, 11)]


def test_case_014_the_same_schema_twice_is_one_version(api: Registry) -> None:
    assert api.registered("s", PROBE) == api.registered("s", PROBE)
    assert api.versions("s") == [1]


def test_case_015_the_same_schema_elsewhere_has_the_same_id(api: Registry) -> None:
    assert api.registered("a", PROBE) == api.registered("b", PROBE)
    assert api.versions("b") == [1]


def test_case_016_ids_count_in_the_context_and_versions_in_the_subject(api: Registry) -> None:
    assert api.registered("a", record("x")) == 1
    assert api.registered("a", record("x", optional("y"))) == 2
    made = api.register("b", record("z")).body
    assert (made["id"], made["version"]) == (3, 1)


def test_case_017_a_primitive_in_either_spelling(api: Registry) -> None:
    assert api.registered("s", {"type": "string"}) == api.registered("s", "string")
    assert api.ok("GET", "/schemas/ids/1")["schema"] == '"string"'


def test_case_018_the_text_is_stored_in_its_canonical_spelling(api: Registry) -> None:
    text = json.dumps(record("a"), indent=4)
    first = api.call("POST", "/subjects/s/versions", {"schema": text}).body
    assert first["schema"] == api.ok("GET", "/subjects/s/versions/1")["schema"] == MINIFIED
    assert api.call("POST", "/subjects/s/versions", {"schema": MINIFIED}).body["id"] == first["id"]
    shuffled = {"fields": [{"type": "int", "name": "a"}], "name": "R", "type": "record"}
    assert api.registered("s", shuffled) == first["id"]


def test_case_019_an_unknown_type_is_named(api: Registry) -> None:
    answer = api.register("s", PROBE, schemaType="FOO")
    assert answer.error == (422, 42201)
    assert answer.body["message"] == "Invalid schema type FOO"


def test_an_empty_type_means_avro(api: Registry) -> None:
    assert api.register("s", PROBE, schemaType="").status == 200


def test_case_020_an_invalid_text_says_why(api: Registry) -> None:
    answer = api.register("s", {"type": "record"})
    assert answer.error == (422, 42201)
    assert answer.body["message"].startswith("Invalid schema of type AVRO, details: ")


def test_case_021_a_default_must_fit_unless_the_config_waives_it(api: Registry) -> None:
    wrong = record({"name": "a", "type": "int", "default": "x"})
    assert api.register("s", wrong).error == (422, 42201)
    api.ok("PUT", "/config/s", {"validateNewSchemas": False})
    assert api.register("s", wrong).status == 200


def test_case_022_an_illegal_namespace_is_refused(api: Registry) -> None:
    assert api.register("s", record("a", namespace="a-b")).error == (422, 42201)


def test_case_023_another_type_under_the_same_subject(api: Registry) -> None:
    service.use(COMPILER)
    others = (("JSON", '{"type":"object"}'), ("PROTOBUF", 'syntax = "proto3"; message M {}'))
    api.registered("s", PROBE)
    for kind, text in others:
        refused = api.call("POST", "/subjects/s/versions", {"schemaType": kind, "schema": text})
        assert refused.error == (409, 40901)
        assert "Incompatible because of different schema type" in refused.body["message"]
    api.level("s", "NONE")
    for number, (kind, text) in enumerate(others, 2):
        made = api.call("POST", "/subjects/s/versions", {"schemaType": kind, "schema": text})
        assert (made.status, made.body["version"], made.body["schemaType"]) == (200, number, kind)
        assert api.ok("GET", f"/subjects/s/versions/{number}")["schemaType"] == kind


def test_case_024_the_type_of_avro_is_left_out(api: Registry) -> None:
    api.registered("s", PROBE)
    assert "schemaType" not in api.ok("GET", "/subjects/s/versions/1")
    assert "schemaType" not in api.look_up("s", PROBE).body
    assert api.with_new_members().look_up("s", PROBE).body["schemaType"] == "AVRO"


def test_case_025_a_text_above_the_limit_is_too_large(api: Registry) -> None:
    answer = api.register("s", {"type": "string", "doc": "x" * 1_100_000})
    assert answer.error == (422, 42209)
    assert answer.body["message"].startswith("Register operation failed because schema is too large")


@pytest.mark.parametrize(
    "name",
    ["a\x00b", "a\nb", "__GLOBAL", "__EMPTY", ":.c:__GLOBAL", "", ":.c:", "x/versions", "x/versions/7",
     "x/versions/7/word", "x/metadata", "x/", ":*:x", ":.a/b:x", "x" * 1025],
)  # fmt: skip
def test_case_026_impossible_subjects_are_refused(api: Registry, name: str) -> None:
    assert api.register(name, PROBE).error == (422, 42208)


def test_case_027_an_explicit_version_must_be_the_next(api: Registry) -> None:
    api.registered("s", record("a"))
    wider = record("a", optional("b"))
    gap = api.register("s", wider, version=3)
    assert (gap.error, gap.body["message"]) == ((422, 42201), "Version is not one more than previous version")
    assert api.register("s", wider, version=2).body["version"] == 2


def test_version_minus_one_looks_at_the_latest_alone(api: Registry) -> None:
    first, second = record("a"), record("a", optional("b"))
    api.registered("s", first)
    api.registered("s", second)
    assert api.register("s", second, version=-1).body["version"] == 2
    assert api.register("s", first, version=-1).body["version"] == 3


def test_case_028_an_unknown_format_is_ignored(api: Registry) -> None:
    first, second = record("a"), record("a", optional("b"))
    api.registered("s", first)
    answer = api.register("s", second, query="?format=novel")
    assert (answer.status, answer.body["version"]) == (200, 2)
    assert answer.body["schema"] == api.ok("GET", "/subjects/s/versions/2")["schema"]


@pytest.mark.parametrize(
    "name", ["a/b", "a b", "a%b", "a+b", "a:b", "größe", "漢字", "a?b", "a#b", ":x", "..", "a//b"]
)
def test_case_029_subjects_of_any_spelling_work_everywhere(api: Registry, name: str) -> None:
    api.registered(name, PROBE)
    api.level(name, "FULL")
    api.mode(name, "READWRITE")
    path = segment(name)
    assert api.ok("GET", "/subjects") == [name]
    assert api.versions(name) == [1]
    for tail in ("/versions/latest", "/metadata", "/versions/1"):
        assert api.ok("GET", f"/subjects/{path}{tail}")["subject"] == name
    assert api.get(f"/subjects/{path}/versions/1/schema").status == 200
    assert api.ok("GET", f"/subjects/{path}/versions/1/referencedby") == []
    assert api.ok("GET", f"/schemas/ids/1?subject={path}")["schema"]
    assert api.look_up(name, PROBE).body["subject"] == name
    for tail in ("versions", "versions/latest"):
        assert api.check(f"{path}/{tail}", PROBE).body == {"is_compatible": True}
    assert api.ok("GET", f"/config/{path}") == {"compatibilityLevel": "FULL"}
    assert api.ok("GET", f"/mode/{path}") == {"mode": "READWRITE"}
    for setting in ("config", "mode"):
        assert api.delete(f"/{setting}/{path}").status == 200
    assert api.delete(f"/subjects/{path}/versions/1").body == 1
    assert api.delete(f"/subjects/{path}?permanent=true").body == [1]


def test_an_older_version_is_found_again(api: Registry) -> None:
    first, second = record("a"), record("a", optional("b"))
    one = api.registered("s", first)
    api.registered("s", second)
    assert api.registered("s", first) == one
    assert api.versions("s") == [1, 2]


def test_the_answer_of_a_repetition_is_that_of_the_first_time(api: Registry) -> None:
    assert api.register("s", PROBE).raw == api.register("s", PROBE).raw


def test_case_074_equal_meaning_is_the_same_version(api: Registry) -> None:
    """Attributes in another order change the text, not the meaning."""
    one = record({"name": "f", "type": "int", "b": 1, "a": 2})
    other = record({"a": 2, "b": 1, "type": "int", "name": "f"})
    assert api.registered("s", one) == api.registered("s", other)
    found = api.look_up("s", other).body
    assert (found["version"], json.loads(found["schema"])) == (1, one)
    assert '"b":1,"a":2' in found["schema"]


def test_case_075_docs_count(api: Registry) -> None:
    api.registered("s", record("a"))
    assert api.look_up("s", record("a", doc="new")).error == (404, 40403)
    assert api.register("s", record("a", doc="new")).body["version"] == 2


def test_case_076_normalize_makes_two_spellings_one(api: Registry) -> None:
    references = []
    for name in ("A", "B"):
        api.registered(name, record("x", name=name, namespace="n"))
        references.append({"name": f"n.{name}", "subject": name, "version": 1})
    short = record({"name": "a", "type": "A"}, {"name": "b", "type": "B"}, namespace="n")
    full = record({"name": "a", "type": "n.A"}, {"name": "b", "type": "n.B"}, name="n.R")
    first = api.register("s", short, query="?normalize=true", references=references)
    again = api.register("t", full, query="?normalize=True", references=references[::-1])
    assert (again.body["id"], again.body["references"]) == (first.body["id"], references)
    assert again.body["schema"] == first.body["schema"]
    assert first.body["schema"].startswith('{"type":"record","name":"R","namespace":"n","fields":[')
    assert api.look_up("s", full, references=references[::-1]).error == (404, 40403)
    found = api.look_up("s", full, query="?normalize=true", references=references[::-1])
    assert found.body["id"] == first.body["id"]


def test_case_077_the_config_can_normalize(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"normalize": True})
    api.registered("s", {"type": "string", "b": 1, "a": 2})
    assert api.ok("GET", "/schemas/ids/1")["schema"] == '{"type":"string","a":2,"b":1}'


def test_no_schema_means_that_of_the_latest_version(api: Registry) -> None:
    empty = api.call("POST", "/subjects/s/versions", {"metadata": {}})
    assert empty.error == (422, 42201)
    api.registered("s", PROBE)
    assert api.call("POST", "/subjects/s/versions", {"schema": "  "}).body["version"] == 1
