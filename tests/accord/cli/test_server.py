"""The verbs against a registry, over real HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

SCHEMA = '{"type":"record","name":"A","fields":[]}'
VERSION = {"subject": "a/b", "version": 3, "id": 7, "schema": SCHEMA}
LATEST = "GET /subjects/a%2Fb/versions/latest?deleted=false"
REGISTER = "POST /subjects/a%2Fb/versions"


class Asking:
    """The program with an address given to it."""

    def __init__(self, accord: Program, url: str) -> None:
        self.accord, self.url = accord, url

    def __call__(self, *arguments: str, **more: Any) -> Result:
        return self.accord(*arguments, "--url", self.url, **more)


@pytest.fixture
def ask(accord: Program, registry: StandIn) -> Asking:
    return Asking(accord, registry.url)


@pytest.fixture
def file(write: Write) -> str:
    return write("a.avsc", SCHEMA.encode())


def test_subjects_are_one_a_line(ask: Asking, registry: StandIn) -> None:
    registry.answer("GET /subjects?deleted=false", ["a", "odd\x1b[31m"])
    assert ask("subjects", colour=True).stdout == "a\nodd\\x1b[31m\n"


def test_subjects_are_filtered_by_the_registry(ask: Asking, registry: StandIn) -> None:
    registry.answer("GET /subjects?deleted=true&subjectPrefix=a", ["a"])
    assert json.loads(ask("subjects", "--prefix", "a", "--deleted", "--json").stdout) == ["a"]


def test_the_latest_schema_is_printed_bare(ask: Asking, registry: StandIn) -> None:
    registry.answer(LATEST, VERSION)
    assert ask("get", "a/b").stdout == SCHEMA + "\n"


def test_a_numbered_version_is_printed_whole_as_json(ask: Asking, registry: StandIn) -> None:
    reference = {"name": "R", "subject": "r", "version": 1}
    registry.answer("GET /subjects/a%2Fb/versions/3?deleted=false", {**VERSION, "references": [reference]})
    answer = json.loads(ask("get", "a/b", "3", "--json").stdout)
    assert answer == {**VERSION, "schemaType": "AVRO", "references": [reference]}


def test_what_travels_with_a_version_is_printed_as_the_registry_wrote_it(
    ask: Asking, registry: StandIn
) -> None:
    carried = {
        "metadata": {"properties": {"owner": "me"}, "tags": {"**.a": ["PII"]}},
        "ruleSet": {"domainRules": [{"name": "r", "type": "CEL", "mode": "NEWER"}]},
    }
    registry.answer("GET /subjects/a%2Fb/versions/3?deleted=false", {**VERSION, **carried})
    answer = json.loads(ask("get", "a/b", "3", "--json").stdout)
    assert {name: answer[name] for name in carried} == carried


def test_a_schema_is_registered(ask: Asking, registry: StandIn, file: str) -> None:
    registry.answer(REGISTER, {"id": 7, "version": 3})
    assert ask("register", "a/b", file).stdout == "a/b version 3, schema id 7\n"
    assert registry.asked[0].body == {"schema": SCHEMA, "schemaType": "AVRO", "references": []}


def test_the_format_is_told_or_named(ask: Asking, registry: StandIn, write: Write) -> None:
    registry.answer(REGISTER, {"id": 7, "version": 3})
    schema = write("a.json", {"type": "string"})
    for options in ([], ["--format", "avro"]):
        assert ask("register", "a/b", schema, *options).exit_code == 0
    assert [one.body["schemaType"] for one in registry.asked] == ["JSON", "AVRO"]


def test_a_registry_that_keeps_the_version_to_itself_is_asked(
    ask: Asking, registry: StandIn, file: str
) -> None:
    registry.answer(REGISTER, {"id": 7})
    registry.answer("POST /subjects/a%2Fb", VERSION)
    assert json.loads(ask("register", "a/b", file, "--json").stdout) == {
        "subject": "a/b",
        "version": 3,
        "id": 7,
    }


def test_references_are_sent_along(ask: Asking, registry: StandIn, file: str) -> None:
    registry.answer(REGISTER, {"id": 7, "version": 1})
    ask("register", "a/b", file, "-r", "geo.Address=odd=subject@1@2")
    sent = registry.asked[0].body["references"]
    assert sent == [{"name": "geo.Address", "subject": "odd=subject@1", "version": 2}]


def test_address_and_token_come_from_the_environment(
    accord: Program, registry: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.answer("GET /subjects?deleted=false", [])
    monkeypatch.setenv("ACCORD_URL", registry.url)
    monkeypatch.setenv("ACCORD_TOKEN", "secret")
    assert accord("subjects").exit_code == 0
    assert registry.asked[0].headers["Authorization"] == "Bearer secret"


REFUSALS = [(409, 40901), (404, 40401), (403, 403), (401, 401), (422, 42201)]


@pytest.mark.parametrize(("status", "code"), REFUSALS)
def test_a_refusal_ends_with_one_and_the_registry_s_words(
    ask: Asking, registry: StandIn, file: str, status: int, code: int
) -> None:
    registry.refuse(REGISTER, status, code, "because\x1b[31m")
    result = ask("register", "a/b", file, colour=True)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(f"because\\x1b[31m (HTTP {status}, code {code})\n")


WRONG = [
    ["register", "a/versions", "{file}"],
    ["register", "a\tb", "{file}"],
    ["register", "a", "none.avsc"],
    ["register", "a", "{file}", "-r", "nonsense"],
    ["register", "a", "{file}", "-r", "A=b@latest"],
    ["get", "__GLOBAL"],
    ["get", "a", "0"],
    ["get", "a", "newest"],
]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_input_ends_with_two_and_asks_nobody(
    ask: Asking, registry: StandIn, file: str, arguments: list[str]
) -> None:
    result = ask(*(one.format(file=file) for one in arguments))
    assert result.exit_code == 2
    assert registry.asked == []


def test_no_registry_to_talk_to_ends_with_two(accord: Program, registry: StandIn) -> None:
    registry.answer("GET /subjects?deleted=false", b"<html>welcome</html>")
    assert accord("subjects", "--url", registry.url).exit_code == 2
    assert accord("subjects", "--url", "nonsense").exit_code == 2
    assert accord("subjects").exit_code == 2
