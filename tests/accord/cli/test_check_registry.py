"""`accord check --against registry:SUBJECT`: new schemas against what a registry holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE, closed, record

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository
    from tests.accord.client.stand_in import StandIn

CHECK = "POST /compatibility/subjects/order-value/versions?verbose=true"
LEVEL = "GET /config/order-value?defaultToGlobal=true"


class Subject:
    """The subject ``order-value`` of a stand-in registry, and the verb against it."""

    def __init__(self, accord: Program, registry: StandIn) -> None:
        self.accord, self.registry = accord, registry

    def holds(self, *schemas: object, level: str = "BACKWARD") -> None:
        """Script the versions and the level; the registry itself refuses nothing."""
        self.registry.answer("GET /subjects/order-value/versions", [*range(1, len(schemas) + 1)])
        for number, schema in enumerate(schemas, start=1):
            self.hold(number, schema)
        self.registry.answer(LEVEL, {"compatibilityLevel": level})
        self.registry.answer(CHECK, {"is_compatible": True})

    def hold(self, number: int, schema: object, **more: Any) -> None:
        facts = {"subject": "order-value", "version": number, "id": number, "schema": json.dumps(schema)}
        call = f"GET /subjects/order-value/versions/{number}?deleted=false"
        self.registry.answer(call, {**facts, **more})

    def check(self, *arguments: str, against: str = "registry:order-value") -> Result:
        return self.accord("check", "--against", against, "--url", self.registry.url, *arguments)


@pytest.fixture
def subject(accord: Program, registry: StandIn, repository: Repository) -> Subject:
    return Subject(accord, registry)


def test_the_level_of_the_registry_counts(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", NEEDS_NOTE)
    subject.holds(BARE, level="FORWARD")
    assert subject.check("a.avsc").exit_code == 0
    refused = subject.check("a.avsc", "--level", "BACKWARD")
    assert refused.exit_code == 1
    assert "(new reads old, version 1)" in refused.stdout
    assert "the other side: order-value version 1:1:1" in refused.stdout


def test_a_transitive_level_reads_every_version(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", record(id="long", n=("string", "")))
    subject.holds(record(id="long", n=("int", 0)), BARE, level="BACKWARD_TRANSITIVE")
    refused = subject.check("a.avsc")
    assert refused.exit_code == 1
    assert "(new reads old, version 1)" in refused.stdout
    assert "incompatible: a.avsc against 2 versions (BACKWARD_TRANSITIVE, " in refused.stdout


def test_one_version_can_be_named(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    subject.hold(7, AS_TEXT)
    refused = subject.check("a.avsc", against="registry:order-value@7")
    assert refused.exit_code == 1
    assert "version 7)" in refused.stdout


def test_the_registry_has_the_last_word(subject: Subject, repository: Repository, registry: StandIn) -> None:
    repository.write("a.avsc", WITH_NOTE)
    message = "{errorType:'NAME_MISMATCH', description:'no\x1b[31m', additionalInfo:''}"
    registry.answer(CHECK, {"is_compatible": False, "messages": [message, "odd"]})
    subject.holds(BARE)
    refused = subject.check("a.avsc")
    assert refused.exit_code == 1
    assert "a.avsc:1:1: block NAME_MISMATCH at /\n  no\\x1b[31m (said by the registry)" in refused.stdout
    assert "block REGISTRY_REFUSED at /\n  odd (said by the registry)" in refused.stdout


SETTINGS = "{validateFields: 'false', compatibility: 'FORWARD_TRANSITIVE'}"


@pytest.fixture
def unseen(subject: Subject) -> Subject:
    """The subject for a token that may not see its level; it holds one version."""
    subject.registry.refuse(LEVEL, 404, 40408, "no level")
    subject.registry.answer("GET /subjects/order-value/versions", [1])
    subject.hold(1, NEEDS_NOTE)
    return subject


def test_who_may_not_see_the_level_hears_it_with_the_refusal(unseen: Subject, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    message = "{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'no', additionalInfo:'note'}"
    refusal = {"is_compatible": False, "messages": [message, "{oldSchemaVersion: 1}", SETTINGS]}
    unseen.registry.answer(CHECK, refusal)
    refused = unseen.check("a.avsc", "--json")
    assert refused.exit_code == 1
    (schema,) = json.loads(refused.stdout)["schemas"]
    assert schema["level"] == "FORWARD_TRANSITIVE"
    (finding,) = schema["findings"]
    assert (finding["rule"], finding["direction"]) == ("READER_FIELD_MISSING_DEFAULT_VALUE", "forward")
    assert finding["old"]["column"] > 1


def test_without_a_level_to_see_the_registry_s_word_counts(unseen: Subject, repository: Repository) -> None:
    repository.write("a.avsc", AS_TEXT)
    unseen.registry.answer(CHECK, {"is_compatible": True})
    result = unseen.check("a.avsc")
    assert result.exit_code == 0
    assert "[the registry does not tell its level, so its own word counts]" in result.stdout


def test_a_refusal_of_its_own_kind_is_passed_on(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    messages = ["{errorType:'HOUSE_RULE', description:'no', additionalInfo:''}", SETTINGS]
    subject.registry.answer(CHECK, {"is_compatible": False, "messages": messages})
    subject.holds(BARE, level="FULL")
    refused = subject.check("a.avsc")
    assert refused.exit_code == 1
    lines = [line for line in refused.stdout.splitlines() if ": block " in line]
    assert lines == ["a.avsc:1:1: block HOUSE_RULE at /"]


def test_who_says_how_to_judge_asks_nobody_else(
    subject: Subject, repository: Repository, registry: StandIn
) -> None:
    repository.write("a.avsc", WITH_NOTE)
    subject.holds(BARE)
    assert subject.check("a.avsc", "--preset", "accord").exit_code == 0
    assert all(one.method == "GET" for one in registry.asked)


def test_a_missing_subject_is_a_new_one(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    result = subject.check("a.avsc")
    assert result.exit_code == 0
    assert "[new: the registry shows no subject order-value]" in result.stdout


def test_subjects_come_from_the_config(subject: Subject, repository: Repository) -> None:
    entry = "schemas:\n  - files: '*.json'\n    subject: '{name}-value'\n  - files: '*.avsc'\n"
    repository.write("accord.yaml", "against: 'registry:'\n" + entry)
    repository.write("order.json", closed(a="string"))
    repository.write("a.avsc", BARE)
    subject.holds()
    subject.registry.answer("GET /subjects/order-value/versions", [])
    result = subject.accord("check", ".", "--url", subject.registry.url)
    assert result.exit_code == 2
    assert "compatible: order.json by itself" in result.stdout
    assert "unreadable: a.avsc: no subject; write --against registry:SUBJECT" in result.stdout


def test_references_of_what_is_stored_are_followed(subject: Subject, repository: Repository) -> None:
    reference = {"name": "Address", "subject": "address", "version": 1}
    wanted = "    references:\n      - {name: Address, subject: address, version: 1}\n"
    repository.write("accord.yaml", f"schemas:\n  - files: '*.avsc'\n{wanted}")
    repository.write("a.avsc", record(at="Address"))
    subject.registry.answer("GET /subjects/order-value/versions", [1])
    subject.hold(1, record(at="Address"), references=[reference])
    stored = {"subject": "address", "version": 1, "id": 9, "schema": json.dumps({**BARE, "name": "Address"})}
    subject.registry.answer("GET /subjects/address/versions/1?deleted=true", stored)
    assert subject.check("a.avsc", "--level", "FULL").exit_code == 0


def test_a_refusal_of_the_registry_leaves_the_file_unjudged(subject: Subject, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    subject.registry.refuse("GET /subjects/order-value/versions", 401, 401, "no")
    result = subject.check("a.avsc")
    assert result.exit_code == 2
    assert "unreadable: a.avsc: no (HTTP 401, code 401)" in result.stdout


@pytest.mark.parametrize("against", ["orders", "git:", "svn:1", "registry"])
def test_what_cannot_be_compared_with_is_wrong_usage(subject: Subject, against: str) -> None:
    assert subject.check("a.avsc", against=against).exit_code == 2


def test_a_registry_needs_an_address(accord: Program, repository: Repository) -> None:
    repository.write("a.avsc", BARE)
    assert "Give --url" in accord("check", "--against", "registry:x", "a.avsc").stderr
    assert accord("check", "--against", "registry:x", "a.avsc", "--url", "nonsense").exit_code == 2
