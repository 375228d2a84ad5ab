"""The verbs of the control plane: what they send, and what they show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.cli.control_table import GROUPS

if TYPE_CHECKING:
    from accord.cli.control_rows import Verb
    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

NORTH = "/api/v1/tenants/north"
VERBS = [(group.name, verb) for group in GROUPS for verb in group.verbs]


def at(registry: StandIn) -> tuple[str, str]:
    return "--url", f"{registry.url}/sr/north/default"


def test_a_list_is_one_line_for_each_part_after_part(accord: Program, registry: StandIn) -> None:
    first = {"key_id": "k1", "state": "active", "expires_at": "2030", "owner": "service:a", "name": "A"}
    registry.answer(f"GET {NORTH}/tokens?state=active&limit=200", {"items": [first], "next": "x"})
    second = {**first, "key_id": "k2", "owner": None}
    registry.answer(f"GET {NORTH}/tokens?state=active&limit=200&cursor=x", {"items": [second], "next": None})
    done = accord("tokens", "list", "--state", "active", *at(registry))
    assert done.stdout.splitlines() == ["k1  active  2030  service:a  A", "k2  active  2030  -  A"]
    assert json.loads(accord("tokens", "list", "--state", "active", "--json", *at(registry)).stdout) == [
        first,
        second,
    ]


def test_one_thing_is_a_line_for_each_member(accord: Program, registry: StandIn) -> None:
    shown = {"slug": "pay", "labels": ["a", "b"], "properties": {"k": "v"}, "format": None, "on": True}
    registry.answer(f"GET {NORTH}/namespaces/pay", {**shown, "off": False, "none": [], "empty": {}})
    done = accord("namespaces", "show", "pay", *at(registry))
    assert done.stdout.splitlines() == [
        "slug: pay",
        "labels: a, b",
        "properties: k=v",
        "format: -",
        "on: yes",
        "off: no",
        "none: -",
        "empty: -",
    ]


def test_a_value_that_is_shown_once_stands_alone_on_the_output(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {NORTH}/tokens/k1/roll", {"key_id": "k1", "token": "accs_x"})
    done = accord("tokens", "roll", "k1", "--grace", "1h", *at(registry))
    assert (done.stdout, done.stderr) == ("accs_x\n", "key_id: k1\n")
    (asked,) = registry.asked
    assert asked.body == {"grace": "1h"}
    assert len({name.lower(): one for name, one in asked.headers.items()}["idempotency-key"]) == 32


def test_a_token_is_asked_for_in_one_grant(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {NORTH}/tokens", {"token": "accs_x"})
    options = ("--name", "CI", "--owner", "service:ci", "--kind", "ci", "--preset", "ci-check")
    more = ("--namespace", "pay", "--subjects", "a-*", "--subjects", "b", "--network", "10.0.0.0/8")
    accord("tokens", "create", *options, *more, "--max-uses", "3", *at(registry))
    assert registry.asked[0].body == {
        "name": "CI",
        "owner": "service:ci",
        "kind": "ci",
        "grants": [{"preset": "ci-check", "namespaces": ["pay"], "subjects": ["a-*", "b"]}],
        "networks": {"in": ["10.0.0.0/8"]},
        "max_uses": 3,
    }


def test_a_change_names_the_version_it_is_made_for(accord: Program, registry: StandIn) -> None:
    registry.answer(f"PATCH {NORTH}/namespaces/pay", {"slug": "pay"})
    options = ("--properties", "k=v=w", "--labels", "gold", "--format", "")
    accord("namespaces", "update", "pay", *options, *at(registry))
    accord("namespaces", "update", "pay", "--name", "Pay", "--if-match", '"3"', *at(registry))
    sent = [({n.lower(): v for n, v in one.headers.items()}["if-match"], one.body) for one in registry.asked]
    assert sent == [
        ("*", {"labels": ["gold"], "properties": {"k": "v=w"}, "format": None}),
        ('"3"', {"name": "Pay"}),
    ]


def test_a_limit_is_a_number_or_none_or_taken_back(accord: Program, registry: StandIn) -> None:
    registry.answer(f"PATCH {NORTH}/quotas", {"items": []})
    options = ("--versions", "9", "--stored-bytes", "none", "--tokens", "")
    assert accord("quotas", "set", *options, *at(registry)).exit_code == 0
    assert registry.asked[0].body == {"limits": {"versions": 9, "stored_bytes": 0, "tokens": None}}
    refused = accord("quotas", "set", "--tokens", "many", *at(registry))
    assert (refused.exit_code, "'many' is neither a number nor none" in refused.stderr) == (2, True)


def test_what_is_gone_is_told_by_nothing(accord: Program, registry: StandIn) -> None:
    registry.answer(f"DELETE {NORTH}/namespaces/pay?confirm=pay", b"", 204)
    done = accord("namespaces", "delete", "pay", "--confirm", "pay", *at(registry))
    assert (done.exit_code, done.stdout) == (0, "")


def test_tenants_are_asked_for_at_the_server_or_by_name(accord: Program, registry: StandIn) -> None:
    registry.answer("POST /api/v1/tenants", {"slug": "west"})
    registry.answer("GET /api/v1/tenants?limit=200", {"items": [], "next": None})
    registry.answer("PATCH /api/v1/tenants/west", {"slug": "west"})
    accord("tenants", "create", "--slug", "west", "--template", "", "--url", registry.url)
    accord("tenants", "list", *at(registry))
    rules = ("--lifetime-days", "30", "--approval", "yes", "--forbidden", "subject.purge")
    accord("tenants", "token-rules", "--tenant", "west", *rules, "--url", registry.url)
    assert [one.body for one in registry.asked] == [
        {"slug": "west", "template": None},
        None,
        {"token_rules": {"lifetime_days": 30, "approval": True, "forbidden": ["subject.purge"]}},
    ]


def test_an_invitation_brings_a_role_along(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {NORTH}/invitations", {"token": "acci_x"})
    accord("members", "invite", "--email", "x@example.org", "--role", "viewer", *at(registry))
    assert registry.asked[0].body == {"email": "x@example.org", "bindings": [{"role": "viewer"}]}


def test_names_are_escaped_and_the_address_must_name_a_tenant(accord: Program, registry: StandIn) -> None:
    registry.answer(f"POST {NORTH}/members/a%2Fb/suspend", {"username": "a/b"})
    assert accord("members", "suspend", "a/b", *at(registry)).exit_code == 0
    assert accord("members", "list", "--url", registry.url).exit_code == 2


@pytest.mark.parametrize("text", ["k", "=v"])
def test_what_is_no_pair_is_wrong_usage(accord: Program, registry: StandIn, text: str) -> None:
    done = accord("namespaces", "update", "pay", "--properties", text, *at(registry))
    assert (done.exit_code, "KEY=VALUE" in done.stderr) == (2, True)


@pytest.mark.parametrize(("group", "verb"), VERBS, ids=[f"{name} {verb.name}" for name, verb in VERBS])
def test_every_verb_explains_itself(accord: Program, group: str, verb: Verb) -> None:
    done: Any = accord(group, verb.name, "--help")
    assert (done.exit_code, done.stdout.count(" --url ")) == (0, 1)
