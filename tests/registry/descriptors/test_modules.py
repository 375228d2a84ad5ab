"""Modules: uploaded, listed, downloaded, compared, deleted."""

from __future__ import annotations

import base64
import io
import zipfile
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf.descriptors import (
    FileDescriptorSet,
    OptionReader,
    message_class,
    message_type,
)
from accord.formats.protobuf.filing import filed
from registry.services import module_reading
from registry.services.module_judging import SetNodes
from tenants.usage import usage
from tests.registry.client import Registry
from tests.registry.descriptors.asking import BROKEN, GROWN, ORDER, PLAIN, TEXTS, Shelf, compiled_set
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from accord.formats.protobuf.descriptors import FileDescriptorProto

pytestmark = pytest.mark.django_db

V1 = "/modules/shop/versions/1"


def paths(data: bytes) -> list[str]:
    return [one.name for one in FileDescriptorSet.FromString(data).file]


def test_a_set_becomes_the_next_version_and_the_same_set_does_not(shelf: Shelf) -> None:
    made = shelf.push("shop", TEXTS)
    assert (made.status, made.body["version"], made.body["is_new"]) == (201, 1, True)
    again = shelf.push("shop", TEXTS)
    assert (again.status, again.body["version"], again.body["is_new"]) == (200, 1, False)
    assert shelf.push("shop", GROWN).body["version"] == 2
    assert shelf.ok("GET", "/modules/shop/versions") == [1, 2]
    (module,) = shelf.ok("GET", "/modules")["modules"]
    assert (module["name"], module["latest"], module["versions"]) == ("shop", 2, 2)


