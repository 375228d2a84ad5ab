"""`accord check` and `accord register` against a namespace of Accord, which judges by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.accord.cli.schemas import BARE, NEEDS_NOTE

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository
    from tests.accord.client.stand_in import StandIn

SR = "/sr/north/default"
VERDICT = "POST /api/v1/tenants/north/namespaces/default/subjects/s/verdict"
VERSIONS = f"GET {SR}/subjects/s/versions"
FINDING: dict[str, Any] = {
    "rule": "FROZEN",
    "severity": "block",
    "summary": "frozen",
    "path": "/",
    "new": {"line": 1, "column": 2},
    "old": None,
    "sentence": "it is frozen",
    "advice": "",
    "effect": "Nobody may.",
    "judged_as": None,
    "reasons": [],
}
COMPARISON: dict[str, Any] = {
    "direction": "backward",
    "version": 3,
    "is_blocked": True,
    "reader": "the new schema",
    "writer": "version 3",
    "sentence": "It may not.",
    "upgrade": "",
    "findings": [FINDING | {"reasons": [FINDING | {"judged_as": "OTHER"}]}],
    "left_out": 0,
}
LEVEL: dict[str, Any] = {"verdict": "blocked", "version": 3, "directions": ["backward"], "rules": ["FROZEN"]}
POLICY = {
    "values": {"level": {"origin": {"words": "policy stop, version 1"}}},
    "policies": [{"policy": "stop", "version": 1}],
}
REFUSED: dict[str, Any] = {
    "verdict": "blocked",
    "is_compatible": False,
    "summary": "It may not.",
    "level": "FROZEN",
    "preset": "confluent:8.1",
    "own": [],
    "comparisons": [COMPARISON],
    "levels": {"FULL": LEVEL},
    "policy": POLICY,
}
ALLOWED = REFUSED | {"verdict": "allowed", "is_compatible": True, "comparisons": [], "policy": None}


class Namespace:
    """A namespace of a stand-in, and the verbs against its subject ``s``."""

    def __init__(self, accord: Program, registry: StandIn, path: str) -> None:
        self.accord, self.registry, self.path = accord, registry, path

    def check(self, *more: str, against: str = "registry:s") -> Result:
        return self.accord("check", "--against", against, self.path, *self.address, *more)

    def register(self) -> Result:
        return self.accord("register", "s", self.path, *self.address)

    @property
    def address(self) -> tuple[str, str]:
        return "--url", self.registry.url + SR

    def problem(self, status: int, code: str) -> None:
        self.registry.answer(VERDICT, {"detail": "no", "code": code}, status)

    def holds(self, number: int, schema: object) -> None:
        facts = {"subject": "s", "version": number, "id": number, "schema": json.dumps(schema)}
        self.registry.answer(VERSIONS, [number])
        self.registry.answer(f"{VERSIONS}/{number}?deleted=false", facts)


@pytest.fixture
def namespace(accord: Program, registry: StandIn, repository: Repository) -> Namespace:
    return Namespace(accord, registry, str(repository.write("a.avsc", BARE)))


def test_the_verdict_of_the_registry_is_told_with_its_origins(namespace: Namespace) -> None:
    namespace.registry.answer(VERDICT, REFUSED)
    told = namespace.check("--levels", "--level", "frozen")
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0].endswith("a.avsc:1:2: block FROZEN at /")
    assert "  decided by: level FROZEN (policy stop, version 1)" in lines
    assert "  FULL                incompatible with version 3 (new reads old)" in lines
    assert lines[-1].endswith("against s version 3 (FROZEN, confluent:8.1, policy stop)")
    (asked,) = namespace.registry.asked
    assert asked.body["level"] == "FROZEN"


def test_programs_are_told_what_each_finding_comes_to(namespace: Namespace) -> None:
    older = {name: one for name, one in FINDING.items() if name != "effect"}
    namespace.registry.answer(VERDICT, REFUSED | {"own": [older]})
    (schema,) = json.loads(namespace.check("--json").stdout)["schemas"]
    assert [one["effect"] for one in schema["findings"]] == [None, "Nobody may."]


def test_a_new_subject_is_judged_by_the_registry_too(namespace: Namespace) -> None:
    namespace.registry.answer(VERDICT, ALLOWED)
    assert "[new: the registry shows no subject s]" in namespace.check().stdout
    namespace.registry.answer(VERSIONS, {"error_code": 40301, "message": "no"}, 403)
    denied = namespace.check()
    assert (denied.exit_code, "new:" in denied.stdout) == (0, False)


def test_what_it_refuses_to_judge_is_not_judged_here(namespace: Namespace) -> None:
    namespace.problem(422, "invalid_schema")
    told = namespace.check()
    assert told.exit_code == 2
    assert "no (HTTP 422, code invalid_schema)" in told.stdout


@pytest.mark.parametrize("answer", [b"<html>", b'{"error_code": 404, "message": "HTTP 404 Not Found"}'])
def test_another_registry_at_such_an_address_is_judged_here(namespace: Namespace, answer: bytes) -> None:
    namespace.registry.answer(VERDICT, answer, 404)
    namespace.holds(1, NEEDS_NOTE)
    namespace.registry.answer(f"GET {SR}/config/s?defaultToGlobal=true", {"compatibilityLevel": "FULL"})
    second = Path(namespace.path).with_name("b.avsc")
    second.write_text(json.dumps(BARE))
    told = namespace.check(str(second))
    assert told.stdout.count("s version 1:1:80: block READER_FIELD_MISSING_DEFAULT_VALUE") == len("ab")
    assert sum(one.method == "POST" for one in namespace.registry.asked) == 1


def test_one_version_by_itself_is_judged_here(namespace: Namespace) -> None:
    namespace.holds(1, BARE)
    told = namespace.check(against="registry:s@1")
    assert told.exit_code == 0
    assert "[judged here by the registry's level, not by its policies]" in told.stdout


@pytest.mark.parametrize(("status", "code"), [(409, 40901), (422, 42201)])
def test_a_refused_registration_is_explained(namespace: Namespace, status: int, code: int) -> None:
    namespace.registry.answer(VERDICT, REFUSED)
    namespace.registry.refuse(f"POST {SR}/subjects/s/versions", status, code, "no")
    told = namespace.register()
    assert told.exit_code == 1
    assert f"(HTTP {status}, code {code})" in told.stderr
    assert "a.avsc:1:2: block FROZEN at /" in told.stderr


@pytest.mark.parametrize("answer", [ALLOWED, REFUSED | {"verdict": "odd"}])
def test_a_refusal_without_a_reason_keeps_its_words(namespace: Namespace, answer: object) -> None:
    namespace.registry.answer(VERDICT, answer)
    namespace.registry.refuse(f"POST {SR}/subjects/s/versions", 422, 42201, "unsaid")
    assert "unsaid (HTTP 422, code 42201)" in namespace.register().stderr
