"""Policies of Protobuf put together from rules of several presets, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.accord.policy.test_compositions import GETTING, TYPES_BY_WIRE
from tests.registry.policies.asking import NAMESPACE

if TYPE_CHECKING:
    from tests.registry.client import Answer, Registry
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db
HEAD = 'syntax = "proto3";\npackage p.v1;\n'
NUMBER = f"{HEAD}message M {{ int32 a = 1; }}\n"


def register(api: Registry, text: str, subject: str = "s") -> Answer:
    return api.call("POST", f"/subjects/{subject}/versions", {"schemaType": "PROTOBUF", "schema": text})


def policy_of(preset: str) -> str:
    return f"name: alone\nformats: {{protobuf: {{preset: '{preset}'}}}}\n"


@pytest.mark.parametrize(
    ("document", "statuses"),
    [
        (policy_of("buf:v2:WIRE_JSON"), (409, 409, 409)),
        (policy_of("buf:v2:WIRE"), (200, 200, 409)),
        (TYPES_BY_WIRE, (200, 409, 409)),
    ],
    ids=["WIRE_JSON", "WIRE", "both"],
)
def test_types_may_be_judged_by_wire_and_all_else_by_wire_json(
    native: Native, api: Registry, document: str, statuses: tuple[int, ...]
) -> None:
    native.enforce(document)
    changes = ("int64 a", "int32 b", "string a")
    for subject in changes:
        assert register(api, NUMBER, subject.replace(" ", "-")).status == 200
    answers = [register(api, NUMBER.replace("int32 a", one), one.replace(" ", "-")) for one in changes]
    assert tuple(one.status for one in answers) == statuses


def test_a_namespace_of_interfaces_refuses_what_breaks_a_client(native: Native, api: Registry) -> None:
    bound = native.ok("POST", f"{NAMESPACE}/policy-templates", {"template": "api"})
    assert bound["policy"] == "api"
    assert register(api, HEAD + GETTING).status == 200
    assert register(api, HEAD + GETTING.replace("rpc Get(A)", "rpc Get(B)")).error == (409, 40901)
    assert register(api, HEAD + GETTING.replace("service T {}\n", "")).error == (409, 40901)
    assert (
        register(api, HEAD + GETTING.replace("service T {}", "service T { rpc All(B) returns (B); }")).status
        == 200
    )
