"""Verdicts that a worker of Accord gives: waited for, told about, cancelled with the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from urllib3.util import retry

from accord.cli import output
from accord.client import checks
from tests.accord.cli.schemas import BARE
from tests.accord.cli.test_remote import ALLOWED, REFUSED, SR, VERDICT, Namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository
    from tests.accord.client.stand_in import StandIn

ID = "6f1d3c0e-8a55-4c09-9d3c-2f6f6f3f0a11"
CHECK = f"/api/v1/tenants/north/namespaces/default/checks/{ID}"


REGISTER = f"POST {SR}/subjects/s/versions"
UNDER_WAY = {"error_code": 503, "message": "a worker compares it; send the same request again"}


def standing(state: str, done: int = 0, **members: Any) -> dict[str, Any]:
    return {"id": ID, "state": state, "progress": {"done": done, "total": 9}, "result": None, **members}


class Clock:
    """A time of its own, in which pauses cost nothing; or whoever waits is interrupted."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.is_interrupted = False

    def monotonic(self) -> float:
        return sum(self.pauses)

    def sleep(self, seconds: float) -> None:
        if self.is_interrupted:
            raise KeyboardInterrupt
        self.pauses.append(seconds)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(checks, "time", made)
    return made


@pytest.fixture
def namespace(accord: Program, registry: StandIn, repository: Repository) -> Namespace:
    return Namespace(accord, registry, str(repository.write("a.avsc", BARE)))


def followed(namespace: Namespace, *states: object, more: tuple[str, ...] = ()) -> Result:
    """Check a schema whose verdict a worker gives, which stands so at each look."""
    namespace.registry.answer(VERDICT, standing("queued"), 202)
    for one in states:
        namespace.registry.answer(f"GET {CHECK}", one)
    return namespace.check(*more)


def methods(namespace: Namespace) -> list[str]:
    return [one.method for one in namespace.registry.asked if one.target == CHECK]


def test_a_check_of_a_worker_is_followed_to_its_verdict(namespace: Namespace, clock: Clock) -> None:
    looks = [standing("queued"), *[standing("running", number) for number in range(1, 6)]]
    told = followed(namespace, *looks, standing("done", 9, result=REFUSED))
    assert told.exit_code == 1
    assert "a.avsc:1:2: block FROZEN at /" in told.stdout
    assert told.stderr == ""
    assert methods(namespace) == ["GET"] * 7
    assert clock.pauses == [0.2, 0.4, 0.8, 1.6, 2.0, 2.0]


def test_a_terminal_shows_how_far_it_is(namespace: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_watched", lambda: True)
    told = followed(namespace, standing("running", 4), standing("done", 9, result=REFUSED))
    assert "s: 4 of 9 versions are compared\r" in told.stderr


@pytest.mark.parametrize(
    ("state", "result", "reason"),
    [
        (
            "failed",
            {"error": "given_up", "message": "5 workers were lost on it"},
            "5 workers were lost on it",
        ),
        ("cancelled", None, "somebody cancelled it"),
    ],
)
def test_a_check_without_a_verdict_is_an_error(
    namespace: Namespace, state: str, result: object, reason: str
) -> None:
    told = followed(namespace, standing(state, result=result))
    assert (told.exit_code, f"check {ID} of the registry gave no verdict: {reason}" in told.stdout) == (
        2,
        True,
    )


def test_the_timeout_ends_the_wait_and_the_check_goes_on(namespace: Namespace, clock: Clock) -> None:
    told = followed(namespace, standing("running"), more=("--timeout", "1"))
    assert (told.exit_code, "not done after 1 seconds; ask again" in told.stdout) == (2, True)
    assert clock.pauses == pytest.approx([0.2, 0.4, 0.4])
    assert methods(namespace) == ["GET"] * 4


@pytest.mark.parametrize("status", [200, 403])
def test_whoever_interrupts_cancels(namespace: Namespace, clock: Clock, status: int) -> None:
    clock.is_interrupted = True
    namespace.registry.answer(f"DELETE {CHECK}", standing("cancelled"), status)
    told = followed(namespace, standing("running"))
    assert (told.exit_code, told.stderr.strip()) == (1, "Aborted!")
    assert methods(namespace) == ["GET", "DELETE"]


@pytest.mark.parametrize("answer", [b"<html>", standing("odd"), standing("done")])
def test_what_goes_wrong_on_the_way_is_not_judged_here(namespace: Namespace, answer: object) -> None:
    told = followed(namespace, answer)
    assert (told.exit_code, "is not one of a schema registry" in told.stdout) == (2, True)
    assert {one.target for one in namespace.registry.asked} == {VERDICT.split()[1], CHECK}


def test_a_check_needs_an_id_that_is_one(namespace: Namespace) -> None:
    namespace.registry.answer(VERDICT, standing("queued", id="../.."), 202)
    namespace.holds(1, BARE)
    namespace.check()
    assert not [one for one in namespace.registry.asked if "checks" in one.target]


def test_a_refused_registration_waits_for_its_explanation(namespace: Namespace) -> None:
    namespace.registry.answer(VERDICT, standing("queued"), 202)
    namespace.registry.answer(f"GET {CHECK}", standing("done", 9, result=REFUSED))
    namespace.registry.refuse(REGISTER, 409, 40901, "no")
    told = namespace.register()
    assert (told.exit_code, "a.avsc:1:2: block FROZEN at /" in told.stderr) == (1, True)


@pytest.mark.parametrize("verb", [Namespace.register, Namespace.check])
def test_what_a_worker_has_not_done_yet_is_asked_for_again(
    namespace: Namespace, clock: Clock, monkeypatch: pytest.MonkeyPatch, verb: Callable[..., Result]
) -> None:
    monkeypatch.setattr(retry, "time", clock)
    for call, done in ((REGISTER, {"id": 7, "version": 2}), (VERDICT, ALLOWED)):
        for _ in range(3):
            namespace.registry.answer(call, UNDER_WAY, 503, Retry_After="5")
        namespace.registry.answer(call, done)
    assert (verb(namespace).exit_code, clock.pauses) == (0, [5, 5, 5])


def test_a_registration_that_takes_longer_says_how_to_go_on(
    namespace: Namespace, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "time", clock)
    namespace.registry.answer(REGISTER, UNDER_WAY, 503, Retry_After="5")
    told = namespace.register()
    assert (told.exit_code, clock.pauses) == (2, [5, 5, 5])
    assert told.stderr.startswith("error: a worker compares it; send the same request again (HTTP 503")


def test_each_file_is_followed(namespace: Namespace) -> None:
    second = Path(namespace.path).with_name("b.avsc")
    second.write_text(json.dumps(BARE))
    told = followed(namespace, standing("done", 9, result=ALLOWED), more=(str(second),))
    assert (told.exit_code, methods(namespace)) == (0, ["GET", "GET"])
