"""What a message ends in the process that hears it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import transaction

from accord_server.kit.epochs import Epochs, epochs
from tenants.announcements import announce_namespace, obey


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The namespaces whose epoch moved; this process may hear of others at any time."""
    seen: list[UUID] = []
    monkeypatch.setattr(Epochs, "move", lambda _, namespace: seen.append(namespace))
    return seen


def test_a_namespace_ends_its_own_answers(moved: list[UUID]) -> None:
    one = uuid4()
    obey(f"namespace:{one}")
    assert one in moved


@pytest.mark.parametrize("message", [f"tenant:{UUID(int=1)}", "of a later release"])
def test_what_concerns_more_ends_all_answers(message: str) -> None:
    one = uuid4()
    before = epochs.of(one)
    obey(message)
    assert epochs.of(one) > before


@pytest.mark.django_db(transaction=True)
def test_here_answers_end_with_the_commit(moved: list[UUID]) -> None:
    one = uuid4()
    with transaction.atomic():
        announce_namespace(one)
        assert one not in moved
    assert one in moved


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_ends_nothing(moved: list[UUID]) -> None:
    one = uuid4()
    with transaction.atomic():
        announce_namespace(one)
        transaction.set_rollback(True)
    assert one not in moved
