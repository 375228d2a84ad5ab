"""Metadata and rule sets: kept, shown, part of what a schema is, merged with what configs add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.utils import IntegrityError
from django.test.utils import CaptureQueriesContext

from accord_server.kit import tenancy
from registry.models import Contract, Schema
from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

REMOVED = (
    "The new schema has reserved field f5 removed from its metadata which is present in the old schema's"
    " metadata."
)
VERSION = "confluent:version"
WIDER = record("a", optional("b"))
OTHER = record({"name": "a", "type": "string"})


def props(**properties: str) -> dict[str, Any]:
    """Metadata of properties alone."""
    return {"properties": properties}


def rules(*names: str, **members: Any) -> dict[str, Any]:
    """A rule set of domain rules alone."""
    made = [
        {"name": name, "kind": "TRANSFORM", "mode": "WRITEREAD", "type": "CEL", **members, "disabled": False}
        for name in names
    ]
    return {"domainRules": made}


def listed(name: str, *names: str, **members: Any) -> dict[str, Any]:
    """The same rules in another list of a rule set."""
    return {name: rules(*names, **members)["domainRules"]}


def numbers(answer: Any) -> tuple[int, int]:
    """Id and version of a registration."""
    assert answer.status == 200, answer.raw
    return answer.body["id"], answer.body["version"]


METADATA = {
    "tags": {"**.ssn": ["PII"]},
    "properties": {"owner": "payments", "pw": "secret"},
    "sensitive": ["pw"],
}


def test_metadata_and_rules_are_kept_and_shown_everywhere(api: Registry) -> None:
    carried: dict[str, Any] = {"metadata": METADATA, "ruleSet": rules("a", expr="true")}
    made = api.register("s", PROBE, **carried)
    assert list(made.body) == ["id", "version", "metadata", "ruleSet", "schema"]
    by_id = api.with_new_members().ok("GET", "/schemas/ids/1?subject=s&fetchMaxId=true")
    assert list(by_id) == [
        *("subject", "version", "guid", "schemaType", "schema", "metadata", "ruleSet"),
        *("maxId", "ts", "deleted"),
    ]
    reads = ("/schemas/ids/1", "/subjects/s/versions/1", "/subjects/s/versions/latest")
    for answer in (made, *map(api.get, reads), api.look_up("s", PROBE, **carried), api.look_up("s", PROBE)):
        assert {name: answer.body[name] for name in carried} == carried


def test_what_is_sensitive_is_read_in_clear(api: Registry) -> None:
    api.registered("s", PROBE, metadata=METADATA)
    assert api.ok("GET", "/subjects/s/versions/1")["metadata"]["properties"]["pw"] == "secret"


def test_they_are_part_of_the_guid_and_of_the_id(api: Registry) -> None:
    newer = api.with_new_members()
    sent: list[dict[str, Any]] = [
        {},
        {"metadata": {}},
        {"metadata": props(a="1")},
        {"metadata": props(a="1"), "ruleSet": rules("r")},
    ]
    made = [newer.register(f"s{place}", "string", **one).body for place, one in enumerate(sent)]
    assert [one["id"] for one in made] == [1, 2, 3, 4]
    assert len({one["guid"] for one in made}) == 4
    assert made[0]["guid"] == "095d71cf-1255-6b9d-5e33-0ad575b3df5d"
    assert api.registered("t", "string", metadata=props(a="1")) == 3


def test_they_are_stored_once(api: Registry, scope: Scope) -> None:
    for subject, schema in (("a", PROBE), ("b", WIDER), ("c", PROBE)):
        api.registered(subject, schema, metadata=props(owner="me"))
    tenancy.activate(scope.tenant.id)
    assert Contract.objects.scoped(scope).count() == 1
    assert Schema.objects.scoped(scope).count() == 2


def test_they_go_with_the_last_schema_that_has_them(api: Registry, scope: Scope) -> None:
    for subject, schema in (("a", PROBE), ("b", WIDER)):
        api.registered(subject, schema, metadata=props(owner="me"))
    for subject, left in (("a", 1), ("b", 0)):
        assert api.delete(f"/subjects/{subject}").status == 200
        assert api.delete(f"/subjects/{subject}?permanent=true").status == 200
        tenancy.activate(scope.tenant.id)
        assert Contract.objects.scoped(scope).count() == left


@pytest.mark.parametrize(
    "values",
    [
        {"digest": b"x" * 32},
        {"digest": b"x", "metadata": {}},
        {"digest": b"x" * 32, "metadata": []},
        {"digest": b"x" * 32, "rule_set": "text"},
    ],
)
def test_the_database_takes_no_contract_that_is_none(scope: Scope, values: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError):
        Contract.objects.insert(scope, **values)


def test_case_092_a_group_allows_what_breaks_between_its_values(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"compatibilityGroup": "application.version"})
    first, second = ({"properties": {"application.version": one}} for one in "12")
    api.registered("s", record("a"), metadata=first)
    assert api.register("s", OTHER).error == (409, 40901)
    assert api.check("s/versions", OTHER).body == {"is_compatible": False}
    assert api.check("s/versions", OTHER, metadata=second).body == {"is_compatible": True}
    assert api.check("s/versions/1", OTHER, metadata=second).body == {"is_compatible": True}
    assert api.register("s", OTHER, metadata=second).status == 200
    assert api.register("s", record("a", optional("c")), metadata=first).status == 200


def test_case_093_a_group_can_be_added_and_cleared(api: Registry) -> None:
    api.registered("s", record("a"))
    api.registered("s", WIDER)
    api.ok("PUT", "/config/s", {"compatibilityGroup": "major"})
    assert api.register("s", OTHER).error == (409, 40901), "all of them lack the property"
    api.registered("s", OTHER, metadata=props(major="2"))
    api.ok("PUT", "/config/s", {"compatibilityGroup": None, "compatibility": "BACKWARD_TRANSITIVE"})
    wider = record({"name": "a", "type": "string"}, optional("b"))
    assert api.register("s", wider).error == (409, 40901)


def test_case_094_reserved_names_stay_reserved_and_unused(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"validateFields": True, "compatibility": "NONE"})
    reserving = {"properties": {"confluent:reserved": "f5"}}
    api.registered("s", record("f1"), metadata=reserving)
    refused = api.register("s", record("f1", optional("f5")))
    assert refused.error == (409, 40901)
    assert "The new schema has field that conflicts with the reserved field f5." in refused.body["message"]
    checked = api.check("s/versions?verbose=true", record("f2"), metadata=props(x="y")).body
    assert checked["messages"] == [
        REMOVED,
        "{validateFields: 'true', compatibility: 'NONE'}",
    ]
    assert api.register("s", record("f2"), metadata=props(x="y")).error == (409, 40901)
    assert api.register("s", record("f2"), metadata=reserving).status == 200
    own = api.register("s", record("f2", optional("f3")), metadata=reserving)
    assert own.status == 200


def test_names_of_fields_that_the_registry_keeps_for_itself(api: Registry) -> None:
    schema = {"type": "object", "properties": {"$$a": {}}}
    api.ok("PUT", "/config/s", {"validateFields": True})
    for answer in (
        api.register("s", schema, schemaType="JSON"),
        api.check("s/versions", schema, schemaType="JSON"),
    ):
        assert answer.error == (422, 42201)
        assert "'$$a' begins with $$, which is reserved" in answer.body["message"]
    assert api.register("t", schema, schemaType="JSON").status == 200


def test_case_105_metadata_are_merged_by_key(api: Registry) -> None:
    config = {"defaultMetadata": props(a="d", b="d"), "overrideMetadata": props(c="o")}
    assert api.ok("PUT", "/config/s", config) == config
    assert api.ok("GET", "/config/s").items() >= config.items()
    made = api.register("s", PROBE, metadata=props(b="r", c="r", e="r"))
    assert made.body["metadata"] == props(a="d", b="r", c="o", e="r")
    handed_on = api.register("s", {**PROBE, "doc": "x"})
    assert handed_on.body["metadata"] == made.body["metadata"]
    again = api.register("s", {**PROBE, "doc": "x"})
    assert numbers(again) == numbers(handed_on)
    assert api.look_up("s", PROBE).body["version"] == 1


def test_empty_defaults_change_nothing(api: Registry) -> None:
    made = api.with_new_members().register("t", PROBE).body
    empty: dict[str, Any] = {"defaultMetadata": {"tags": {}}, "overrideRuleSet": {"domainRules": []}}
    assert api.ok("PUT", "/config/s", {**empty, "normalize": False}) == {"normalize": False}
    assert api.with_new_members().register("s", PROBE).body["guid"] == made["guid"]


def test_case_106_rules_are_merged_by_name_and_handed_on(api: Registry) -> None:
    config = {"defaultRuleSet": rules("a", "b"), "overrideRuleSet": rules("c")}
    assert api.ok("PUT", "/config/s", config) == config
    made = api.register("s", PROBE, ruleSet=rules("b", doc="sent"))
    shown = made.body["ruleSet"]["domainRules"]
    assert [(one["name"], one.get("doc")) for one in shown] == [("a", None), ("b", "sent"), ("c", None)]
    assert api.register("s", {**PROBE, "doc": "x"}).body["ruleSet"] == made.body["ruleSet"]


@pytest.mark.parametrize(
    ("rule_set", "message"),
    [
        (rules("a", "a"), "Found rule with duplicate name 'a'"),
        ({**rules("a"), "encodingRules": rules("a")["domainRules"]}, "Found rule with duplicate name 'a'"),
        (rules("a", mode="UPGRADE"), "Domain rules can only be WRITE, READ, WRITEREAD"),
        (listed("migrationRules", "a"), "Migration rules can only be UPGRADE, DOWNGRADE, UPDOWN"),
        (listed("encodingRules", "a", mode="UPDOWN"), "Encoding rules can only be WRITE, READ, WRITEREAD"),
        ({"domainRules": [{"type": "CEL"}]}, "Missing rule name"),
        (rules(""), "Empty rule name"),
        (rules("x" * 257), "Rule name too long"),
        (rules("1"), "Illegal initial character in rule name: 1"),
        (rules("a b"), "Illegal character in rule name: a b"),
        (rules("a", type=None), "Missing rule type"),
        (
            rules("a", mode="WRITE", onFailure="ERROR,NONE"),
            "Multiple actions only valid with WRITEREAD and UPDOWN",
        ),
    ],
)
def test_case_107_a_rule_set_that_cannot_run_is_refused(
    api: Registry, rule_set: dict[str, Any], message: str
) -> None:
    answers = [
        api.register("s", PROBE, ruleSet=rule_set),
        api.call("PUT", "/config", {"defaultRuleSet": rule_set}),
        api.call("PUT", "/config/s", {"overrideRuleSet": rule_set}),
    ]
    for answer in answers:
        assert (answer.error, answer.body["message"]) == ((422, 42210), message)


def test_the_rule_set_is_looked_at_before_the_subject_and_the_schema(api: Registry) -> None:
    bad = rules("a", "a")
    for subject, schema_type, code in (
        ("__GLOBAL", "AVRO", 42208),
        ("s%01", "AVRO", 42208),
        ("s", "FOO", 42201),
    ):
        address, sent = f"/subjects/{subject}/versions", {"schema": '"string"', "schemaType": schema_type}
        assert api.call("POST", address, {**sent, "ruleSet": bad}).error == (422, 42210)
        assert api.call("POST", address, sent).error == (422, code)
    assert api.call("PUT", "/config/__GLOBAL", {"defaultRuleSet": bad}).error == (422, 42210)
    assert api.call("PUT", "/config/__GLOBAL", {}).error == (422, 42208)


def test_so_is_a_rule_set_that_the_config_makes_such(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"overrideRuleSet": {"encodingRules": rules("a")["domainRules"]}})
    answer = api.register("s", PROBE, ruleSet=rules("a"))
    assert (answer.error, answer.body["message"]) == ((422, 42210), "Found rule with duplicate name 'a'")


def test_case_108_a_registration_of_metadata_alone(api: Registry) -> None:
    sent = {"metadata": props(a="1")}
    assert api.call("POST", "/subjects/s/versions", sent).error == (422, 42201)
    api.registered("s", PROBE)
    made = api.call("POST", "/subjects/s/versions", sent)
    assert numbers(made) == (2, 2)
    assert made.body["schema"] == api.ok("GET", "/subjects/s/versions/1")["schema"]


def test_case_109_metadata_make_a_new_version_and_are_handed_on(api: Registry) -> None:
    assert numbers(api.register("s", PROBE)) == (1, 1)
    assert numbers(api.register("s", PROBE, metadata=props(a="1"))) == (2, 2)
    assert numbers(api.register("t", PROBE, metadata=props(a="1"))) == (2, 1)
    assert numbers(api.register("t", PROBE)) == (2, 1)
    assert api.look_up("t", PROBE).body["id"] == 2


def test_case_110_a_version_that_is_asked_for_is_named_in_the_metadata(api: Registry) -> None:
    assert numbers(api.register("s", PROBE)) == (1, 1)
    assert numbers(api.register("s", PROBE, version=-1)) == (1, 1)
    made = api.register("s", PROBE, version=2)
    assert (numbers(made), made.body["metadata"]) == ((2, 2), {"properties": {VERSION: "2"}})
    assert api.look_up("s", PROBE).body["version"] == 1
    assert api.look_up("s", PROBE, metadata={"properties": {VERSION: "2"}}).body["version"] == 2
    assert api.delete("/subjects/s/versions/1").status == 200
    assert api.look_up("s", PROBE).body["version"] == 2
    assert api.look_up("s", PROBE, version=2).body["version"] == 2


def test_case_111_a_version_is_asked_for_once(api: Registry) -> None:
    for number in (1, 2, 3):
        api.registered("s", PROBE, version=number)
    assert api.register("s", PROBE, version=3).error == (422, 42201)
    assert numbers(api.register("s", PROBE, version=4)) == (4, 4)


def test_case_112_metadata_may_name_a_version(api: Registry) -> None:
    first = api.register("s", PROBE, metadata={"properties": {VERSION: "-1"}})
    second = api.register("s", PROBE, metadata={"properties": {VERSION: "0"}})
    assert [one.body["metadata"]["properties"][VERSION] for one in (first, second)] == ["1", "2"]
    for number, made in (("1", first), ("2", second)):
        again = api.register("s", PROBE, metadata={"properties": {VERSION: number}})
        assert numbers(again) == numbers(made)
    assert numbers(api.register("s", PROBE)) == numbers(second)


def test_case_113_empty_metadata_are_those_of_the_latest_version(api: Registry) -> None:
    made = api.register("s", PROBE)
    assert numbers(api.register("s", PROBE, metadata={})) == numbers(made)
    assert numbers(api.register("s", PROBE, metadata=props(a="1"))) == (2, 2)


def test_case_114_the_newest_version_with_properties(api: Registry) -> None:
    for version, value in enumerate("aba"):
        api.registered("s", {**PROBE, "doc": str(version)}, metadata=props(k=value, other="x"))
    path = "/subjects/s/metadata"
    one = api.ok("GET", f"{path}?key=k&value=b")
    assert (one["version"], one["id"], one["metadata"]) == (2, 2, props(k="b", other="x"))
    asked = {"": 3, "?key=k&value=a&key=other&value=x": 3, "?key=other&value=x": 3}
    assert {query: api.ok("GET", path + query)["version"] for query in asked} == asked
    assert api.delete("/subjects/s/versions/3").status == 200
    assert api.ok("GET", f"{path}?key=k&value=a")["version"] == 1
    assert api.ok("GET", f"{path}?key=k&value=a&deleted=true")["version"] == 3
    for query in ("?key=k&value=c", "?key=none&value=a", "?key=k&value=a&key=other&value=y"):
        assert api.get(path + query).error == (404, 40403)
    assert api.get("/subjects/none/metadata?key=k&value=a").error == (404, 40401)
    assert api.get(f"{path}?key=k").error == (400, 400)


def test_versions_without_metadata_have_no_properties(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.get("/subjects/s/metadata?key=k&value=a").error == (404, 40403)
    assert api.ok("GET", "/subjects/s/metadata")["version"] == 1


def test_an_inherited_version_makes_no_version_of_its_own(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"defaultMetadata": props(a="1")})
    made = api.register("s", PROBE, version=1)
    assert made.body["metadata"]["properties"] == {"a": "1", VERSION: "1"}
    assert numbers(api.register("s", PROBE)) == numbers(made)


def test_an_import_is_taken_as_it_is(api: Registry) -> None:
    api.ok("PUT", "/config/s", {"defaultMetadata": props(a="1")})
    api.mode("s", "IMPORT")
    made = api.register("s", PROBE, id=7, version=3, metadata=props(b="2"))
    assert (numbers(made), made.body["metadata"]) == ((7, 3), props(b="2"))
    other = api.register("s", PROBE, id=7, version=4, metadata=props(b="3"))
    assert other.error == (422, 42205)


@pytest.mark.parametrize(
    ("member", "error", "words"),
    [
        ({"metadata": []}, (400, 400), "metadata must be an object"),
        ({"metadata": {"tags": {"a": "b"}}}, (400, 400), "metadata.tags.a must be an array"),
        ({"ruleSet": {"domainRules": {}}}, (400, 400), "ruleSet.domainRules must be an array"),
        ({"metadata": props(a="x" * 100_001)}, (422, 42209), "more than 100000 characters"),
        ({"metadata": {"sensitive": ["x"] * 1_001}}, (422, 42209), "more than 1000 entries"),
        ({"metadata": props(a="\0")}, (400, 400), "holds a control character"),
    ],
)
def test_what_is_no_contract_is_refused_with_its_place(
    api: Registry, member: dict[str, Any], error: tuple[int, int], words: str
) -> None:
    answers = [api.register("s", PROBE, **member), api.look_up("s", PROBE, **member)]
    answers.append(api.check("s/versions", PROBE, **member))
    for answer in answers:
        assert answer.error == error
        assert words in answer.body["message"]


def test_who_may_write_and_not_read_sees_what_was_sent(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    api.registered("s", PROBE, metadata=props(owner="secret"))
    blind = api_with("subject.write")
    assert "metadata" not in blind.register("s", PROBE).body
    made = blind.register("s", {**PROBE, "doc": "x"})
    assert (made.body["version"], "metadata" in made.body) == (2, False)
    assert api.ok("GET", "/subjects/s/versions/2")["metadata"] == props(owner="secret")


def test_repeating_what_is_handed_on_costs_two_statements(api: Registry) -> None:
    api.registered("s", PROBE, metadata=props(a="1"))
    bare = [api.register("s", PROBE)]
    with CaptureQueriesContext(connection) as captured:
        bare.append(api.register("s", PROBE))
    assert bare[0].body == bare[1].body
    # Whether the name is an alias, and how the subject stands.
    asked = [one["sql"] for one in captured if "registry_" in one["sql"]]
    assert len(asked) == 2, asked


def test_metadata_alone_take_the_rest_from_the_latest_version(api: Registry) -> None:
    """Even where an older version has just these rules and no metadata: nothing was sent that it could be."""
    rules, other = ({"domainRules": [{"name": name, "type": "CEL"}]} for name in ("x", "y"))
    api.registered("s", PROBE, ruleSet=rules)
    api.registered("s", PROBE, ruleSet=other, metadata={"properties": {"k": "1"}})
    answer = api.call("POST", "/subjects/s/versions", {"ruleSet": rules})
    assert (answer.status, answer.body["version"]) == (200, 3)
    assert answer.body["metadata"] == {"properties": {"k": "1"}}


def test_metadata_alone_are_a_write_whatever_they_say(api: Registry) -> None:
    api.registered("s", PROBE)
    api.mode("s", "READONLY")
    for subject in ("s", "none"):
        api.mode(subject, "READONLY")
        answer = api.call("POST", f"/subjects/{subject}/versions", {"metadata": {}})
        assert answer.error == (422, 42205)


def test_an_import_is_repeated_bare_where_the_version_names_itself(api: Registry) -> None:
    api.registered("s", PROBE, metadata={"properties": {"k": "1"}}, version=1)
    api.registered("s", {**PROBE, "doc": "later"}, version=2)
    api.mode("s", "READONLY")
    answer = api.register("s", PROBE, id=1, version=1)
    assert (answer.status, answer.body.get("version")) == (200, 1)
