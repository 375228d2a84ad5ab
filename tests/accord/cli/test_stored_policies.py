"""`accord policy` against a registry: what is sent, what is told, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from accord.model import Format
from accord.policy import Policy
from accord.policy.advice import RECOMMENDED, WHY, advice_by_format, advise
from accord.policy.level_names import read_level

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

TENANT = "/api/v1/tenants/north"
NAMESPACE = f"{TENANT}/namespaces/default"
TEXT = b"name: house\ndefault: {level: FULL}\n"
TOLD = replace(
    advise(Policy(read_level("BACKWARD_TILL(2)")), Format.AVRO), allows=(), forbids=("add a\nfield",)
)
# As a registry sends it: by the names of sections.
ADVICE = json.loads(json.dumps(advice_by_format({Format.AVRO: TOLD})))
ADVISED = [
    "AVRO: BACKWARD_TILL(2)",
    "Confluent clients see BACKWARD.",
    "Upgrade the readers first: they read old data with the new schema; then the writers.",
    "Refused:",
    "  - add a\\nfield",
    "Mind: Looking backward, versions before 2 are not compared.",
    *(f"Better: {name}, {WHY[name]}." for name in RECOMMENDED),
]
VERSION: dict[str, Any] = {
    "name": "house",
    "version": 2,
    "created_at": "2026-01-02",
    "created_by": "person:alice",
    "reason": "agreed\nall",
    "reverted_from": None,
}
STORED = {**VERSION, "source": TEXT.decode(), "advice": ADVICE}
WHO = "house version 2, 2026-01-02, person:alice: agreed\\nall"
PLACES = [
    ("tenant", "tenant", f"{TENANT}/policy-binding"),
    ("namespace", "namespace", f"{NAMESPACE}/policy-binding"),
    ("prefix:a/b", "prefix a/b", f"{NAMESPACE}/prefixes/a%2Fb/policy-binding"),
    ("subject::.c:s", "subject :.c:s", f"{NAMESPACE}/subjects/%3A.c%3As/policy-binding"),
]


class Ask:
    """`accord policy` with an address; ``told`` are its lines where it succeeds."""

    def __init__(self, accord: Program, registry: StandIn) -> None:
        self.accord, self.registry = accord, registry

    def __call__(self, *arguments: str) -> Result:
        return self.accord("policy", *arguments, "--url", f"{self.registry.url}/sr/north/default")

    def told(self, *arguments: str) -> list[str]:
        done = self(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines()


@pytest.fixture
def ask(accord: Program, registry: StandIn) -> Ask:
    return Ask(accord, registry)


def binding(reach: str, name: str, namespace: str | None = "default") -> dict[str, Any]:
    place = {"reach": reach, "name": name}
    return {"policy": "house", "version": 2, "number": 3, "namespace": namespace, "place": place}


def test_policies_are_listed_with_their_places(ask: Ask, registry: StandIn) -> None:
    rows = [{"name": "house", "version": 2}, {"name": "spare", "version": 1}]
    bound = [binding("tenant", "north", None), binding("prefix", "a"), binding("subject", "s")]
    registry.answer(f"GET {TENANT}/policies?limit=200", {"items": rows, "next": None})
    registry.answer(f"GET {TENANT}/policy-bindings?limit=200", {"items": bound, "next": None})
    assert ask.told("list") == [
        "house version 2",
        "  bound to tenant north by change 3",
        "  bound to prefix a in default by change 3",
        "  bound to subject s in default by change 3",
        "spare version 1",
    ]
    listed = json.loads(ask("list", "--json").stdout)
    assert listed == [{**rows[0], "bindings": bound}, {**rows[1], "bindings": []}]


def test_a_policy_is_shown_as_written_and_its_version_beside_it(ask: Ask, registry: StandIn) -> None:
    registry.answer(f"GET {TENANT}/policies/house", STORED)
    registry.answer(f"GET {TENANT}/policies/house/versions/1", {**STORED, "version": 1})
    done = ask("show", "house")
    assert (done.stdout, done.stderr) == (TEXT.decode(), f"{WHO}\n")
    assert json.loads(ask("show", "house", "--version", "1", "--json").stdout)["version"] == 1
    assert ask("show", "drop-in", "--template").stdout.startswith("name: drop-in\n")


def test_a_new_policy_is_sent_letter_by_letter(ask: Ask, registry: StandIn, write: Write) -> None:
    registry.answer(f"POST {TENANT}/policies?reason=agreed+all", STORED, 201)
    assert ask.told("put", write("p.yaml", TEXT), "--reason", "agreed all") == [WHO, *ADVISED]
    (asked,) = registry.asked
    assert (asked.body, asked.headers["Content-Type"]) == (TEXT.decode(), "application/yaml")
    assert "If-Match" not in asked.headers


@pytest.mark.parametrize(("given", "sent"), [("1", '"1"'), ('"1"', '"1"'), ("*", "*")])
def test_a_change_names_the_version_it_was_made_for(
    ask: Ask, registry: StandIn, write: Write, given: str, sent: str
) -> None:
    registry.answer(f"PUT {TENANT}/policies/house", STORED)
    path = write("p.json", {"name": "house"})
    assert json.loads(ask("put", path, "--if-match", given, "--json").stdout) == STORED
    asked = registry.asked[0]
    assert (asked.headers["If-Match"], asked.headers["Content-Type"]) == (sent, "application/json")
    assert asked.body == {"name": "house"}


@pytest.mark.parametrize("given", ["", '"', "\N{PILCROW SIGN}", "a\r\nb"])
def test_a_version_that_is_none_is_not_sent(ask: Ask, registry: StandIn, write: Write, given: str) -> None:
    assert ask("put", write("p.yaml", TEXT), "--if-match", given).exit_code == 2
    assert registry.asked == []


@pytest.mark.parametrize(
    ("code", "words"),
    [("policy_exists", "there is a policy 'house'; say with --if-match"), ("policy_limit", "as it said")],
)
def test_a_refused_policy_says_what_to_do(
    ask: Ask, registry: StandIn, write: Write, code: str, words: str
) -> None:
    registry.answer(f"POST {TENANT}/policies", {"code": code, "detail": "as it said"}, 409)
    done = ask("put", write("p.yaml", TEXT))
    assert (done.exit_code, words in done.stderr) == (1, True)
    assert f"(HTTP 409, code {code})" in done.stderr


def test_a_text_with_something_wrong_is_not_sent(ask: Ask, registry: StandIn, write: Write) -> None:
    done = ask("put", write("p.yaml", b"name: house\nlevel: FULL\n"))
    assert (done.exit_code, "line 2, column 1" in done.stderr, registry.asked) == (2, True, [])


def test_the_history_tells_who_when_and_why(ask: Ask, registry: StandIn) -> None:
    rows = [{**VERSION, "version": 3, "reverted_from": 1}, {**VERSION, "reason": ""}]
    registry.answer(f"GET {TENANT}/policies/house/versions?limit=200", {"items": rows, "next": None})
    assert ask.told("history", "house") == [
        "house version 3, 2026-01-02, person:alice, the content of version 1: agreed\\nall",
        "house version 2, 2026-01-02, person:alice",
    ]
    assert json.loads(ask("history", "house", "--json").stdout) == rows


def test_an_older_version_is_brought_back(ask: Ask, registry: StandIn) -> None:
    registry.answer(f"POST {TENANT}/policies/house/revert", STORED)
    assert ask.told("revert", "house", "1", "--if-match", "2", "--reason", "so")[0] == WHO
    (asked,) = registry.asked
    assert (asked.body, asked.headers["If-Match"]) == ({"version": 1, "reason": "so"}, '"2"')
    assert ask("revert", "house", "1").exit_code == 2


@pytest.mark.parametrize(("at", "words", "path"), PLACES)
def test_a_policy_is_bound_and_taken_off(ask: Ask, registry: StandIn, at: str, words: str, path: str) -> None:
    bound = {**binding("prefix", "a"), "advice": ADVICE}
    registry.answer(f"PUT {path}", bound)
    registry.answer(f"DELETE {path}", b"", 204)
    assert ask.told("bind", "house", "--at", at) == [
        "house version 2 is bound to prefix a in default",
        *ADVISED,
    ]
    assert json.loads(ask("bind", "house", "--at", at, "--json").stdout) == bound
    taken_off = ("unbind", "--at", at, "--if-match", "3")
    assert ask.told(*taken_off) == [f"no policy is bound to {words} any more"]
    assert json.loads(ask(*taken_off, "--json").stdout)["policy"] is None
    assert (registry.asked[0].body, registry.asked[2].headers["If-Match"]) == ({"policy": "house"}, '"3"')


@pytest.mark.parametrize(
    ("subject", "words", "path"),
    [((), "the namespace", "/level"), (("a/b",), "a/b", "/subjects/a%2Fb/level")],
)
def test_a_level_is_set_with_advice(
    ask: Ask, registry: StandIn, subject: tuple[str, ...], words: str, path: str
) -> None:
    registry.answer(f"PUT {NAMESPACE}{path}", {"level": "FULL", "advice": ADVICE})
    registry.answer(f"PUT {NAMESPACE}{path}", {"level": None, "advice": {}})
    assert ask.told("level", "full", *subject) == [f"{words} has the level FULL", *ADVISED]
    assert ask.told("level", "CLEAR", *subject) == [f"{words} has no level of its own"]
    assert json.loads(ask("level", "CLEAR", *subject, "--json").stdout) == {"level": None, "advice": {}}
    assert [one.body for one in registry.asked] == [{"level": "FULL"}, {"level": None}, {"level": None}]
    assert ask("level", "SIDEWAYS").exit_code == 2


def test_a_binding_keeps_its_reason_and_what_it_replaces(ask: Ask, registry: StandIn) -> None:
    path = f"{NAMESPACE}/policy-binding"
    refused = {"code": "policy_changed", "detail": "it has changed"}
    registry.answer(f"PUT {path}", refused, 412)
    registry.answer(f"DELETE {path}?reason=why+not", b"", 204)
    at = ("--at", "namespace")
    assert "say with --if-match which change" in ask("bind", "house", *at).stderr
    given = ("--reason", "so", "--if-match", "2")
    assert "it has changed" in ask("bind", "house", *at, *given).stderr
    assert (registry.asked[1].body, registry.asked[1].headers["If-Match"]) == (
        {"policy": "house", "reason": "so"},
        '"2"',
    )
    ask.told("unbind", *at, "--reason", "why not", "--if-match", "*")


def test_the_history_of_a_place_tells_what_was_bound(ask: Ask, registry: StandIn) -> None:
    change = {"number": 2, "policy": None, "created_at": "2026-01-02", "created_by": "person:a", "reason": ""}
    rows = [change, {**change, "number": 1, "policy": "house", "reason": "so"}]
    registry.answer(f"GET {NAMESPACE}/policy-binding-history?limit=200", {"items": rows, "next": None})
    assert ask.told("history", "--at", "namespace") == [
        "change 2 to nothing, 2026-01-02, person:a",
        "change 1 to house, 2026-01-02, person:a: so",
    ]
    assert ask("history").exit_code == ask("history", "house", "--at", "tenant").exit_code == 2


def test_what_is_in_force_names_its_origins(ask: Ask, registry: StandIn) -> None:
    nobody = {"kind": "installation", "words": "the installation"}
    house = {"kind": "policy", "words": "policy house"}
    values = {"level": ("FULL", nobody), "limits.depth": (9, nobody), "required.docs": (["field"], house)}
    found = {
        "subject": "s",
        "format": "AVRO",
        "values": {name: {"value": value, "origin": origin} for name, (value, origin) in values.items()},
        "config": {"normalize": {"value": True, "origin": {"kind": "config", "words": "subject s"}}},
        "advice": ADVICE["avro"],
    }
    registry.answer(f"GET {NAMESPACE}/subjects/s/policy", found)
    registry.answer(f"GET {NAMESPACE}/subjects/s/policy?format=AVRO", found)
    assert ask.told("in-force", "s") == [
        "s (AVRO)",
        "  level FULL (the installation)",
        '  required.docs ["field"] (policy house)',
        "  normalize true (subject s)",
        *ADVISED,
    ]
    assert json.loads(ask("in-force", "s", "--format", "avro", "--json").stdout) == found
    registry.answer(f"GET {NAMESPACE}/policy", {**found, "subject": ""})
    assert ask.told("in-force")[0] == "the namespace (AVRO)"
