"""Protobuf through the interface that Confluent's clients know."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from accord.errors import CompilerUnavailable
from accord.formats.protobuf import service
from accord.formats.protobuf.client import CompilerClient
from accord.formats.protobuf.descriptors import FileDescriptorProto, FileDescriptorSet
from accord_server.kit import tenancy
from tests.accord.protobuf_texts import COMPILER, compiled
from tests.registry.forgetting import forget_everything

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.scope import Scope
    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

ORDER = 'syntax = "proto3";\npackage demo;\n\nmessage Order {\n  int32 id = 1;\n}\n'
IMPORTING = 'syntax = "proto3"; import "order.proto"; message Basket { repeated demo.Order orders = 1; }'
PATHS = (
    "/schemas/ids/1",
    "/schemas/ids/1/schema",
    "/subjects/order/versions/1",
    "/subjects/order/versions/latest/schema",
)
# The descriptor of ORDER: name (field 1), package (2), message (4) and syntax (12), JSON names filled in.
SERIALIZED = "CgxzY2hlbWEucHJvdG8SBGRlbW8iFwoFT3JkZXISDgoCaWQYASABKAVSAmlkYgZwcm90bzM="
REFERENCES = [{"name": "order.proto", "subject": "order", "version": 1}]


@pytest.fixture(autouse=True)
def _compiler() -> Iterator[None]:
    service.use(COMPILER)
    yield
    service.use(COMPILER)


def post(api: Registry, subject: str, text: str, **members: Any) -> Answer:
    body = {"schemaType": "PROTOBUF", "schema": text, **members}
    return api.call("POST", f"/subjects/{subject}/versions", body)


def test_a_text_is_stored_in_its_canonical_spelling(api: Registry) -> None:
    made = post(api, "order", "// an order\n" + ORDER.replace("\n", " ").replace("// an order ", ""))
    assert made.status == 200
    stored = api.ok("GET", f"/schemas/ids/{made.body['id']}")
    assert (stored["schemaType"], stored["schema"]) == ("PROTOBUF", ORDER)
    assert post(api, "order", ORDER).body["id"] == made.body["id"]


def test_a_descriptor_is_stored_as_text(api: Registry) -> None:
    (file,) = compiled({"order.proto": ORDER})
    made = post(api, "order", base64.b64encode(file.SerializeToString()).decode())
    assert api.ok("GET", f"/schemas/ids/{made.body['id']}")["schema"] == ORDER


def test_an_enum_with_numbers_below_zero_can_be_normalized(api: Registry) -> None:
    text = 'syntax = "proto3";\nenum E {\n  Z = 0;\n  A = -1;\n}\n'
    made = api.call("POST", "/subjects/e/versions?normalize=true", {"schemaType": "PROTOBUF", "schema": text})
    assert made.status == 200
    assert "  Z = 0;\n  A = -1;\n" in api.ok("GET", "/schemas/ids/1")["schema"]


def test_case_073_references_are_import_paths(api: Registry) -> None:
    """A package is no part of the path, and what Google has made is there already."""
    post(api, "order", ORDER)
    known = IMPORTING.replace('import "order', 'import "google/protobuf/timestamp.proto"; import "order')
    known = known.replace("orders = 1;", "orders = 1; google.protobuf.Timestamp at = 2;")
    assert post(api, "timed", known, references=REFERENCES).status == 200
    made = post(api, "basket", IMPORTING, references=REFERENCES)
    assert made.status == 200
    found = api.call(
        "POST", "/subjects/basket", {"schemaType": "PROTOBUF", "schema": IMPORTING, "references": REFERENCES}
    )
    assert found.body["id"] == made.body["id"]
    missing = post(api, "lone", IMPORTING)
    assert missing.error == (422, 42201)
    assert 'Import "order.proto" was not found' in missing.body["message"]


def test_case_079_a_normalized_text(api: Registry) -> None:
    head = (
        'syntax = "proto3"; package p; import "google/protobuf/{}.proto"; import "google/protobuf/{}.proto";'
    )
    options = ('option java_package = "j";', 'option go_package = "g";')
    fields = ("string a = 1;", "google.protobuf.Any b = 2;")
    messages = "message Z {{ {} {} }} message A {{ google.protobuf.Duration d = 1; }}"
    texts = [
        head.format(*imports) + "".join(some_options) + messages.format(*some_fields)
        for imports, some_options, some_fields in (
            (("any", "duration"), options, fields),
            (("duration", "any"), options[::-1], fields[::-1]),
        )
    ]
    path = "/subjects/{}/versions?normalize=true"
    made = [
        api.ok("POST", path.format(subject), {"schemaType": "PROTOBUF", "schema": text})
        for subject, text in zip(("s", "t"), texts, strict=True)
    ]
    assert [one["id"] for one in made] == [1, 1]
    stored = made[0]["schema"]
    assert made[1]["schema"] == stored
    assert [stored.index(f"message {name}") for name in "ZA"] == sorted(
        stored.index(f"message {n}") for n in "ZA"
    )
    assert [post(api, subject, text).body["id"] for subject, text in zip("uv", texts, strict=True)] == [2, 3]


def test_case_081_an_option_that_nobody_knows_is_kept(api: Registry) -> None:
    text = ORDER.replace("id = 1", 'id = 1 [(no.such.option) = "x"]')
    assert post(api, "order", text).status == 200
    assert api.ok("GET", "/schemas/ids/1")["schema"] == text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("  int32 id = 1;\n", ""), ""),
        (("int32 id", "string id"), "FIELD_SCALAR_KIND_CHANGED"),
        (("message Other {\n}\n", ""), "MESSAGE_REMOVED"),
        (("package demo", "package other"), "PACKAGE_CHANGED"),
        (("int32 id", "int64 id"), ""),
        (("int32 id", "int32 number"), ""),
        (('syntax = "proto3"', 'syntax = "proto2"'), "REQUIRED_FIELD_ADDED"),
    ],
)
def test_case_096_changes_by_confluents_rules(api: Registry, change: tuple[str, str], words: str) -> None:
    old = ORDER + "message Other {\n}\n"
    new = old.replace(*change)
    if words == "REQUIRED_FIELD_ADDED":
        old = new.replace("int32 id", "optional int32 id")
        new = old.replace("= 1;\n", "= 1;\n  required int32 more = 2;\n")
    assert post(api, "order", old).status == 200
    answer = post(api, "order", new)
    assert answer.status == (409 if words else 200)
    assert words in answer.body.get("message", "")


def test_without_a_compiler_the_caller_may_come_again(api: Registry) -> None:
    service.use(CompilerClient("/nowhere/compiler"))
    answer = post(api, "order", ORDER)
    assert answer.status == 503
    assert answer.body["message"].startswith(CompilerUnavailable.template.partition(":")[0])
    assert api.ok("GET", "/subjects") == []


def text_of(answer: Answer) -> str:
    """The schema in an answer, which may be all of it."""
    return str(answer.body["schema"]) if answer.body else answer.raw.decode()


@pytest.mark.parametrize("path", PATHS)
def test_a_descriptor_is_given_back_on_request(api: Registry, path: str) -> None:
    post(api, "order", ORDER)
    assert text_of(api.get(f"{path}?format=serialized")) == SERIALIZED
    for form in ("", "?format=", "?format=resolved", "?format=SERIALIZED"):
        assert text_of(api.get(path + form)) == ORDER


def test_nothing_but_the_text_changes_with_the_form(api: Registry) -> None:
    post(api, "order", ORDER)
    newer = api.with_new_members()
    stored = newer.ok("GET", "/schemas/ids/1")
    assert newer.ok("GET", "/schemas/ids/1?format=serialized") == {**stored, "schema": SERIALIZED}
    body = {"schemaType": "PROTOBUF", "schema": SERIALIZED}
    found = newer.ok("POST", "/subjects/order?format=serialized", body)
    assert (found["schema"], found["guid"], found["id"]) == (SERIALIZED, stored["guid"], 1)


def test_case_080_a_descriptor_and_its_text_are_one_version(api: Registry) -> None:
    newer = api.with_new_members()
    made = [post(newer, "order", text).body for text in (SERIALIZED, ORDER)]
    assert [(one["id"], one["schema"]) for one in made] == [(1, ORDER)] * 2
    assert made[0]["guid"] == made[1]["guid"]
    assert api.versions("order") == [1]
    assert api.ok("GET", "/schemas/ids/1")["schema"] == ORDER
    assert api.ok("GET", "/schemas/ids/1?format=serialized")["schema"] == SERIALIZED


def test_a_whole_set_stands_for_its_last_file(api: Registry) -> None:
    text = ORDER.replace("int32 id", "google.protobuf.Any id").replace(
        "package demo;\n", 'package demo;\n\nimport "google/protobuf/any.proto";\n'
    )
    data = FileDescriptorSet(file=compiled({"order.proto": text})).SerializeToString()
    made = post(api, "order", base64.b64encode(data).decode())
    stored = api.ok("GET", f"/schemas/ids/{made.body['id']}")["schema"]
    assert stored == text.replace("google.protobuf.Any", ".google.protobuf.Any")


def test_what_a_set_imports_is_found_again_later(api: Registry) -> None:
    files = compiled({"order.proto": ORDER, "basket.proto": IMPORTING})
    text = base64.b64encode(FileDescriptorSet(file=files).SerializeToString()).decode()
    refused = post(api, "basket", text)
    assert refused.error == (422, 42201)
    assert "send a reference named 'order.proto'" in refused.body["message"]
    post(api, "order", ORDER)
    made = post(api, "basket", text, references=REFERENCES)
    assert made.status == 200
    stored = api.ok("GET", f"/schemas/ids/{made.body['id']}")
    assert stored["references"] == REFERENCES
    assert post(api, "again", stored["schema"], references=REFERENCES).body["id"] == made.body["id"]


def test_a_text_may_write_the_entries_of_its_maps_out(api: Registry) -> None:
    """As Confluent's registry prints what Python's client sends; so it comes with an import."""
    members = "    option map_entry = true;\n\n    string key = 1;\n    Order value = 2;\n"
    entry = f"  message ManyEntry {{\n{members}  }}\n"
    text = ORDER.replace("}\n", f"  repeated ManyEntry many = 2;\n\n{entry}}}\n")
    assert post(api, "order", text).status == 200
    assert api.ok("GET", "/schemas/ids/1")["schema"] == text
    as_map = ORDER.replace("}\n", "  map<string, Order> many = 2;\n}\n")
    assert post(api, "order", as_map).body["version"] == 2
    assert text_of(api.get("/schemas/ids/1?format=serialized")) == text_of(
        api.get("/schemas/ids/2?format=serialized")
    )


def test_a_descriptor_is_never_stored_as_something_else(api: Registry) -> None:
    (file,) = compiled({"order.proto": ORDER})
    file.message_type[0].field[0].oneof_index = 7
    refused = post(api, "order", base64.b64encode(file.SerializeToString()).decode())
    assert refused.error == (422, 42201)
    assert "demo.Order.id: there is no oneof 7" in refused.body["message"]


@pytest.mark.parametrize("text", ["!!!!", "AAAA", base64.b64encode(b"\x0a\xff\xff").decode()])
def test_what_is_no_descriptor_is_refused(api: Registry, text: str) -> None:
    assert post(api, "order", text).error == (422, 42201)


def test_a_text_is_given_back_without_extensions(api: Registry) -> None:
    extended = ORDER.replace("id = 1;", 'id = 1 [(confluent.field_meta).doc = "d", (no.such) = "x"];')
    extended = extended.replace("package demo;\n", 'package demo;\n\nimport "confluent/meta.proto";\n')
    post(api, "order", extended)
    assert text_of(api.get("/schemas/ids/1?format=ignore_extensions")) == extended.replace(
        'doc = "d", (no.such) = "x"', 'doc = "d"'
    )


def test_a_descriptor_behind_which_something_is_hidden_looks_missing(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    post(api, "order", ORDER)
    made = post(api, "basket", IMPORTING, references=REFERENCES).body["id"]
    narrow = api_with("schema.read", subjects=("basket",))
    assert narrow.get(f"/schemas/ids/{made}?format=serialized").error == (404, 40403)
    assert narrow.get(f"/schemas/ids/{made}?format=ignore_extensions").status == 200
    file = FileDescriptorProto.FromString(
        base64.b64decode(text_of(api.get(f"/schemas/ids/{made}?format=serialized")))
    )
    assert file.message_type[0].field[0].type_name == ".demo.Order"


def test_a_descriptor_needs_no_compiler_but_where_an_older_release_kept_none(
    api: Registry, scope: Scope
) -> None:
    post(api, "order", ORDER)
    forget_everything()
    service.use(CompilerClient("/nowhere/compiler"))
    assert api.get("/schemas/ids/1?format=serialized").status == 200
    with tenancy.tenant_context(scope.tenant.id), connection.cursor() as cursor:
        cursor.execute("UPDATE registry_schema SET descriptor_set_id = NULL")
    forget_everything()
    assert api.get("/schemas/ids/1?format=serialized").status == 503
    assert api.get("/schemas/ids/1").status == 200
