"""Schemas by digest, GUID and fingerprint, where contents are used, and the forms of any text."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.formats.protobuf import service
from accord_server.kit import tenancy
from registry import tasks
from registry.look_up_records import Identity
from registry.models import Schema
from registry.queries import look_ups
from tests.accord.protobuf_texts import COMPILER
from tests.cast import issued_for
from tests.factories import make_namespace
from tests.registry.client import Registry, optional, record
from tests.registry.policies.asking import NAMESPACE, TENANT, Native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

INT = '"int"'
INT_DIGEST = hashlib.sha256(INT.encode()).hexdigest()
INT_RABIN = "7275d51a3f395c8f"
SCHEMAS = f"{NAMESPACE}/schemas"
USES = f"{TENANT}/contents"


@pytest.fixture
def native(api: Registry) -> Native:
    """The native API as Alice."""
    return Native(api.token)


@pytest.fixture
def elsewhere(alice: Actor, api: Registry) -> Registry:
    """Another namespace of *north*, as Alice."""
    made = make_namespace(alice.tenant, "elsewhere")
    return Registry(api.token, f"/sr/north/{made.slug}")


@pytest.fixture
def _compiler() -> Iterator[None]:
    service.use(COMPILER)
    yield
    service.use(COMPILER)


def items(native: Native, path: str) -> list[Any]:
    found: list[Any] = native.ok("GET", path)["items"]
    return found


def names(native: Native, path: str) -> list[tuple[str, str, int]]:
    return [(one["namespace"], one["subject"], one["version"]) for one in items(native, path)]


def forms(native: Native, text: str, **members: Any) -> Any:
    return native.ok("POST", f"{NAMESPACE}/forms", {"schema": text, **members})


def test_a_schema_is_found_by_each_of_its_names(native: Native, api: Registry) -> None:
    number = api.registered("s", "int")
    api.registered("other", "string")
    (found,) = items(native, f"{SCHEMAS}/digests/{INT_DIGEST}")
    assert (found["id"], found["context"], found["format"]) == (number, ".", "AVRO")
    assert found["digest"] == INT_DIGEST
    assert found["fingerprints"]["rabin"] == INT_RABIN
    for name in found["fingerprints"].values():
        assert items(native, f"{SCHEMAS}/fingerprints/{name.upper()}") == [found]
    for guid in (found["guid"], found["guid"].replace("-", "")):
        assert items(native, f"{SCHEMAS}/guids/{guid}") == [found]


def test_the_head_of_a_single_object_is_a_fingerprint(native: Native, api: Registry) -> None:
    api.registered("s", "int")
    head = "c301" + bytes.fromhex(INT_RABIN)[::-1].hex()
    assert len(items(native, f"{SCHEMAS}/fingerprints/{head}")) == 1


def test_what_differs_in_docs_alone_shares_its_fingerprint(native: Native, api: Registry) -> None:
    api.level("s", "NONE")
    ids = [api.registered("s", record("a", doc=doc)) for doc in ("one", "two")]
    printed = items(native, f"{SCHEMAS}/guids/{guid_of(api, ids[0])}")[0]["fingerprints"]["sha256"]
    assert [one["id"] for one in items(native, f"{SCHEMAS}/fingerprints/{printed}")] == ids


def guid_of(api: Registry, number: int) -> str:
    return str(api.with_new_members().ok("GET", f"/schemas/ids/{number}")["guid"])


def test_types_from_references_are_part_of_a_fingerprint(native: Native, api: Registry) -> None:
    api.registered("part", record("x", name="Part"))
    parts = [{"name": "Part", "subject": "part", "version": 1}]
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    number = api.registered("whole", whole, references=parts)
    inlined = record({"name": "p", "type": record("x", name="Part")}, name="Whole")
    printed = forms(native, json.dumps(inlined))["fingerprints"]["rabin"]
    (found,) = items(native, f"{SCHEMAS}/fingerprints/{printed}")
    assert (found["id"], found["references"]) == (number, parts)


def test_other_formats_have_digest_and_guid_alone(native: Native, api: Registry) -> None:
    api.registered("j", True, schemaType="JSON")
    (found,) = items(native, f"{SCHEMAS}/digests/{hashlib.sha256(b'true').hexdigest()}")
    assert (found["format"], found["fingerprints"]) == ("JSON", {})
    assert items(native, f"{SCHEMAS}/guids/{found['guid']}") == [found]


@pytest.mark.parametrize(
    "path",
    [
        f"{SCHEMAS}/digests/12",
        f"{SCHEMAS}/digests/{'g' * 64}",
        f"{SCHEMAS}/guids/{'-' * 36}",
        f"{SCHEMAS}/guids/{'g' * 32}",
        f"{SCHEMAS}/fingerprints/{'0' * 20}",
        f"{SCHEMAS}/fingerprints/{'g' * 16}",
        f"{USES}/{'0' * 63}/uses",
        f"{USES}/{'0' * 64}/uses?cursor=W10=",
        f"{USES}/{'0' * 64}/uses?cursor=W10",
        f"{USES}/{'0' * 64}/uses?cursor=e30=",
        f"{USES}/{'0' * 64}/uses?cursor=Kg==",
        f"{USES}/{'0' * 64}/uses?limit=0",
        f"{SCHEMAS}/digests/{'0' * 64}?limit=201",
    ],
)
def test_what_is_no_name_or_no_place_is_refused(native: Native, path: str) -> None:
    answer = native.call("GET", path)
    assert (answer.status_code, json.loads(answer.content)["code"]) == (400, "bad_request")


def test_nothing_found_is_an_empty_list(native: Native) -> None:
    for path in (f"{SCHEMAS}/digests/{'0' * 64}", f"{USES}/{'0' * 64}/uses"):
        assert native.ok("GET", path) == {"items": [], "next": None}


def test_look_ups_show_what_may_be_read_and_count_nothing_else(
    api: Registry, alice: Actor, token_for: TokenFor
) -> None:
    """The same content in other contexts is other rows, some of them out of sight."""
    seen = [api.registered(f":.c{number}:s", "int") for number in range(3)]
    narrow = Native(token_for(alice, "schema.read", subjects=(":.c0:*", ":.c2:s")))
    first = narrow.ok("GET", f"{SCHEMAS}/digests/{INT_DIGEST}?limit=1")
    second = narrow.ok("GET", f"{SCHEMAS}/digests/{INT_DIGEST}?limit=1&cursor={first['next']}")
    assert [one["context"] for part in (first, second) for one in part["items"]] == [".c0", ".c2"]
    assert second["next"] is None
    assert seen


def test_a_namespace_shows_none_of_another(native: Native, elsewhere: Registry) -> None:
    elsewhere.registered("s", "int")
    assert items(native, f"{SCHEMAS}/digests/{INT_DIGEST}") == []


def test_a_tenant_shows_none_of_another(
    native: Native, api: Registry, mallory: Actor, token_for: TokenFor
) -> None:
    api.registered("s", "int")
    foreign = Native(token_for(mallory))
    south = "/api/v1/tenants/south"
    assert items(foreign, f"{south}/namespaces/default/schemas/digests/{INT_DIGEST}") == []
    assert items(foreign, f"{south}/contents/{INT_DIGEST}/uses") == []
    assert foreign.call("GET", f"{USES}/{INT_DIGEST}/uses").status_code == 404


def test_uses_are_told_across_namespaces_in_order(native: Native, api: Registry, elsewhere: Registry) -> None:
    for subject in ("b", "a", ":.ctx:a"):
        api.registered(subject, "int")
    elsewhere.registered("z", "int")
    api.registered("string", "string")
    assert names(native, f"{USES}/{INT_DIGEST}/uses") == [
        ("default", "a", 1),
        ("default", "b", 1),
        ("default", ":.ctx:a", 1),
        ("elsewhere", "z", 1),
    ]


def test_deleted_uses_are_told_when_asked_for(native: Native, api: Registry) -> None:
    api.registered("s", "int")
    api.delete("/subjects/s")
    assert items(native, f"{USES}/{INT_DIGEST}/uses") == []
    (found,) = items(native, f"{USES}/{INT_DIGEST}/uses?deleted=true")
    assert (found["subject"], found["is_deleted"], found["id"]) == ("s", True, 1)


def test_uses_come_in_parts_whose_ends_tell_nothing(
    api: Registry, elsewhere: Registry, alice: Actor, token_for: TokenFor
) -> None:
    for registry in (api, elsewhere):
        for number in range(4):
            registry.registered(f"s{number}", "int")
    narrow = Native(token_for(alice, "schema.read", subjects=("s1", "s3")))
    path = f"{USES}/{INT_DIGEST}/uses?limit=2"
    first = narrow.ok("GET", path)
    second = narrow.ok("GET", f"{path}&cursor={first['next']}")
    assert second["next"] is None
    told = [[(one["namespace"], one["subject"]) for one in part["items"]] for part in (first, second)]
    assert told == [[(place, "s1"), (place, "s3")] for place in ("default", "elsewhere")]


def test_a_token_of_one_namespace_sees_its_uses_alone(
    api: Registry, elsewhere: Registry, alice: Actor
) -> None:
    for registry in (api, elsewhere):
        registry.registered("s", "int")
    payments = make_namespace(alice.tenant, "payments")
    made = Native(issued_for(alice, namespaces=frozenset({payments.id})).value)
    assert items(made, f"{USES}/{INT_DIGEST}/uses") == []


def test_uses_need_the_right_somewhere(alice: Actor, token_for: TokenFor) -> None:
    blind = Native(token_for(alice, "subject.read"))
    answer = blind.call("GET", f"{USES}/{INT_DIGEST}/uses")
    assert answer.status_code == 403
    assert "schema.read" in json.loads(answer.content)["detail"]


def counted(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def test_look_ups_cost_the_same_however_much_is_stored(api: Registry, scope: Scope) -> None:
    rabin = bytes.fromhex(INT_RABIN)
    asked = (
        lambda: look_ups.find_schemas(scope, Identity.RABIN, rabin, after=0, limit=2),
        lambda: look_ups.uses_of(scope, bytes.fromhex(INT_DIGEST), deleted=True, after=None, limit=2),
    )

    def told() -> list[int]:
        with tenancy.tenant_context(scope.tenant.id):
            return [counted(act) for act in asked]

    api.registered("s", "int")
    before = told()
    for number in range(5):
        api.registered(f":.c{number}:s", "int")
    assert told() == before == [1, 2]


def test_the_forms_of_an_avro_text(native: Native) -> None:
    text = '{"fields": [], "name": "a.R", "doc": "x", "type": "record"}'
    found = forms(native, text)
    assert found["forms"] == {
        "canonical": '{"type":"record","name":"R","namespace":"a","doc":"x","fields":[]}',
        "normalized": '{"type":"record","name":"R","namespace":"a","doc":"x","fields":[]}',
        "resolved": '{"type":"record","name":"R","namespace":"a","doc":"x","fields":[]}',
        "parsing": '{"name":"a.R","type":"record","fields":[]}',
    }
    assert found["digest"] == hashlib.sha256(found["forms"]["canonical"].encode()).hexdigest()
    assert found["references"] == []


def test_names_are_those_of_the_schema_once_it_is_registered(native: Native, api: Registry) -> None:
    schema = record("a", optional("b"))
    told = forms(native, json.dumps(schema))
    assert items(native, f"{SCHEMAS}/digests/{told['digest']}") == []
    number = api.registered("s", schema)
    (found,) = items(native, f"{SCHEMAS}/guids/{told['guid']}")
    assert (found["id"], found["digest"]) == (number, told["digest"])
    assert found["fingerprints"] == told["fingerprints"]


def test_metadata_is_part_of_the_guid_alone(native: Native) -> None:
    bare, told = forms(native, INT), forms(native, INT, metadata={"properties": {"a": "b"}})
    assert bare["digest"] == told["digest"]
    assert bare["guid"] != told["guid"]


@pytest.mark.usefixtures("_compiler")
def test_the_forms_of_json_and_protobuf(native: Native) -> None:
    found = forms(native, '{"b": 1, "a": true}', format="JSON")
    assert found["forms"] == {
        "canonical": '{"b":1,"a":true}',
        "normalized": '{"a":true,"b":1}',
        "resolved": '{"b":1,"a":true}',
    }
    proto = forms(native, 'syntax = "proto3";\nmessage M {}\n', format="PROTOBUF")
    assert sorted(proto["forms"]) == ["canonical", "ignore_extensions", "normalized", "serialized"]
    assert (found["fingerprints"], proto["fingerprints"]) == ({}, {})


def test_normalizing_changes_the_names(native: Native) -> None:
    text = '{"b": 1, "a": true}'
    plain, settled = (forms(native, text, format="JSON", normalize=flag) for flag in (False, True))
    assert plain["digest"] != settled["digest"]
    assert settled["forms"]["canonical"] == plain["forms"]["normalized"]


def test_references_are_written_out_as_far_as_they_may_be_read(
    native: Native, api: Registry, alice: Actor, token_for: TokenFor
) -> None:
    api.registered("inner", record("x", name="Inner"))
    api.registered(
        "part",
        record({"name": "i", "type": "Inner"}, name="Part"),
        references=[{"name": "Inner", "subject": "inner", "version": 1}],
    )
    body: dict[str, Any] = {
        "schema": '{"type":"array","items":"Part"}',
        "references": [{"name": "Part", "subject": "part", "version": -1}],
    }
    assert (
        '"name":"Inner"' in forms(native, body["schema"], references=body["references"])["forms"]["resolved"]
    )
    for subjects in (("part",), ("inner",)):
        narrow = Native(token_for(alice, "compat.check", "subject.read", subjects=subjects))
        answer = narrow.call("POST", f"{NAMESPACE}/forms", body)
        assert (answer.status_code, json.loads(answer.content)["code"]) == (422, "reference_not_found")


def test_bare_references_are_meant_in_the_context(native: Native, api: Registry) -> None:
    api.registered(":.ctx:part", record("x", name="Part"))
    references = [{"name": "Part", "subject": "part", "version": 1}]
    answer = native.call("POST", f"{NAMESPACE}/forms", {"schema": '"Part"', "references": references})
    assert answer.status_code == 422
    assert forms(native, '"Part"', references=references, context=".ctx")["forms"]["canonical"] == '"Part"'


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({"schema": " "}, 422),
        ({"schema": '"no"'}, 422),
        ({"schema": INT, "context": "ctx"}, 400),
        ({"schema": INT, "context": "x.ctx"}, 400),
        ({"schema": INT, "context": ".a/b"}, 400),
        ({"schema": INT, "subject": "s"}, 400),
        ({"schema": INT, "format": "XML"}, 400),
        ({}, 400),
    ],
)
def test_what_is_no_text_is_refused(native: Native, members: dict[str, str], status: int) -> None:
    assert native.call("POST", f"{NAMESPACE}/forms", members).status_code == status


def test_nothing_is_stored_by_asking(native: Native, api: Registry) -> None:
    forms(native, INT)
    assert api.ok("GET", "/subjects") == []
    assert api.get("/schemas/ids/1").status == 404


def test_schemas_of_older_releases_get_their_fingerprints(
    native: Native, api: Registry, alice: Actor
) -> None:
    api.registered("part", record("x", name="Part"))
    parts = [{"name": "Part", "subject": "part", "version": 1}]
    api.registered("whole", record({"name": "p", "type": "Part"}), references=parts)
    api.registered("j", {}, schemaType="JSON")
    api.registered("broken", "int")
    columns = ("rabin", "md5", "sha256")
    with tenancy.tenant_context(alice.tenant.id):
        rows = Schema.objects.unscoped("all rows of the test").order_by("pk")
        told = [{name: bytes(row[name]) for name in columns} for row in rows.values(*columns)]
        rows.update(rabin=None, md5=None, sha256=None)
        broken = rows.get(content__text=INT).content
        type(broken).objects.unscoped("damage").filter(pk=broken.pk).update(text="no Avro")
    assert tasks.fill_fingerprints() == 4
    assert tasks.fill_fingerprints() == 0
    with tenancy.tenant_context(alice.tenant.id):
        found = [{name: bytes(row[name]) for name in columns} for row in rows.values(*columns)]
    assert found == [*told[:3], dict.fromkeys(columns, b"")]
