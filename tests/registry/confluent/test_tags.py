"""Tags inside schemas: added with a version, changed by the next one, carried over, found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import PROBE, optional, record
from tests.registry.confluent.test_contracts import props, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

TAGS = "confluent:tags"
PROTOBUF = 'syntax = "proto3";\npackage p;\n\nmessage M {\n  string a = 1;\n}\n'
JSON = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
NO_FIELD = (
    "Invalid schema of type AVRO, details: there is no field 'Probe.zip' that tags could belong to;"
    " its first fields are 'Probe.id'"
)


@pytest.fixture(autouse=True)
def _compiler() -> Iterator[None]:
    service.use(COMPILER)
    yield
    service.use(COMPILER)


def entity(path: str, *tags: str, kind: str = "sr_field") -> dict[str, Any]:
    """Tags of one part, as they are sent and shown."""
    return {"schemaEntity": {"entityPath": path, "entityType": kind}, "tags": list(tags)}


def tag(api: Registry, subject: str, version: object = 1, **members: Any) -> Any:
    """Change tags, metadata and rules of a version."""
    return api.call("POST", f"/subjects/{subject}/versions/{version}/tags", members)


def numbers(answer: Any) -> tuple[int, int]:
    """Id and version of a registration."""
    assert answer.status == 200, answer.raw
    return answer.body["id"], answer.body["version"]


def found(api: Registry, query: str = "findTags=*", at: str = "/subjects/s/versions/latest") -> Any:
    """The tags that a read finds."""
    return api.ok("GET", f"{at}?{query}").get("schemaTags")


def test_case_116_tags_are_added_by_a_new_version_and_found(api: Registry) -> None:
    api.registered("s", PROBE)
    given = [entity("Probe", "X", kind="sr_record"), entity("Probe.id", "PII", "B")]
    made = tag(api, "s", tagsToAdd=given)
    assert numbers(made) == (2, 2)
    stored = json.loads(made.body["schema"])
    assert (stored[TAGS], stored["fields"][0][TAGS]) == (["X"], ["PII", "B"])
    reads = ("/subjects/s/versions/2", "/subjects/s/versions/latest", "/schemas/ids/2")
    for at in reads:
        assert found(api, at=at) == given
        assert found(api, "findTags=B&findTags=none", at) == given[1:]
        assert found(api, "findTags=none", at) is None
        assert found(api, "findTags=", at) is None
    assert found(api, at="/subjects/s/versions/1") is None
    less = tag(api, "s", 2, tagsToRemove=[entity("Probe", "X", kind="sr_record"), entity("Probe.id", "B")])
    assert numbers(less) == (3, 3)
    assert found(api) == [entity("Probe.id", "PII")]
    assert tag(api, "s", 3, tagsToAdd=[entity("Probe.zip", "A")]).error == (422, 42201)
    assert tag(api, "s", 3, ruleSet=rules("a"), rulesToMerge=rules("b")).error == (422, 42210)
    assert numbers(api.register("s", {**PROBE, "doc": "x"}, propagateSchemaTags=True)) == (4, 4)
    assert found(api) == [entity("Probe.id", "PII")]


def test_tags_of_what_is_not_in_the_schema_are_refused_by_name(api: Registry) -> None:
    api.registered("s", PROBE)
    for member in ("tagsToAdd", "tagsToRemove"):
        refused = tag(api, "s", **{member: [entity("Probe.zip", "A")]})
        assert (refused.error, refused.body["message"]) == ((422, 42201), NO_FIELD)
    refused = api.register("t", PROBE, schemaTagsToAdd=[entity("Probe.zip", "A")])
    assert (refused.error, refused.body["message"]) == ((422, 42201), NO_FIELD)


def test_rules_are_told_in_one_way(api: Registry) -> None:
    api.registered("s", PROBE)
    for other in ({"rulesToMerge": rules("b")}, {"rulesToRemove": ["b"]}):
        refused = tag(api, "s", ruleSet=rules("a"), **other)
        assert refused.error == (422, 42210)
        words = "ruleSet should be omitted if specifying rulesToMerge or rulesToRemove"
        assert refused.body["message"] == words
    assert tag(api, "s", rulesToMerge=rules("a", "a")).error == (422, 42210)
    assert tag(api, "__GLOBAL", rulesToMerge=rules("a", "a")).error == (422, 42210)
    clash = {"encodingRules": rules("a")["domainRules"]}
    assert numbers(tag(api, "s", ruleSet=rules("a"))) == (2, 2)
    assert tag(api, "s", 2, rulesToMerge=clash).error == (422, 42210)


def test_tags_are_carried_over_where_that_is_asked_for(api: Registry) -> None:
    api.registered("s", record("a", optional("b")))
    assert tag(api, "s", tagsToAdd=[entity("R.a", "A"), entity("R.b", "B")]).status == 200
    wider = record("a", optional("c"))
    assert api.register("s", wider, propagateSchemaTags=True).status == 200
    assert found(api) == [entity("R.a", "A")]
    more = api.register(
        "s", record("a", optional("d")), propagateSchemaTags=True, schemaTagsToAdd=[entity("R.a", "N")]
    )
    assert more.status == 200
    assert found(api) == [entity("R.a", "A", "N")]
    assert api.register("s", record("a", optional("e"))).status == 200
    assert found(api) is None


def test_a_version_can_be_carried_over_by_the_first_of_another_format_or_none(api: Registry) -> None:
    assert numbers(api.register("s", PROBE, propagateSchemaTags=True)) == (1, 1)
    api.level("s", "NONE")
    assert tag(api, "s", tagsToAdd=[entity("Probe.id", "A")]).status == 200
    assert numbers(api.register("s", JSON, schemaType="JSON", propagateSchemaTags=True)) == (3, 3)
    assert found(api) is None


def test_a_registration_changes_tags_too(api: Registry) -> None:
    tagged = record({"name": "a", "type": "int", TAGS: ["OLD"]})
    made = api.register(
        "s", tagged, schemaTagsToAdd=[entity("R.a", "NEW")], schemaTagsToRemove=[entity("R.a", "OLD")]
    )
    assert numbers(made) == (1, 1)
    assert found(api) == [entity("R.a", "NEW")]
    again = api.call("POST", "/subjects/s/versions", {"schemaTagsToAdd": [entity("R.a", "NEW")]})
    assert numbers(again) == (1, 1)
    same = api.register("s", tagged, schemaTagsToAdd=[entity("R.a", "NEW")])
    assert numbers(same) == (2, 2)


@pytest.mark.parametrize(
    ("schema", "path", "kind"),
    [(json.dumps(JSON), "object.a", "JSON"), (PROTOBUF, ".p.M.a", "PROTOBUF")],
)
def test_the_other_formats_are_tagged_likewise(api: Registry, schema: str, path: str, kind: str) -> None:
    sent = {"schema": schema, "schemaType": kind}
    assert numbers(api.call("POST", "/subjects/s/versions", sent)) == (1, 1)
    made = tag(api, "s", "latest", tagsToAdd=[entity(path, "PII")])
    assert numbers(made) == (2, 2)
    assert found(api) == [entity(path, "PII")]
    look_up = api.call("POST", "/subjects/s", {"schema": made.body["schema"], "schemaType": kind})
    assert look_up.body["version"] == 2
    wrong = tag(api, "s", tagsToAdd=[entity(path, "PII", kind="sr_record")])
    assert (wrong.error, "there is no record" in wrong.body["message"]) == ((422, 42201), True)


def test_tags_are_of_the_stored_text_whatever_form_it_is_read_in(api: Registry) -> None:
    sent = {"schema": PROTOBUF, "schemaType": "PROTOBUF", "schemaTagsToAdd": [entity("p.M.a", "PII")]}
    assert api.call("POST", "/subjects/s/versions", sent).status == 200
    assert found(api, "findTags=PII&format=serialized") == [entity(".p.M.a", "PII")]


def test_rules_and_metadata_change_with_the_next_version(api: Registry) -> None:
    api.registered("s", PROBE, metadata=props(a="1"), ruleSet=rules("a", "b"))
    made = tag(api, "s", rulesToMerge=rules("b", "c", doc="new"), rulesToRemove=["a", "none"])
    assert numbers(made) == (2, 2)
    shown = [(one["name"], one.get("doc")) for one in made.body["ruleSet"]["domainRules"]]
    assert (shown, made.body["metadata"]) == ([("b", "new"), ("c", "new")], props(a="1"))
    changed = tag(api, "s", 2, metadata=props(b="2"), ruleSet=rules("d"))
    assert (changed.body["metadata"], changed.body["ruleSet"]) == (props(b="2"), rules("d"))
    none = tag(api, "s", 3, rulesToRemove=["d"])
    assert (numbers(none), "ruleSet" in none.body) == ((4, 4), False)
    first = tag(api, "t", rulesToMerge=rules("a"))
    assert first.error == (404, 40401)
    api.registered("t", PROBE)
    assert tag(api, "t", rulesToMerge=rules("a")).body["ruleSet"] == rules("a")
    assert numbers(tag(api, "s")) == (1, 1), "nothing changes"


def test_the_next_version_may_be_named(api: Registry) -> None:
    api.registered("s", PROBE)
    given = {"tagsToAdd": [entity("Probe.id", "A")]}
    assert tag(api, "s", newVersion=5, **given).error == (422, 42201)
    made = tag(api, "s", newVersion=2, **given)
    assert (numbers(made), made.body["metadata"]) == ((2, 2), props(**{"confluent:version": "2"}))


def test_only_what_can_be_registered_can_be_tagged(api: Registry) -> None:
    api.registered("s", PROBE)
    assert tag(api, "none").error == (404, 40401)
    assert tag(api, "s", 2).error == (404, 40402)
    assert tag(api, "s", "x").error == (422, 42202)
    assert tag(api, "__GLOBAL").error == (422, 42208)
    api.registered(":.c:u", PROBE)
    assert tag(api, "u", tagsToAdd=[entity("Probe.id", "A")]).error == (404, 40401)
    api.mode("s", "READONLY")
    assert tag(api, "s", tagsToAdd=[entity("Probe.zip", "A")]).error == (422, 42205)


def test_an_import_is_not_tagged(api: Registry) -> None:
    api.mode("s", "IMPORT")
    made = api.register("s", PROBE, id=7, version=1, schemaTagsToAdd=[entity("Probe.id", "A")])
    assert (numbers(made), found(api)) == ((7, 1), None)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"schemaTagsToAdd": {}}, "schemaTagsToAdd must be an array"),
        ({"schemaTagsToRemove": [{}]}, "schemaTagsToRemove[0].schemaEntity must be an object"),
        ({"propagateSchemaTags": "yes"}, "propagateSchemaTags must be true or false"),
    ],
)
def test_what_is_no_tag_is_refused_with_its_place(api: Registry, members: dict[str, Any], words: str) -> None:
    refused = api.register("s", PROBE, **members)
    assert (refused.error, words in refused.body["message"]) == ((400, 400), True)


def test_who_may_not_read_carries_no_tags_over_and_tags_nothing(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    api.registered("s", PROBE, schemaTagsToAdd=[entity("Probe.id", "SECRET")])
    blind, reader = api_with("subject.write"), api_with("subject.read")
    made = blind.register("s", {**PROBE, "doc": "x"}, propagateSchemaTags=True)
    assert (made.status, "SECRET" in made.raw.decode()) == (200, False)
    assert tag(blind, "s").error == (404, 40401)
    assert tag(reader, "s").error == (403, 403)


def test_a_name_in_another_context_is_not_tagged(api: Registry) -> None:
    """Reads find it there; whichever version is named, the subject itself is not there."""
    api.registered(":.c:s", PROBE)
    for version in ("1", "2", "latest"):
        assert api.call("POST", f"/subjects/s/versions/{version}/tags", {}).error == (404, 40401)
