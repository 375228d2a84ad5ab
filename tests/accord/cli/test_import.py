"""`accord import` as a user types it, between two registries that keep everything in memory."""

from __future__ import annotations

import json
from base64 import b64encode
from errno import ENOENT, ENOSPC
from io import BytesIO
from os import strerror
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from accord.naming import split_subject
from accord.policy.documents import read_document
from tests.accord.transfer.conftest import filled
from tests.accord.transfer.small_registry import YANDEX, Refused, SmallRegistry, small_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import Asked


class Move:
    """The program between two registries."""

    def __init__(self, accord: Program, source: SmallRegistry, target: SmallRegistry) -> None:
        self.accord, self.source, self.target = accord, source, target

    def __call__(self, *more: str, source: str | None = None, stdin: bytes | None = None) -> Result:
        given = source or self.source.url
        return self.accord("import", given, "--url", self.target.url, *more, stdin=stdin)


@pytest.fixture
def move(accord: Program) -> Iterator[Move]:
    with small_registry() as source, small_registry() as target:
        yield Move(accord, filled(source), target)


def test_a_registry_moves(move: Move) -> None:
    done = move()
    assert done.exit_code == 0, done.output
    first, *sums, last = done.stdout.splitlines()
    assert first == "7 versions registered, 2 deleted, 0 were there; 2 configs and 3 modes set"
    assert sums[0].removesuffix("source") == sums[1].removesuffix("here")
    assert last == "0 differences"
    again = json.loads(move("--json").stdout)
    assert (again["present"], again["done"]["registered"], again["comparison"]["differences"]) == (7, 0, [])


def test_a_dry_run_changes_nothing(move: Move) -> None:
    done = move("--dry-run", "--connections", "1")
    assert (done.exit_code, done.stdout) == (
        0,
        "7 versions to register, 2 to delete, 0 are there\n0 clashes; nothing is changed\n",
    )
    assert {one.method for one in move.target.asked} == {"GET"}


def test_a_clash_keeps_everything_as_it_is(move: Move) -> None:
    move.target.hold("a", 1, id=3, schema='"other"')
    for more in ((), ("--dry-run",)):
        done = move(*more)
        assert done.exit_code == 1
        assert done.stdout.splitlines()[0] == "clash: a version 1 is another schema there"
        assert done.stdout.endswith("1 clashes; nothing is changed\n")
    assert {one.method for one in move.target.asked} == {"GET"}
    assert json.loads(move("--json").stdout)["comparison"] is None


def test_what_stays_behind_is_told(move: Move) -> None:
    move.source.hold("", 1, id=99)
    assert "the subject without a name in the context . stays behind" in move("--dry-run").stdout


def test_a_circle_of_references_is_refused_and_ends(move: Move) -> None:
    for one, other in ("pq", "qp"):
        refers = [{"name": "n", "subject": other, "version": 1}]
        move.source.hold(one, 1, id=50 + ord(one), schema=f'"{one}"', references=refers)
    assert "9 versions registered" in move().stdout


def test_many_sentences_are_cut(move: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.cli.importing.MOST_LINES", 1)
    for number in (1, 2):
        move.target.hold("a", number, id=20 + number)
    assert "clash: and 3 more" in move().stdout


def test_what_is_refused_is_told(move: Move) -> None:
    def refuse(asked: Asked) -> None:
        if asked.method == "DELETE" and "/gone/" in asked.target:
            raise Refused(422, 42206, "it is needed")

    move.target.before = refuse
    done = move()
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:2] == [
        "refused: the deletion of gone version 1: it is needed (HTTP 422, code 42206)",
        "differs: gone version 1 is not deleted",
    ]


def test_another_spelling_is_told_and_no_difference(move: Move) -> None:
    move.source.hold("n", 1, id=9, schema='{"type": "int"}')
    move.target.hold("n", 1, id=9, schema='"int"')
    done = move()
    assert (done.exit_code, "1 versions are the same schema in the spelling" in done.stdout) == (0, True)


