"""Side effects: stored with their cause, done once by whoever drains."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.utils import timezone

from accord.errors import InvalidSubject, Unavailable, error
from accord_server.kit import outbox, outbox_drain, tenancy
from accord_server.kit.models import Delivery, Outbox
from accord_server.kit.outbox import Event, Topic, UnknownTopic, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.scope import Scope

TOPIC = "test.noted"


@error
class Away(Unavailable):
    """The receiver is away."""

    code = "away"
    template = "away"


class Receiver:
    """Notes what it is asked to do; fails with the errors it is given first."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.errors: list[Exception] = []

    def handle(self, event: Event) -> None:
        """Do the side effect."""
        self.events.append(event)
        if self.errors:
            raise self.errors.pop(0)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """The handler of the topic."""
    receiver = Receiver()
    outbox.register(Topic(TOPIC, receiver.handle, max_attempts=3))
    yield receiver
    outbox.unregister(TOPIC)


def rows(scope: Scope) -> list[Outbox]:
    with tenancy.tenant_context(scope.tenant.id):
        return list(Outbox.objects.scoped(scope).order_by("id"))


def make_due(scope: Scope) -> None:
    with tenancy.tenant_context(scope.tenant.id):
        Outbox.objects.scoped(scope).update(due_at=timezone.now() - timedelta(seconds=1))


def ask(scope: Scope, **payload: object) -> int:
    with tenancy.tenant_context(scope.tenant.id), transaction.atomic():
        return emit(scope, TOPIC, payload)


@pytest.mark.django_db
def test_a_drain_hands_the_event_over(receiver: Receiver, north: Scope) -> None:
    number = ask(north, subject="orders")
    assert outbox_drain.drain() == 1
    (event,) = receiver.events
    assert (event.id, event.payload, event.attempt) == (number, {"subject": "orders"}, 1)
    assert (event.tenant_id, event.request_id) == (north.tenant.id, "request-1")
    assert north.namespace is not None
    assert event.namespace_id == north.namespace.id


@pytest.mark.django_db
def test_what_is_done_is_not_done_again(receiver: Receiver, north: Scope) -> None:
    ask(north)
    assert [outbox_drain.drain(), outbox_drain.drain()] == [1, 0]
    assert [row.state for row in rows(north)] == ["done"]


@pytest.mark.django_db
def test_every_tenant_has_its_turn_as_itself(receiver: Receiver, north: Scope, south: Scope) -> None:
    ask(north)
    ask(south)
    assert outbox_drain.drain() == 2
    assert {event.tenant_id for event in receiver.events} == {north.tenant.id, south.tenant.id}


@pytest.mark.django_db
def test_a_handler_works_as_the_tenant_of_the_row(north: Scope) -> None:
    seen = []
    outbox.register(Topic(TOPIC, lambda _event: seen.append(tenancy.active_tenant())))
    ask(north)
    outbox_drain.drain()
    outbox.unregister(TOPIC)
    assert (seen, tenancy.active_tenant()) == ([north.tenant.id], None)


@pytest.mark.django_db
def test_listeners_are_told_once_and_after_the_handler(receiver: Receiver, north: Scope) -> None:
    told: list[tuple[int, int]] = []

    def listen(event: Event) -> None:
        told.append((event.id, len(receiver.events)))

    for _ in range(2):
        outbox.listen(TOPIC, listen)
    asked = ask(north)
    outbox_drain.drain()
    assert told == [(asked, 1)]


@pytest.mark.django_db
def test_a_passing_error_is_tried_again_later(receiver: Receiver, north: Scope) -> None:
    receiver.errors = [Away()]
    ask(north)
    assert [outbox_drain.drain(), outbox_drain.drain()] == [1, 0]
    make_due(north)
    assert outbox_drain.drain() == 1
    (row,) = rows(north)
    assert (row.state, row.attempts) == ("done", 2)


