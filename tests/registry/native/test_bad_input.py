"""Bodies that are wrong: the answer names each place in the words of JSON and leaks nothing of Python."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.native.asking import send

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

GOOD = {"subject": "s", "schema": '"int"'}
MEMBERS = "schema, format, references, normalize, metadata, rule_set, name, level, policy, subject"
# ErrorDetail(string=…), {'a': 1}, None, <class …>, dictionary
PYTHON = re.compile(r"ErrorDetail|\{'|\['|None|True|False|<class|<.* object|dictionary|\bdict\b|\bstr\b")


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ({"schema": None}, "schema: This field may not be null."),
        ({"subject": {}}, "subject: Not a valid string."),
        ({"format": "COBOL"}, "format: Must be one of: AVRO, JSON, PROTOBUF."),
        ({"format": {"a": None}}, "format: Must be one of: AVRO, JSON, PROTOBUF."),
        ({"references": "r"}, "references: Must be a list."),
        ({"references": ["r"]}, "references/0: Must be an object."),
        ({"references": [None]}, "references/0: This field may not be null."),
        (
            {"references": [{"name": "n", "subject": "s", "version": "x"}]},
            "references/0/version: A valid integer is required.",
        ),
        (
            {"references": [{"name": "n", "subject": "s", "version": 1}, {"name": "n", "subject": "s"}]},
            "references/1/version: This field is required.",
        ),
        ({"level": []}, "level: Must be the name of a level, or an object."),
        ({"strictness": "FULL"}, f"strictness: There is no such member here; there are: {MEMBERS}."),
        (
            {"references": [{"name": "n", "subject": "s", "version": 1, "id": 7}]},
            "references/0/id: There is no such member here; there are: name, subject, version.",
        ),
        ({"normalize": "perhaps"}, "normalize: Must be a valid boolean."),
    ],
)
def test_each_flaw_is_named_by_its_place(api: Registry, members: dict[str, Any], line: str) -> None:
    document = send(api, json.dumps({**GOOD, **members}).encode()).json()
    assert (document["status"], document["code"], document["detail"]) == (400, "bad_request", line)
    place, _, sentence = line.partition(": ")
    (flaw,) = document["errors"]
    assert (flaw["pointer"], flaw["detail"]) == (f"#/{place}", sentence)
    assert not PYTHON.search(json.dumps(document))


def test_every_missing_member_is_named(api: Registry) -> None:
    document = send(api, b"{}").json()
    assert [flaw["pointer"] for flaw in document["errors"]] == ["#/schema", "#/subject"]
    assert {flaw["code"] for flaw in document["errors"]} == {"required"}


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        (b"{", 400, "The request body is not JSON: Expecting property name enclosed in double quotes"),
        (b"[]", 400, "The request body must be a JSON object, not an array"),
        (b"\xff", 400, "The request body is not valid UTF-8 at byte 0"),
        (b"null", 422, "The request body must not be null"),
        (b"[" * 100_000, 400, "The request body nests too deep to be read"),
        (b'{"subject": NaN}', 400, "The request body is not JSON: NaN is not a JSON number"),
    ],
    ids=["broken", "array", "bytes", "null", "deep", "NaN"],
)
def test_what_is_no_object_is_refused_by_name(api: Registry, body: bytes, status: int, detail: str) -> None:
    answer = send(api, body)
    document = answer.json()
    assert (answer.status_code, document["status"]) == (status, status)
    assert document["detail"].startswith(detail)
    assert not PYTHON.search(document["detail"])
