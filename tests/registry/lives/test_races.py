"""Changes of state against registrations, references, and one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.errors import AccordError, ReferenceNotFound
from accord.model import SubjectName
from accord_server.kit.edit_errors import Changed
from registry import queries
from registry.errors import RestoreRefused
from registry.life_errors import VersionDisabled
from registry.life_records import ChangeState, Describe
from registry.services.describing import describe
from registry.services.version_states import change_state
from registry.version_states import VersionState
from tests.registry.client import optional, record
from tests.registry.texts import register
from tests.registry.threads import WRITERS, all_at_once, overtaken

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db(transaction=True)

S, PART = SubjectName("s"), SubjectName("part")
ONE, TWO, THREE = record("a"), record("a", optional("b")), record("a", optional("b"), optional("c"))
# Goes with version 1, and not with version 2.
OTHER = record("a", {"name": "b", "type": "string", "default": ""})


def turn(
    scope: Scope, state: VersionState, number: int = 2, subject: SubjectName = S, expected: int | None = None
) -> object:
    return change_state(scope, subject, ChangeState(number, state, "why", expected))


def attempt(act: Callable[[], object]) -> object:
    try:
        return act()
    except AccordError as error:
        return error


def test_a_registration_waits_for_the_state_and_counts_with_it(scope: Scope) -> None:
    register(scope, "s", ONE)
    register(scope, "s", TWO)
    made = overtaken(
        scope, lambda: turn(scope, VersionState.DISABLED), lambda: register(scope, "s", THREE).version.number
    )
    assert made == 3


def test_what_is_disabled_meanwhile_is_not_registered_again(scope: Scope) -> None:
    register(scope, "s", ONE)
    register(scope, "s", TWO)
    register(scope, "s", THREE)
    turn(scope, VersionState.DISABLED, 3)
    # Version 3 comes back while version 2, which is registered anew, goes.
    tried = overtaken(
        scope,
        lambda: turn(scope, VersionState.DISABLED),
        lambda: attempt(lambda: turn(scope, VersionState.ENABLED, 3)),
    )
    assert not isinstance(tried, AccordError)
    assert isinstance(attempt(lambda: register(scope, "s", TWO)), VersionDisabled)
    assert register(scope, "s", THREE).version.number == 3


def test_a_version_comes_back_only_beside_what_came_meanwhile(scope: Scope) -> None:
    register(scope, "s", ONE)
    register(scope, "s", TWO)
    turn(scope, VersionState.DISABLED)
    tried = overtaken(
        scope,
        lambda: register(scope, "s", OTHER),
        lambda: attempt(lambda: turn(scope, VersionState.ENABLED)),
    )
    assert isinstance(tried, RestoreRefused)


def test_no_reference_slips_in_while_its_target_is_disabled(scope: Scope) -> None:
    register(scope, "part", record("x", name="Part"))
    register(scope, "u", ONE)
    tried = overtaken(
        scope,
        lambda: turn(scope, VersionState.DISABLED, 1, PART),
        lambda: attempt(
            lambda: register(scope, "w", record({"name": "p", "type": "Part"}), ("Part", "part", 1))
        ),
    )
    assert isinstance(tried, ReferenceNotFound | VersionDisabled)
    assert queries.list_subjects(scope) == ["part", "u"]


def test_of_many_who_read_the_same_one_is_first(scope: Scope) -> None:
    register(scope, "s", ONE)
    told = all_at_once(scope, lambda _: turn(scope, VersionState.DEPRECATED, 1, expected=1))
    assert sum(isinstance(one, Changed) for one in told) == WRITERS - 1
    said = all_at_once(scope, lambda number: describe(scope, S, Describe(f"by {number}", expected=1)))
    assert sum(isinstance(one, Changed) for one in said) == WRITERS - 1