@pytest.mark.django_db
def test_other_errors_are_final(receiver: Receiver, north: Scope) -> None:
    receiver.errors = [InvalidSubject("a b")]
    ask(north)
    outbox_drain.drain()
    assert [row.state for row in rows(north)] == ["dead"]


@pytest.mark.django_db
def test_patience_ends(receiver: Receiver, north: Scope) -> None:
    receiver.errors = [Away(), Away(), Away()]
    ask(north)
    for _ in range(4):
        make_due(north)
        outbox_drain.drain()
    (row,) = rows(north)
    assert (row.state, row.attempts, len(receiver.events)) == ("dead", 3, 3)


@pytest.mark.django_db
def test_every_attempt_is_on_record(receiver: Receiver, north: Scope) -> None:
    receiver.errors = [Away()]
    ask(north)
    outbox_drain.drain()
    make_due(north)
    outbox_drain.drain()
    with tenancy.tenant_context(north.tenant.id):
        deliveries = Delivery.objects.scoped(north).order_by("attempt")
        noted = [(delivery.attempt, delivery.is_success, delivery.error) for delivery in deliveries]
    assert noted == [(1, False, "Away: away"), (2, True, "")]


@pytest.mark.django_db
def test_one_failure_does_not_hold_up_the_rest(receiver: Receiver, north: Scope) -> None:
    receiver.errors = [InvalidSubject("a b")]
    first, second = ask(north), ask(north)
    outbox_drain.drain()
    assert [event.id for event in receiver.events] == [first, second]
    assert [row.state for row in rows(north)] == ["dead", "done"]


@pytest.mark.django_db
def test_what_a_failed_handler_wrote_is_taken_back(north: Scope, south: Scope) -> None:
    def write_and_fail(event: Event) -> None:
        Delivery.objects.insert(north, outbox_id=event.id, attempt=77, is_success=True)
        raise InvalidSubject("a b")

    outbox.register(Topic(TOPIC, write_and_fail))
    ask(north)
    outbox_drain.drain()
    outbox.unregister(TOPIC)
    with tenancy.tenant_context(north.tenant.id):
        assert not Delivery.objects.scoped(north).filter(attempt=77).exists()


@pytest.mark.django_db
def test_a_row_of_a_newer_release_waits(receiver: Receiver, north: Scope) -> None:
    ask(north)
    outbox.unregister(TOPIC)
    outbox_drain.drain()
    assert [row.state for row in rows(north)] == ["pending"]


@pytest.mark.django_db
def test_an_unknown_topic_is_refused_where_it_is_emitted(north: Scope) -> None:
    with pytest.raises(UnknownTopic, match=r"nobody\.does"), transaction.atomic():
        emit(north, "nobody.does", {})


@pytest.mark.django_db(transaction=True)
def test_emit_belongs_into_a_transaction(receiver: Receiver, north: Scope) -> None:
    with pytest.raises(transaction.TransactionManagementError):
        emit(north, TOPIC, {})


@pytest.mark.django_db
def test_a_rolled_back_cause_has_no_effect(receiver: Receiver, north: Scope) -> None:
    with tenancy.tenant_context(north.tenant.id), transaction.atomic():
        emit(north, TOPIC, {})
        transaction.set_rollback(True)
    assert outbox_drain.drain() == 0


@pytest.mark.django_db
def test_pruning_forgets_what_was_done_long_ago(receiver: Receiver, north: Scope) -> None:
    ask(north)
    outbox_drain.drain()
    ask(north)
    with tenancy.tenant_context(north.tenant.id):
        Outbox.objects.scoped(north).filter(state="done").update(done_at=timezone.now() - timedelta(days=8))
    assert outbox_drain.prune() == 1
    assert [row.state for row in rows(north)] == ["pending"]


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 5), (2, 10), (5, 80), (30, 3600)])
def test_pauses_grow_up_to_an_hour(attempts: int, seconds: int) -> None:
    assert outbox_drain.pause_after(attempts) == timedelta(seconds=seconds)
