"""A burst of large schemas is worked on in turn; small calls never wait for it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from accord.model import SubjectName
from registry import services
from registry.errors import TooBusy
from registry.records import CheckCandidate
from registry.services import heavy, judging, preset_matrix
from registry.services.heavy import HEAVY, LIGHT_CHARACTERS, heavy_turn
from tests.registry.client import PROBE, Registry, optional, record
from tests.registry.forgetting import forget_verdicts
from tests.registry.texts import grown, register, source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

SOON_S = 10.0
LARGE = record("a", doc="x" * LIGHT_CHARACTERS)
OTHER = record("a", optional("b"), doc="x" * LIGHT_CHARACTERS)


@contextmanager
def crowd() -> Iterator[None]:
    """Take every place: threads that work on something large, and threads that wait to."""
    go = Event()

    def occupy() -> bool:
        with heavy_turn():
            return go.wait(SOON_S)

    places = HEAVY.places
    with ThreadPoolExecutor(places) as pool:
        busy = [pool.submit(occupy) for _ in range(places)]
        while HEAVY.places:
            assert not any(one.done() for one in busy)
        try:
            yield
        finally:
            go.set()
    assert HEAVY.places == places


def test_fewer_places_than_threads_of_the_server() -> None:
    assert heavy.AT_ONCE + heavy.WAITING < 4


@pytest.mark.parametrize(
    "ask",
    [
        lambda api: api.register("large", LARGE),
        lambda api: api.register("new", OTHER),
        lambda api: api.look_up("large", LARGE),
        lambda api: api.check("large/versions", OTHER),
        lambda api: api.check("large/versions", record("a", doc="short")),
    ],
    ids=["repeat", "register", "look up", "check", "a small one against a large one"],
)
def test_large_schemas_are_refused_when_there_is_no_place(
    api: Registry, ask: Callable[[Registry], Any]
) -> None:
    api.registered("large", LARGE)
    with crowd():
        refused = ask(api)
    assert refused.error == (503, 503)
    assert refused.headers["Retry-After"] == "5"
    assert ask(api).status == 200


def test_small_calls_do_not_notice(api: Registry) -> None:
    api.registered("s", PROBE)
    with crowd():
        assert api.registered("s", PROBE) == 1
        assert api.register("other", record("b")).status == 200
        assert api.look_up("s", PROBE).status == 200
        assert api.check("s/versions", PROBE).body == {"is_compatible": True}
        assert api.get("/subjects/s/versions/latest").status == 200
        assert api.get("/schemas/ids/1").status == 200


def test_a_large_schema_that_was_judged_before_is_read_without_a_turn(api: Registry) -> None:
    api.registered("large", LARGE)
    with crowd():
        assert json.loads(api.get("/subjects/large/versions/latest").body["schema"]) == LARGE


def test_large_references_count(scope: Scope) -> None:
    register(scope, "large", record("a", name="Large", doc="x" * LIGHT_CHARACTERS))
    user = source(record({"name": "l", "type": "Large"}, name="User"), ("Large", "large", 1))
    with crowd(), pytest.raises(TooBusy):
        services.check_compatibility(scope, CheckCandidate(SubjectName("s"), user))
    services.check_compatibility(scope, CheckCandidate(SubjectName("s"), user))
    with crowd():
        services.check_compatibility(scope, CheckCandidate(SubjectName("s"), user))


def test_small_texts_that_take_many_steps_take_a_turn_in_the_matrix(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(scope, "s", grown(0))
    question = CheckCandidate(SubjectName("s"), source(grown(9)))
    with crowd():
        found = services.candidate_matrix(scope, question)
    monkeypatch.setattr(preset_matrix, "LIGHT_STEPS", 20)
    with crowd(), pytest.raises(TooBusy):
        services.candidate_matrix(scope, question)
    assert services.candidate_matrix(scope, question) == found


def test_small_texts_that_take_many_steps_take_a_turn(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        register(scope, "s", grown(number))
    services.change_config(scope, SubjectName("s"), {"compatibilityLevel": "FULL_TRANSITIVE"})
    question = CheckCandidate(SubjectName("s"), source(grown(9)))
    forget_verdicts()
    verdict = services.check_compatibility(scope, question).verdict
    forget_verdicts()
    monkeypatch.setattr(judging, "LIGHT_STEPS", 20)
    with crowd(), pytest.raises(TooBusy):
        services.check_compatibility(scope, question)
    forget_verdicts()
    assert services.check_compatibility(scope, question).verdict == verdict