def test_an_export_is_imported_from_a_file_or_the_standard_input(move: Move, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    assert move.accord("export", str(path), "--url", move.source.url).exit_code == 0
    assert move("--dry-run", source="-", stdin=path.read_bytes()).exit_code == 0
    done = move(source=str(path))
    assert (done.exit_code, "7 versions registered" in done.stdout) == (0, True)
    path.write_bytes(path.read_bytes()[:-10])
    cut = move(source=str(path))
    assert (cut.exit_code, "line 17 of the export" in cut.stderr) == (2, True)
    none = move(source=str(tmp_path / "none"))
    assert (none.exit_code, "No such file" in none.stderr) == (2, True)


class Full(BytesIO):
    """A file on a disk without room, which says so again when it is closed."""

    def write(self, data: object) -> int:
        raise OSError(ENOSPC, strerror(ENOSPC))

    def close(self) -> None:
        super().close()
        raise OSError(ENOSPC, strerror(ENOSPC))


def absent(prefix: str) -> Full:
    """There is no folder for temporary files."""
    raise FileNotFoundError(ENOENT, strerror(ENOENT), prefix)


@pytest.mark.parametrize(("make", "number"), [(lambda prefix: Full(), ENOSPC), (absent, ENOENT)])
def test_a_disk_that_takes_nothing_is_named(
    move: Move, monkeypatch: pytest.MonkeyPatch, make: Callable[[str], Full], number: int
) -> None:
    monkeypatch.setenv("TMPDIR", "/there")
    monkeypatch.setattr("accord.transfer.copies.TemporaryFile", make)
    done = move()
    words = f"the copy cannot be kept in /there: {strerror(number)}; make room there"
    assert (done.exit_code, words in done.stderr) == (2, True), done.output


def test_each_side_gets_its_own_token(move: Move) -> None:
    assert move("--dry-run", "--token", "ours", "--source-token", "theirs").exit_code == 0
    for registry, token in ((move.source, "theirs"), (move.target, "ours")):
        assert {one.headers["Authorization"] for one in registry.asked} == {f"Bearer {token}"}


def test_a_malformed_source_is_wrong_usage(move: Move) -> None:
    done = move(source="http://")
    assert (done.exit_code, "SOURCE" in done.stderr) == (2, True)


POLICIES = "/api/v1/tenants/north/policies"
BINDING = "/api/v1/tenants/north/namespaces/default/policy-binding"
RULES: list[tuple[Any, str, str, str]] = [
    ({"json": "CONFLUENT", "protobuf": "CONFLUENT"}, "yandex-confluent", "confluent:8.1", "confluent:8.1"),
    ({"rules": [{"format": "PROTOBUF", "policy": "BUF"}]}, "yandex-buf", "confluent:8.1", "buf:v1:FILE"),
    (
        {"jsonPolicy": "OPTIONAL_FRIENDLY", "count": 1},
        "yandex-optional-friendly",
        "optional-friendly:1",
        "confluent:8.1",
    ),
    (
        {"a": "Optional-friendly", "b": "POLICY_BUF"},
        "yandex-buf-optional-friendly",
        "optional-friendly:1",
        "buf:v1:FILE",
    ),
]
NAMESPACE = {"name": "orders", "id": "srn1"}


class Yandex:
    """A stand-in with Yandex's gaps, its extras, and a namespace to move to."""

    def __init__(self, move: Move, source: SmallRegistry) -> None:
        self.move, self.source = move, source
        move.target.extras = {POLICIES: {}, BINDING: {}}
        source.hold("s", 1, id=5)
        source.hold("s", 2, id=6, deleted=True)
        source.config[split_subject("")] = {"compatibilityLevel": "FULL"}
        self.tell({"protobuf": "buf"})

    def tell(self, rules: object, namespaces: object = ()) -> None:
        self.source.extras = {"/compatibility/rules": rules, "/v1/namespace": namespaces}

    def __call__(self, place: str = "/sr/north/default") -> Result:
        at = "--url", self.move.target.url + place
        return self.move.accord("import", self.source.url.replace("//", "//api-key:secret@"), *at)

    def sent(self, path: str) -> list[Any]:
        asked = [one for one in self.move.target.asked if one.method in {"POST", "PUT"}]
        return [one.body for one in asked if urlsplit(one.target).path == path]


@pytest.fixture
def yandex(move: Move) -> Iterator[Yandex]:
    with small_registry(YANDEX) as source:
        yield Yandex(move, source)


@pytest.mark.parametrize(("rules", "name", "json_preset", "protobuf_preset"), RULES)
def test_the_rules_of_a_namespace_become_a_named_policy(
    yandex: Yandex, rules: object, name: str, json_preset: str, protobuf_preset: str
) -> None:
    yandex.tell(rules)
    done = yandex()
    assert (done.exit_code, f"the policy {name} is bound to the namespace" in done.stdout) == (0, True), (
        done.output
    )
    (text,), (bound,) = yandex.sent(POLICIES), yandex.sent(BINDING)
    read = read_document(text)
    assert read.problems == ()
    assert read.document is not None
    assert read.document.name == bound["policy"] == name
    assert f"  json: {{preset: {json_preset}}}\n  protobuf: {{preset: {protobuf_preset}}}\n" in text
    basic = "Basic " + b64encode(b"api-key:secret").decode()
    assert {one.headers["Authorization"] for one in yandex.source.asked} == {basic}


def test_a_registry_with_yandexs_gaps_arrives_whole(yandex: Yandex) -> None:
    target = yandex.move.target
    for _ in range(2):
        assert yandex().exit_code == 0
        assert [one.is_deleted for one in target.versions.values()] == [False, True]
        assert target.config[split_subject("")] == {"compatibilityLevel": "FULL"}
        assert target.mode[split_subject("")] == "READWRITE"


def test_other_namespaces_are_named(yandex: Yandex) -> None:
    for told in ({"namespaces": [NAMESPACE, 1]}, [NAMESPACE]):
        yandex.tell({}, told)
        assert "there is another namespace at the source: orders srn1" in yandex().stdout
    for nothing in ({"namespaces": 1}, "x", None):
        yandex.tell({}, nothing)
        assert "another namespace" not in yandex().stdout


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (POLICIES, 409, "is bound to the namespace: the rules"),
        (BINDING, 412, "a policy is bound to the namespace already, which stays"),
        (BINDING, 403, "is not bound: refused (HTTP 403"),
        (POLICIES, 422, "is not bound: refused (HTTP 422"),
    ],
)
def test_what_is_there_stays_and_what_may_not_be_is_told(
    yandex: Yandex, path: str, status: int, words: str
) -> None:
    def refuse(asked: Asked) -> None:
        if asked.target.startswith(path):
            raise Refused(status, status)

    yandex.move.target.before = refuse
    done = yandex()
    assert (done.exit_code, words in done.stdout) == (0, True), done.output


def test_a_registry_that_cannot_store_a_policy_now_ends_it(yandex: Yandex) -> None:
    def refuse(asked: Asked) -> None:
        if asked.target.startswith(POLICIES):
            raise Refused(501, 501)

    yandex.move.target.before = refuse
    assert yandex().exit_code == 2


def test_only_accord_has_named_policies(yandex: Yandex) -> None:
    done = yandex(place="")
    assert (done.exit_code, "can only be bound in Accord" in done.stdout) == (0, True)


def test_extras_that_may_not_be_read_are_refused(yandex: Yandex) -> None:
    for status, code in ((403, 1), (404, 0)):

        def refuse(asked: Asked, answer: int = status) -> None:
            if asked.target in {"/compatibility/rules", "/v1/namespace"}:
                raise Refused(answer, answer)

        yandex.source.before = refuse
        assert yandex().exit_code == code
