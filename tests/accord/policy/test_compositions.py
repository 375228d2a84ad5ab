"""Policies of Protobuf put together from rules of several presets, as documents say it."""

from __future__ import annotations

import pytest

from accord.model import Format, Severity, SubjectName
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.documents import read_document
from accord.policy.documents.templates import template_text
from accord.policy.inheritance import Binding, effective
from accord.policy.origins import BindingPlace, Reach
from accord.rules.presets import PRESETS
from tests.accord.protobuf_texts import schema_of

WIRE, WIRE_JSON, PACKAGE = "buf:v2:WIRE", "buf:v2:WIRE_JSON", "buf:v2:PACKAGE"
TYPES_BY_WIRE = """
name: types-by-wire
formats:
  protobuf:
    preset: buf:v2:WIRE_JSON
    rules:
      FIELD_WIRE_JSON_COMPATIBLE_TYPE: off
      FIELD_WIRE_COMPATIBLE_TYPE: block
"""
NAMES = {"FIELD_SAME_NAME", "FIELD_SAME_JSON_NAME"}
JSON_TYPE, WIRE_TYPE = {"FIELD_WIRE_JSON_COMPATIBLE_TYPE"}, {"FIELD_WIRE_COMPATIBLE_TYPE"}
GETTING = """message A { int32 a = 1; }
message B {}
service S { rpc Get(A) returns (A); rpc Put(A) returns (A); }
service T {}
"""


def composed(text: str) -> Policy:
    """The policy that a document makes of itself."""
    read = read_document(text)
    assert read.document is not None, read.problems
    bound = [Binding(BindingPlace(Reach.TENANT, "acme"), 1, read.document)]
    return effective(bound, Format.PROTOBUF, subject=SubjectName("s")).policy


def refusing(old: str, new: str, policy: Policy) -> set[str]:
    """The rules that refuse a change."""
    head = 'syntax = "proto3";\npackage p.v1;\n'
    sides = [schema_of({"a.proto": head + body}) for body in (old, new)]
    verdict = judge(sides[1], [HistoryEntry(1, sides[0])], policy)
    return {one.rule for one in verdict.findings if one.severity is Severity.BLOCK}


@pytest.mark.parametrize(
    ("new", "by_json", "by_wire", "by_both"),
    [
        ("int64 a = 1;", JSON_TYPE, set(), set()),
        ("int32 b = 1;", NAMES, set(), NAMES),
        ("int64 b = 1;", JSON_TYPE | NAMES, set(), NAMES),
        ("string a = 1;", JSON_TYPE, WIRE_TYPE, WIRE_TYPE),
        ("string b = 1;", JSON_TYPE | NAMES, WIRE_TYPE, WIRE_TYPE | NAMES),
        ("int32 a = 1; int32 b = 2;", set(), set(), set()),
    ],
)
def test_wire_json_with_types_judged_by_wire_is_neither_of_them(
    new: str, by_json: set[str], by_wire: set[str], by_both: set[str]
) -> None:
    policy = composed(TYPES_BY_WIRE)
    asked = [Policy(policy.level, WIRE_JSON), Policy(policy.level, WIRE), policy]
    change = "message M { int32 a = 1; }", f"message M {{ {new} }}"
    assert [refusing(*change, one) for one in asked] == [by_json, by_wire, by_both]


def test_the_template_for_interfaces_is_package_and_wire() -> None:
    policy = composed(template_text("api"))
    asked = {
        rule for name in (PACKAGE, WIRE) for rule, cell in PRESETS[name].items() if cell is Severity.BLOCK
    }
    assert {rule for rule in PRESETS[PACKAGE] if policy.severity(rule) is Severity.BLOCK} == asked


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        ("service T {}", "", {"PACKAGE_SERVICE_NO_DELETE"}),
        ("rpc Put(A) returns (A);", "", {"RPC_NO_DELETE"}),
        ("rpc Put(A)", "rpc Put(B)", {"RPC_SAME_REQUEST_TYPE"}),
        ("Put(A) returns (A)", "Put(A) returns (B)", {"RPC_SAME_RESPONSE_TYPE"}),
        ("Put(A)", "Put(stream A)", {"RPC_SAME_CLIENT_STREAMING"}),
        ("Put(A) returns (A)", "Put(A) returns (stream A)", {"RPC_SAME_SERVER_STREAMING"}),
        ("int32 a = 1;", "", {"FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED"}),
        ("int32 a = 1;", "reserved 1;", {"FIELD_NO_DELETE"}),
        ("int32 a", "int64 a", {"FIELD_SAME_TYPE"}),
        ("int32 a", "string a", {"FIELD_SAME_TYPE", "FIELD_WIRE_COMPATIBLE_TYPE"}),
        ("rpc Get(A)", "rpc List(A) returns (A); rpc Get(A)", set()),
    ],
)
def test_an_interface_keeps_what_it_offers(old: str, new: str, rules: set[str]) -> None:
    changed = GETTING.replace(old, new, 1)
    assert changed != GETTING
    assert refusing(GETTING, changed, composed(template_text("api"))) == rules
