"""Batches for a namespace of Accord: how they are cut, what is told of them, and when there are none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.client import RegistryClient, RegistryUnavailable
from accord.model import SubjectName
from accord.transfer import Comparison, Copy, Effort, Pair, Plan, Run, apply
from accord.transfer.records import CopiedVersion, Key
from tests.accord.transfer.conftest import QUICK
from tests.accord.transfer.small_registry import NAMESPACE, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.accord.client.stand_in import Asked
    from tests.accord.transfer.conftest import Make
    from tests.accord.transfer.small_registry import SmallRegistry

IMPORTS = "/api/v1/tenants/north/namespaces/default/imports"
TOLD = {"registered": 2, "deleted": 1, "present": 0, "refused": []}


@pytest.fixture
def target(make: Make) -> SmallRegistry:
    """A registry that takes imports, and remembers what it was asked."""
    made = make()
    made.extras = {
        IMPORTS: {"id": "7"},
        f"{IMPORTS}/7/versions": TOLD,
        f"{IMPORTS}/7/deletions": TOLD,
        f"{IMPORTS}/7/result": {},
    }
    return made


@pytest.fixture
def client(target: SmallRegistry) -> Iterator[RegistryClient]:
    with RegistryClient(target.url + NAMESPACE, settings=QUICK) as made:
        yield made


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Three versions to be brought to where nothing is."""
    with Copy("old") as source, Copy() as nothing:
        for number in (1, 2, 3):
            key = Key(SubjectName("s"), number)
            source.add(CopiedVersion(key, number, None, "AVRO", '"int"', (), None, None, number == 3))
        yield Pair(source, nothing)


def made(pair: Pair) -> Plan:
    keys = pair.source.ordered_keys()
    return Plan(register=keys, delete=keys[2:])


def sent(target: SmallRegistry, what: str) -> list[list[int]]:
    """The numbers of the versions of each batch."""
    bodies = [one.body for one in target.asked if one.target == f"{IMPORTS}/7/{what}"]
    return [[json.loads(line)["version"] for line in body.splitlines()] for body in bodies]


def brought(client: RegistryClient, pair: Pair) -> tuple[Any, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    run = Run.begin(client, "", made(pair))
    assert run is not None
    effort = Effort(client, 1, has_modes=False, tell=lambda *step: told.append(step), run=run)
    outcome = apply(pair, made(pair), effort)
    run.finish(Comparison((), 0, "a", "b"))
    return outcome, told


def test_versions_go_in_batches_and_deletions_after_them(
    target: SmallRegistry, client: RegistryClient, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.transfer.bringing.MOST_LINES", 2)
    outcome, told = brought(client, pair)
    assert (outcome.registered, outcome.deleted, outcome.refused) == (4, 1, [])
    assert told == [(2, 4), (3, 4), (4, 4)]
    assert (sent(target, "versions"), sent(target, "deletions")) == ([[1, 2], [3]], [[3]])
    begun = next(one.body for one in target.asked if one.target == IMPORTS)
    assert begun == {"source": "-", "register": 3, "delete": 1}
    monkeypatch.setattr("accord.transfer.bringing.MOST_BYTES", 1)
    assert brought(client, pair)[1] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_what_is_refused_is_told_in_sentences(
    target: SmallRegistry, client: RegistryClient, pair: Pair
) -> None:
    one = {"subject": ":.c:s", "version": 2, "code": "version_taken", "message": "no"}
    target.extras[f"{IMPORTS}/7/versions"] = {**TOLD, "refused": [one, "odd"]}
    target.extras[f"{IMPORTS}/7/deletions"] = {**TOLD, "refused": "odd"}
    assert brought(client, pair)[0].refused == [":.c:s version 2: no (version_taken)"]
    assert Run(client, "7").bring("versions", pair.source, [], print) == (0, [])


def test_a_batch_that_is_refused_as_a_whole_is_told_by_its_ends(
    target: SmallRegistry, client: RegistryClient, pair: Pair
) -> None:
    def refuse(asked: Asked) -> None:
        if asked.target.endswith(("/versions", "/deletions")):
            raise Refused(422, 422)

    target.before = refuse
    first, second = brought(client, pair)[0].refused
    assert first.startswith("s version 1 to s version 3: refused")
    assert second.startswith("the deletion of s version 3: refused")


def test_a_registry_that_cannot_answer_ends_it(
    target: SmallRegistry, client: RegistryClient, pair: Pair
) -> None:
    def refuse(asked: Asked) -> None:
        if asked.target.endswith("/versions"):
            raise Refused(503, 503)

    target.before = refuse
    with pytest.raises(RegistryUnavailable):
        brought(client, pair)


def test_without_such_an_interface_there_are_no_batches(
    target: SmallRegistry, client: RegistryClient, pair: Pair
) -> None:
    with RegistryClient(target.url, settings=QUICK) as plain:
        assert Run.begin(plain, "x", made(pair)) is None
    target.extras = {}
    assert Run.begin(client, "x", made(pair)) is None
