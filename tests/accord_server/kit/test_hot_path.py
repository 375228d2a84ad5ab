"""What is answered from memory, and above all what is not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse

from accord_server.kit import hot_path
from accord_server.kit.epochs import Epochs
from accord_server.kit.errors import SCOPE_KEY
from accord_server.kit.hot_path import HotPath, Reading
from accord_server.kit.scope import Grant, NamespaceRef, Principal, PrincipalKind, Scope, TenantRef

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

READING = Reading("north", "default", 7, "variant")


@dataclass
class World:
    """Both ports and the application behind the layer, each saying what a test wants."""

    scope: Scope
    reading: Reading | None = READING
    is_known: bool = True
    status: int = 200
    answered: int = 0
    counted: int = 0
    epochs: Epochs = field(default_factory=Epochs)
    meanwhile: Callable[[], object] = field(default=lambda: None)

    def read(self, environ: Mapping[str, Any]) -> Reading | None:
        return self.reading

    def recall(self, environ: Mapping[str, Any], *_place: str) -> Scope | None:
        return self.scope if self.is_known else None

    def count(self, environ: Mapping[str, Any], scope: Scope) -> None:
        self.counted += 1

    def application(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> HttpResponse:
        self.answered += 1
        self.meanwhile()
        environ[SCOPE_KEY] = self.scope
        answer = HttpResponse(
            f"answer {self.answered}", status=self.status, headers={"X-Request-ID": "django"}
        )
        start_response(f"{self.status} {answer.reason_phrase}", list(answer.items()))
        return answer

    def ask(self, request_id: str = "one") -> tuple[str, dict[str, str], str]:
        seen: list[Any] = []
        body = HotPath(self.application)({"HTTP_X_REQUEST_ID": request_id}, lambda *given: seen.extend(given))
        return seen[0], dict(seen[1]), b"".join(body).decode()

    def second_comes_from_memory(self) -> bool:
        self.ask()
        before = self.answered
        self.ask()
        return self.answered == before

    def see(self, number: int) -> None:
        """Let a higher number be seen."""
        status, reading = self.status, self.reading
        self.status, self.reading = 200, Reading("north", "default", number, "other")
        self.ask()
        self.status, self.reading = status, reading


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A namespace and epochs of its own: the process may hear of others at any time."""
    person = Principal(PrincipalKind.PERSON, "person:alice", "Alice")
    place = TenantRef(uuid4(), "north"), NamespaceRef(uuid4(), "default")
    world = World(Scope(*place, person, (Grant(frozenset({"schema.read"})),)))
    monkeypatch.setattr(hot_path, "epochs", world.epochs)
    monkeypatch.setattr(hot_path, "_ports", {"reader": world.read, "door": world})
    return world


def test_an_answer_is_given_again_under_the_id_of_the_new_request(world: World) -> None:
    world.ask("first")
    status, headers, body = world.ask("second")
    assert (status, body, headers["X-Request-ID"]) == ("200 OK", "answer 1", "second")
    assert (world.answered, world.counted) == (1, 1)


def test_other_calls_pass(world: World) -> None:
    world.reading = None
    assert not world.second_comes_from_memory()


def test_callers_who_were_not_let_in_lately_pass(world: World) -> None:
    world.is_known = False
    assert not world.second_comes_from_memory()
    assert world.counted == 0


def test_other_grants_get_their_own_answers(world: World) -> None:
    world.ask()
    world.scope = replace(world.scope, grants=(Grant(frozenset({"subject.read"})),))
    assert world.ask()[2] == "answer 2"


def test_equal_grants_share_answers(world: World) -> None:
    world.ask()
    world.scope = replace(world.scope, principal=Principal(PrincipalKind.SERVICE, "service:x", "x"))
    assert world.ask()[2] == "answer 1"


def test_another_namespace_gets_its_own_answers(world: World) -> None:
    world.ask()
    world.scope = replace(world.scope, namespace=NamespaceRef(uuid4(), "default"))
    assert world.ask()[2] == "answer 2"


@pytest.mark.parametrize("variant", ["a", ("a", 1)])
def test_another_variant_gets_its_own_answer(world: World, variant: object) -> None:
    world.ask()
    world.reading = replace(READING, variant=variant)
    assert world.ask()[2] == "answer 2"


@pytest.mark.parametrize("move", [Epochs.move, lambda known, _: known.move_all()])
def test_a_move_of_the_epoch_ends_answers(world: World, move: Callable[[Epochs, UUID], None]) -> None:
    assert world.scope.namespace is not None
    world.ask()
    move(world.epochs, world.scope.namespace.id)
    assert world.ask()[2] == "answer 2"


def test_a_move_meanwhile_makes_an_answer_unfit_to_keep(world: World) -> None:
    assert world.scope.namespace is not None
    namespace = world.scope.namespace.id
    world.meanwhile = lambda: world.epochs.move(namespace)
    assert not world.second_comes_from_memory()


def test_no_answer_outlives_its_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hot_path, "LONGEST_LIFE_S", 0.0)
    assert not world.second_comes_from_memory()


def test_the_time_is_two_seconds() -> None:
    assert hot_path.LONGEST_LIFE_S == 2.0


@pytest.mark.parametrize("status", [401, 403, 406, 500, 503])
def test_refusals_and_failures_are_not_kept(world: World, status: int) -> None:
    world.see(9)
    world.status = status
    assert not world.second_comes_from_memory()


@pytest.mark.parametrize(("highest", "is_kept"), [(0, False), (6, False), (7, True), (9, True)])
def test_what_is_missing_is_kept_up_to_the_highest_number_seen(
    world: World, highest: int, *, is_kept: bool
) -> None:
    if highest:
        world.see(highest)
    world.status = 404
    assert world.second_comes_from_memory() is is_kept


def test_a_number_seen_meanwhile_proves_nothing(world: World) -> None:
    """Between the look and the answer the missing one may have been issued as well."""
    world.status = 404
    namespace = world.scope.namespace
    assert namespace is not None
    world.meanwhile = lambda: hot_path.HIGHEST.keep((world.scope.tenant.id, namespace.id), 99)
    world.ask()
    world.meanwhile = lambda: None
    assert world.ask()[2] == "answer 2"