def test_what_is_downloaded_decodes_what_was_written(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    data = shelf.get(f"{V1}/set").raw
    assert paths(data) == ["item.proto", "google/protobuf/timestamp.proto", "order.proto"]
    ours, theirs = (message_class(message_type(one, "shop.Order")) for one in (data, compiled_set(TEXTS)))
    written = theirs(items=[{"name": "tea"}]).SerializeToString()
    assert 'name: "tea"' in str(ours.FromString(written))


@pytest.mark.parametrize("kind", ["application/octet-stream", "application/x-protobuf"])
def test_types_of_bodies(shelf: Shelf, kind: str) -> None:
    assert shelf.call("POST", "/modules/shop/versions", compiled_set(TEXTS), kind=kind).status == 201
    assert shelf.call("POST", "/modules/shop/versions", compiled_set(TEXTS), kind="text/plain").status == 415


def test_the_smallest_set_of_a_message_or_service(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    small = shelf.get(f"{V1}/set?message=shop.Item")
    assert paths(small.raw) == ["item.proto"]
    assert len(paths(shelf.get(f"{V1}/set?service=shop.Shop").raw)) == 3
    assert shelf.get(f"{V1}/set?message=shop.Nothing").error == (404, "not_in_set")
    assert small.headers["ETag"] != shelf.get(f"{V1}/set").headers["ETag"]


def test_imports_and_notes_are_a_matter_of_asking(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS, notes=True)
    assert paths(shelf.get(f"{V1}/set?imports=false").raw) == ["item.proto", "order.proto"]
    noted = FileDescriptorSet.FromString(shelf.get(f"{V1}/set?notes=true").raw).file
    assert [one.HasField("source_code_info") for one in noted] == [True, False, True]
    plain = FileDescriptorSet.FromString(shelf.get(f"{V1}/set").raw).file
    assert not any(one.HasField("source_code_info") for one in plain)
    assert shelf.get(f"{V1}/set?imports=maybe").status == 400


def test_who_has_it_already_gets_nothing(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    for path in ("set", "set?message=shop.Item", "zip", "files/item.proto"):
        tag = shelf.get(f"{V1}/{path}").headers["ETag"]
        known = shelf.get(f"{V1}/{path}", If_None_Match=f'W/"x", {tag}')
        assert (known.status, known.raw, known.headers["ETag"]) == (304, b"", tag)
    latest = "/modules/shop/versions/latest/set"
    tag = shelf.get(latest).headers["ETag"]
    shelf.push("shop", GROWN)
    assert shelf.get(latest, If_None_Match=tag).status == 200


def test_lists_of_what_is_in_a_version(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    files = shelf.ok("GET", f"{V1}/files")
    assert [(one["path"], one["package"], one["is_import"]) for one in files] == [
        ("item.proto", "shop", False),
        ("order.proto", "shop", False),
    ]
    assert len(shelf.ok("GET", f"{V1}/files?imports=true")) == 3
    assert shelf.ok("GET", f"{V1}/packages") == [{"name": "shop", "files": ["item.proto", "order.proto"]}]
    messages = {one["name"]: one["kind"] for one in shelf.ok("GET", f"{V1}/messages")}
    assert messages == {
        "shop.Item": "message",
        "shop.Order": "message",
        "shop.Order.State": "enum",
        "shop.Order.Inner": "message",
        "shop.Ping": "message",
    }
    (service,) = shelf.ok("GET", f"{V1}/services")
    assert (service["name"], service["methods"][0]["client_streaming"]) == ("shop.Shop", True)


def test_types_are_found_by_their_names_and_those_of_their_fields(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    found = {
        text: {one["name"]: one["fields"] for one in shelf.ok("GET", f"{V1}/messages?q={text}")}
        for text in ("ITEM", "unspecified", "inner", "timestamp", "none")
    }
    assert found == {
        "ITEM": {"shop.Item": [], "shop.Order": ["items"]},
        "unspecified": {"shop.Order.State": ["STATE_UNSPECIFIED"]},
        "inner": {"shop.Order.Inner": []},
        "timestamp": {},
        "none": {},
    }
    assert (
        shelf.ok("GET", f"{V1}/messages?q=timestamp&imports=true")[0]["name"] == "google.protobuf.Timestamp"
    )


def test_files_as_texts_and_as_an_archive(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    text = shelf.get(f"{V1}/files/item.proto")
    assert text.headers["Content-Type"].startswith("text/plain")
    assert b"message Item {" in text.raw
    assert shelf.get(f"{V1}/files/none.proto").error == (404, "not_in_set")
    archive = shelf.get(f"{V1}/zip")
    with zipfile.ZipFile(io.BytesIO(archive.raw)) as unpacked:
        assert unpacked.namelist() == ["item.proto", "order.proto"]
        assert unpacked.read("item.proto") == text.raw
    assert shelf.get(f"{V1}/zip").raw == archive.raw
    assert len(zipfile.ZipFile(io.BytesIO(shelf.get(f"{V1}/zip?imports=true").raw)).namelist()) == 3


def test_texts_are_compiled_and_given_back_as_they_were(shelf: Shelf) -> None:
    made = shelf.call("POST", "/modules/shop/versions", {"texts": TEXTS})
    assert made.status == 201
    assert shelf.get(f"{V1}/files/order.proto").raw.decode() == TEXTS["order.proto"]
    wrong = shelf.call("POST", "/modules/shop/versions", {"texts": {"a.proto": "message"}})
    assert wrong.error == (422, "invalid_schema")
    assert shelf.push("shop", TEXTS).body["version"] == made.body["version"]


def test_an_upload_may_say_which_version_it_goes_on_from(shelf: Shelf) -> None:
    assert shelf.push("shop", TEXTS, "?expect=1").error == (409, "module_changed")
    assert shelf.push("shop", TEXTS, "?expect=0").status == 201
    assert shelf.push("shop", TEXTS, "?expect=0").status == 200
    refused = shelf.push("shop", GROWN, "?expect=0")
    assert refused.error == (409, "module_changed")
    assert "is at version 1, not 0" in refused.body["detail"]
    assert shelf.push("shop", GROWN, "?expect=1").status == 201
    assert shelf.push("shop", GROWN, "?expect=x").status == 400


def test_files_that_are_only_named_keep_what_is_noted_of_them(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS, notes=True)
    files = [
        one for one in FileDescriptorSet.FromString(compiled_set(GROWN)).file if "google" not in one.name
    ]
    grown = FileDescriptorSet(file=files[1:]).SerializeToString()
    body = {"digests": [filed(one).digest.hex() for one in files], "set": base64.b64encode(grown).decode()}
    assert shelf.ok("POST", "/modules/shop/versions", body)["version"] == 2
    noted = FileDescriptorSet.FromString(shelf.get("/modules/shop/versions/2/set?notes=true").raw).file
    assert [one.name for one in noted if one.HasField("source_code_info")] == ["item.proto"]


def test_lint_hears_what_is_noted_of_files_that_are_only_named(shelf: Shelf) -> None:
    rule = "COMMENT_MESSAGE"
    texts = {"item.proto": PLAIN.replace("message", "\n// An item.\nmessage")}
    shelf.push("shop", texts, notes=True)
    Native(shelf.token).enforce(
        {"name": "api", "default": {"lint": {"use": [rule], "severities": {rule: "block"}}}}
    )
    digests = [one["digest"] for one in shelf.ok("GET", f"{V1}/files")]
    assert shelf.ok("POST", "/modules/shop/lint", {"digests": digests})["lint"] == []
    assert shelf.ok("POST", "/modules/shop/check", {"digests": digests})["is_allowed"]


def test_an_archive_reads_the_options_of_a_set_once(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.push("shop", TEXTS)
    made: list[OptionReader] = []

    def counted(files: Iterable[FileDescriptorProto]) -> OptionReader:
        made.append(OptionReader(files))
        return made[-1]

    monkeypatch.setattr(module_reading, "OptionReader", counted)
    assert shelf.get(f"{V1}/zip?imports=true").status == 200
    assert len(made) == 1


def test_a_file_is_marked_by_all_that_it_imports() -> None:
    def marks(texts: dict[str, str]) -> dict[str, bytes]:
        return SetNodes([filed(one) for one in FileDescriptorSet.FromString(compiled_set(texts)).file]).marks

    other = {"a.proto": PLAIN.replace("shop", "a")}
    before, after = marks({**TEXTS, **other}), marks({**BROKEN, **other})
    assert {path for path, mark in before.items() if after[path] != mark} == {"item.proto", "order.proto"}
    assert {len(mark) for mark in before.values()} == {32}


def test_the_right_that_a_call_needs_is_noted_of_its_token(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[str] = []
    monkeypatch.setattr(usage, "note_right", lambda _, right: noted.append(right))
    shelf.ok("GET", "/modules")
    assert shelf.get("/modules/none/versions").status == 404
    assert noted == ["desc.read"]


def test_files_are_those_of_the_module_that_owns_them(shelf: Shelf) -> None:
    shelf.push("base", {"item.proto": PLAIN})
    shelf.call("POST", "/modules/shop/versions?depends=base", {"texts": {"order.proto": ORDER % ""}})
    shelf.push("base", {"item.proto": PLAIN.replace("name = 1;", "name = 1; int32 size = 2;")})
    cart = 'syntax = "proto3"; package cart; import "order.proto"; message Cart { shop.Order order = 1; }'
    body = {"texts": {"cart.proto": cart}}
    for number, query in ((1, "depends=base&depends=shop"), (1, "depends=shop&depends=base")):
        made = shelf.call("POST", f"/modules/cart/versions?{query}", body)
        assert made.body["version"] == number
    item = message_type(shelf.get("/modules/cart/versions/1/set").raw, "shop.Item")
    assert [one.name for one in item.fields] == ["name", "size"]


def test_only_missing_files_are_sent(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    files = [
        one for one in FileDescriptorSet.FromString(compiled_set(GROWN)).file if "google" not in one.name
    ]
    by_digest = {filed(one).digest.hex(): one for one in files}
    assert set(by_digest) == {sha256(one.SerializeToString()).hexdigest() for one in files}
    missing = shelf.ok("POST", "/digests", {"digests": list(by_digest)})["missing"]
    assert [by_digest[one].name for one in missing] == ["order.proto"]
    body = {"digests": list(by_digest), "set": ""}
    refused = shelf.call("POST", "/modules/shop/versions", body)
    assert (refused.error, refused.body["missing"]) == ((409, "files_missing"), missing)
    sent = FileDescriptorSet(file=[by_digest[one] for one in missing]).SerializeToString()
    made = shelf.ok("POST", "/modules/shop/versions", {**body, "set": base64.b64encode(sent).decode()})
    assert made["version"] == 2
    whole = shelf.push("other", GROWN).body["digest"]
    assert made["digest"] == whole
    unnamed = {"digests": [], "set": base64.b64encode(sent).decode()}
    assert shelf.call("POST", "/modules/shop/versions", unnamed).error == (422, "invalid_upload")


def test_files_of_others_are_no_oracle(shelf: Shelf, shelf_with: Callable[..., Shelf]) -> None:
    shelf.push("shop", TEXTS)
    digests = [one["digest"] for one in shelf.ok("GET", f"{V1}/files")]
    narrow = shelf_with("desc.read", "desc.write", subjects=("mine-*",))
    assert narrow.ok("POST", "/digests", {"digests": digests}) == {"missing": digests}
    assert narrow.call("POST", "/modules/mine-1/versions", {"digests": digests}).status == 409


def test_what_a_set_imports_comes_from_modules_it_names(shelf: Shelf) -> None:
    shelf.push("base", {"item.proto": PLAIN})
    order = FileDescriptorSet.FromString(compiled_set(TEXTS)).file[-1]
    alone = FileDescriptorSet(file=[order]).SerializeToString()
    lone = shelf.call("POST", "/modules/shop/versions", alone)
    assert lone.error == (422, "invalid_schema")
    assert "imports 'item.proto', which is not in the set" in lone.body["detail"]
    made = shelf.call("POST", "/modules/shop/versions?depends=base@1", alone)
    assert made.status == 201
    assert [one["path"] for one in shelf.ok("GET", f"{V1}/files")] == ["order.proto"]
    grown = FileDescriptorSet.FromString(compiled_set(GROWN)).file[-1]
    later = FileDescriptorSet(file=[grown]).SerializeToString()
    assert shelf.call("POST", "/modules/shop/versions", later).body["version"] == 2
    texts = {"texts": {"order.proto": GROWN["order.proto"]}}
    assert shelf.call("POST", "/modules/third/versions?depends=base", texts).status == 201
    whole = shelf.push("fourth", TEXTS, "?depends=base")
    assert whole.status == 201
    other = shelf.push("fifth", BROKEN, "?depends=base")
    assert (other.error, "module 'base' version 1" in other.body["detail"]) == ((422, "invalid_upload"), True)
    assert shelf.push("sixth", {"item.proto": PLAIN}, "?depends=base").error == (422, "invalid_upload")
    assert shelf.push("x", TEXTS, "?depends=nothing").error == (404, "module_not_found")
    assert shelf.push("x", TEXTS, "?depends=@").status == 400


@pytest.mark.parametrize("preset", ["confluent:8.1", "buf:v2:FILE"])
def test_the_policy_in_force_decides(shelf: Shelf, preset: str) -> None:
    Native(shelf.token).enforce({"name": "api", "formats": {"protobuf": {"preset": preset}}})
    shelf.push("shop", TEXTS)
    told = shelf.call("POST", "/modules/shop/check", compiled_set(BROKEN)).body
    assert (told["is_allowed"], told["preset"]) == (False, preset)
    refused = shelf.push("shop", BROKEN)
    assert refused.error == (409, "incompatible_module")
    findings = refused.body["comparisons"][0]["findings"]
    assert "/item.proto/messages/Item/fields/1" in {one["path"].removesuffix("/type") for one in findings}
    assert shelf.ok("GET", "/modules/shop/versions") == [1]
    assert shelf.call("POST", "/modules/new/check", compiled_set(BROKEN)).body["is_allowed"]
    assert shelf.push("shop", GROWN).status == 201


def test_two_versions_compared(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    shelf.push("shop", {**GROWN, "more.proto": 'syntax = "proto3"; message More {}'})
    told = shelf.ok("GET", "/modules/shop/diff?from=1")
    assert told["files"] == {"added": ["more.proto"], "removed": [], "changed": ["order.proto"]}
    assert "FIELD_ADDED" in {one["rule"] for one in told["differences"]}
    assert shelf.get("/modules/shop/diff?from=7").error == (404, "module_version_not_found")
    assert shelf.get("/modules/shop/diff").error == (404, "module_version_not_found")


def test_lint_by_hints_and_by_policy(shelf: Shelf) -> None:
    hints = shelf.ok("POST", "/modules/shop/lint", compiled_set(TEXTS, notes=True))
    assert not hints["is_asked"]
    assert {"PACKAGE_DIRECTORY_MATCH"} <= {one["rule"] for one in hints["lint"]}
    rule = "PACKAGE_VERSION_SUFFIX"
    Native(shelf.token).enforce(
        {"name": "api", "default": {"lint": {"use": [rule], "severities": {rule: "block"}}}}
    )
    refused = shelf.push("shop", TEXTS)
    assert refused.error == (422, "module_lint_refused")
    assert {one["rule"] for one in refused.body["lint"]} == {rule}
    assert shelf.ok("POST", "/modules/shop/lint", compiled_set(TEXTS))["is_asked"]


def test_deleted_versions_leave_their_numbers(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    shelf.push("shop", GROWN)
    assert shelf.ok("DELETE", "/modules/shop/versions/latest") == {"deleted": [2]}
    assert shelf.call("DELETE", "/modules/shop/versions/2").error == (404, "module_version_not_found")
    assert shelf.push("shop", GROWN).body["version"] == 3
    assert shelf.ok("DELETE", "/modules/shop") == {"deleted": [1, 3]}
    assert shelf.get("/modules/shop/versions").error == (404, "module_not_found")
    assert shelf.call("DELETE", "/modules/shop").error == (404, "module_not_found")
    assert shelf.ok("GET", "/modules") == {"modules": [], "next": None}
    assert shelf.push("shop", TEXTS).body["version"] == 4


def test_comments_make_a_version_and_a_set_without_any_makes_none(shelf: Shelf) -> None:
    assert shelf.push("shop", TEXTS, notes=True).body["version"] == 1
    assert shelf.push("shop", TEXTS).body["version"] == 1
    other = {**TEXTS, "order.proto": (ORDER % "").replace("An order", "Somebody's order")}
    assert shelf.push("shop", other, notes=True).body["version"] == 2


@pytest.mark.parametrize("name", ["-a", "a b", "a" * 201, "%2e%2e", "ä"])
def test_names_that_no_module_can_have(shelf: Shelf, name: str) -> None:
    assert shelf.push(name, TEXTS).error == (422, "invalid_module")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"texts": {}, "digests": []}, 422),
        ({"texts": {}}, 422),
        ({"texts": {"a": 1}}, 422),
        ({"digests": ["x"]}, 422),
        ({"digests": [], "set": "%"}, 422),
        ({"digests": [], "set": 1}, 422),
        ({"other": 1}, 422),
        ({"texts": {"../a.proto": ""}}, 422),
        (b"", 422),
        (b"nonsense", 422),
    ],
)
def test_bodies_that_are_no_upload(shelf: Shelf, body: object, status: int) -> None:
    assert shelf.call("POST", "/modules/shop/versions", body).status == status
    assert shelf.ok("GET", "/modules")["modules"] == []


def test_too_many_digests_or_dependencies(shelf: Shelf) -> None:
    many = {"digests": ["0" * 64] * 10_001}
    assert shelf.call("POST", "/digests", many).error == (422, "invalid_upload")
    assert shelf.call("POST", "/modules/shop/versions", many).error == (422, "invalid_upload")
    assert shelf.push("shop", TEXTS, "?" + "&".join(["depends=a"] * 101)).status == 400


def test_lists_come_in_parts(shelf: Shelf) -> None:
    for name in ("a", "b", "c"):
        shelf.push(name, {"item.proto": PLAIN})
    first = shelf.ok("GET", "/modules?limit=2")
    assert [one["name"] for one in first["modules"]] == ["a", "b"]
    rest = shelf.ok("GET", f"/modules?limit=2&after={first['next']}")
    assert ([one["name"] for one in rest["modules"]], rest["next"]) == (["c"], None)
    assert shelf.get("/modules?limit=0").status == 400


def test_a_namespace_that_only_reads_takes_nothing(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    Registry(shelf.token).mode("shop", "READONLY")
    assert shelf.push("shop", GROWN).error == (409, "read_only")
    assert shelf.call("DELETE", "/modules/shop").error == (409, "read_only")


def test_a_slash_at_the_end_means_nothing(shelf: Shelf) -> None:
    shelf.push("shop", TEXTS)
    assert shelf.ok("GET", "/modules/shop/versions/") == [1]
    assert shelf.get("/nothing").status == 404
    assert shelf.get("").status == 404
    options = shelf.call("OPTIONS", "/modules/shop/versions")
    assert options.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    wrong = shelf.call("PUT", "/modules/shop/versions")
    assert (wrong.status, wrong.headers["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
    assert shelf.call("HEAD", f"{V1}/set").status == 200
