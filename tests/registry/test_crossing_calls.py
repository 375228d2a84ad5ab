"""Calls of different kinds that cross each other: either may come first, or both at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.errors import AccordError, ReferenceNotFound
from accord.model import SubjectName
from registry import queries, services
from registry.errors import (
    ContextNotEmpty,
    ReadOnly,
    ReferenceExists,
    SubjectNotFound,
    SubjectNotSoftDeleted,
    VersionNotFound,
    VersionNotSoftDeleted,
)
from registry.services.restoring import restore_subject, restore_version
from registry.services.situation import situation_of
from tests.registry.client import optional, record
from tests.registry.texts import grown, register
from tests.registry.threads import WRITERS, all_at_once, interrupted, overtaken

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from registry.services.situation import Situation
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 4
IN_C = SubjectName("s", ".c")
PART = SubjectName("part")
PARTS = record("x", name="Part")
WHOLE = record({"name": "p", "type": "Part"}, name="Whole")
S = SubjectName("s")
LOOK = "registry.services.restoring.situation_of"


def known_elsewhere(scope: Scope) -> list[str]:
    return queries.list_contexts(scope)[1:]


def emptied(scope: Scope, number: int = 0) -> None:
    """A context in which something was."""
    register(scope, IN_C.qualified, grown(number))
    services.soft_delete_subject(scope, IN_C)
    services.purge_subject(scope, IN_C)


def test_what_is_registered_while_a_context_is_dropped_brings_it_back(scope: Scope) -> None:
    emptied(scope)
    made = overtaken(
        scope,
        lambda: services.drop_context(scope, ".c"),
        lambda: register(scope, IN_C.qualified, grown(1)),
    )
    assert made.version.schema.id == 2
    assert known_elsewhere(scope) == [".c"]


def test_a_context_is_not_dropped_below_what_was_registered_first(scope: Scope) -> None:
    emptied(scope)
    with pytest.raises(ContextNotEmpty):
        overtaken(
            scope,
            lambda: register(scope, IN_C.qualified, grown(1)),
            lambda: services.drop_context(scope, ".c"),
        )
    assert known_elsewhere(scope) == [".c"]


def test_a_context_dropped_before_the_id_is_given_comes_back(scope: Scope) -> None:
    emptied(scope)
    made = interrupted(
        scope,
        lambda: register(scope, IN_C.qualified, grown(1)),
        after="registry_subject",
        by=lambda: services.drop_context(scope, ".c"),
    )
    assert (made.version.number, made.version.schema.id) == (1, 2)
    assert known_elsewhere(scope) == [".c"]


def test_a_context_dropped_and_filled_at_once_is_listed(scope: Scope) -> None:
    for attempt in range(ROUNDS):
        emptied(scope, 2 * attempt)

        def act(number: int, attempt: int = attempt) -> object:
            if number % 2:
                services.drop_context(scope, ".c")
                return None
            return register(scope, IN_C.qualified, grown(2 * attempt + 1)).version.schema.id

        made = all_at_once(scope, act, count=4)
        assert made[0] == made[2] == 2 * attempt + 2
        assert all(one is None or isinstance(one, ContextNotEmpty) for one in made[1::2])
        assert known_elsewhere(scope) == [".c"]
        services.soft_delete_subject(scope, IN_C)
        services.purge_subject(scope, IN_C)


@pytest.mark.parametrize(
    "delete",
    [
        lambda scope: services.soft_delete_subject(scope, PART),
        lambda scope: services.soft_delete_version(scope, PART, 1),
    ],
    ids=["subject", "version"],
)
def test_a_reference_that_comes_first_keeps_its_target(
    scope: Scope, delete: Callable[[Scope], object]
) -> None:
    register(scope, "part", PARTS)
    with pytest.raises(ReferenceExists):
        overtaken(scope, lambda: register(scope, "user", WHOLE, ("Part", "part", 1)), lambda: delete(scope))
    assert queries.version_numbers(scope, PART) == [1]


@pytest.mark.parametrize(
    "delete",
    [
        lambda scope: services.soft_delete_subject(scope, PART),
        lambda scope: services.soft_delete_version(scope, PART, 1),
    ],
    ids=["subject", "version"],
)
def test_a_deletion_that_comes_first_keeps_the_reference_out(
    scope: Scope, delete: Callable[[Scope], object]
) -> None:
    register(scope, "part", PARTS)
    with pytest.raises(ReferenceNotFound):
        overtaken(scope, lambda: delete(scope), lambda: register(scope, "user", WHOLE, ("Part", "part", 1)))
    assert queries.list_subjects(scope, deleted=True) == ["part"]


def test_a_target_deleted_for_good_while_its_user_is_judged(scope: Scope) -> None:
    register(scope, "part", PARTS)

    def delete() -> None:
        services.soft_delete_subject(scope, PART)
        services.purge_subject(scope, PART)

    with pytest.raises(ReferenceNotFound):
        interrupted(
            scope,
            lambda: register(scope, "user", WHOLE, ("Part", "part", 1)),
            after="registry_subject",
            by=delete,
        )
    assert queries.list_subjects(scope, deleted=True) == []


def test_ids_and_numbers_stay_dense_whoever_writes_what_where(scope: Scope) -> None:
    """Three texts into six subjects of two contexts, each by two writers at once."""
    subjects = [f"{context}s{number}" for context in ("", ":.c:") for number in range(3)]

    def act(number: int) -> object:
        subject = subjects[number % len(subjects)]
        return [register(scope, subject, grown((number + step) % 3)).version.schema.id for step in range(3)]

    made = all_at_once(scope, act, count=WRITERS)
    assert all(set(one) == {1, 2, 3} for one in made)  # type: ignore[call-overload]  # a refusal fails here
    for subject in subjects:
        name = SubjectName("s" + subject[-1], ".c" if subject.startswith(":") else ".")
        assert queries.version_numbers(scope, name) == [1, 2, 3]


def test_a_subject_that_only_reads_meanwhile_takes_nothing(scope: Scope) -> None:
    register(scope, "s", grown(1))
    with pytest.raises(ReadOnly):
        interrupted(
            scope,
            lambda: register(scope, "s", grown(2)),
            after="registry_subject",
            by=lambda: services.change_mode(scope, S, "READONLY"),
        )
    assert queries.version_numbers(scope, S) == [1]


def test_what_a_config_adds_meanwhile_is_added(scope: Scope) -> None:
    register(scope, "s", grown(1))
    made = interrupted(
        scope,
        lambda: register(scope, "s", grown(2)),
        after="registry_subject",
        by=lambda: services.change_config(scope, S, {"overrideMetadata": {"properties": {"k": "1"}}}),
    )
    assert made.version.schema.contract.properties == {"k": "1"}


def test_a_subject_restored_and_deleted_for_good_is_one_of_both(scope: Scope) -> None:
    for attempt in range(ROUNDS):
        subject = SubjectName(f"s{attempt}")
        register(scope, subject.name, grown(1))
        register(scope, subject.name, grown(2))
        services.soft_delete_subject(scope, subject)

        def act(number: int, subject: SubjectName = subject) -> object:
            if number:
                return services.purge_subject(scope, subject)
            return restore_subject(scope, subject)

        restored, purged = all_at_once(scope, act, count=2)
        if isinstance(restored, AccordError):
            assert (type(restored), purged) == (SubjectNotFound, [1, 2])
            assert subject.name not in queries.list_subjects(scope, deleted=True)
        else:
            assert (restored, type(purged)) == ([1, 2], SubjectNotSoftDeleted)
            assert queries.version_numbers(scope, subject) == [1, 2]


@pytest.mark.parametrize(
    ("meanwhile", "outcome"),
    [(services.purge_subject, SubjectNotFound), (restore_subject, None)],
)
def test_a_subject_that_moves_while_it_is_restored_is_looked_at_again(
    scope: Scope,
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: Callable[[Scope, SubjectName], object],
    outcome: type[AccordError] | None,
) -> None:
    register(scope, S.name, grown(1))
    services.soft_delete_subject(scope, S)

    def looked_at_too_early(scope: Scope, subject: SubjectName) -> Situation:
        seen = situation_of(scope, subject)
        monkeypatch.setattr(LOOK, situation_of)
        meanwhile(scope, subject)
        return seen

    monkeypatch.setattr(LOOK, looked_at_too_early)
    if outcome is None:
        assert restore_subject(scope, S) == []
    else:
        with pytest.raises(outcome):
            restore_subject(scope, S)


def restore(scope: Scope) -> list[int]:
    return restore_version(scope, S, 1)


def purge(scope: Scope) -> int:
    return services.purge_version(scope, S, 1)


@pytest.mark.parametrize(
    ("first", "then", "refusal", "left"),
    [(restore, purge, VersionNotSoftDeleted, [1, 2]), (purge, restore, VersionNotFound, [2])],
    ids=["restored", "purged"],
)
def test_a_version_restored_and_deleted_for_good(
    scope: Scope,
    first: Callable[[Scope], object],
    then: Callable[[Scope], object],
    refusal: type[AccordError],
    left: list[int],
) -> None:
    register(scope, "s", grown(1))
    register(scope, "s", grown(2))
    services.soft_delete_version(scope, S, 1)
    with pytest.raises(refusal):
        overtaken(scope, lambda: first(scope), lambda: then(scope))
    assert queries.version_numbers(scope, S, deleted=True) == left


def test_aliases_that_lead_to_each_other_lead_one_step(api: Registry, scope: Scope) -> None:
    """Half of the writers turn the two names around while the others register under them."""

    def act(number: int) -> tuple[int, Any]:
        name, other = ("a", "b") if number % 4 < 2 else ("b", "a")
        if number % 2:
            answer = api.call("PUT", f"/config/{name}", {"alias": other})
        else:
            answer = api.register(name, record("f", optional(f"g{number}")))
        return answer.status, answer.raw

    made = all_at_once(scope, act)
    assert {one[0] for one in made} == {200}, made  # type: ignore[index]  # a refusal fails here
    kept = {name: api.get(f"/subjects/{name}/versions") for name in ("a", "b")}
    numbers = [one.body for one in kept.values() if one.status == 200]
    assert sum(map(len, numbers)) == WRITERS // 2
    assert all(one == list(range(1, len(one) + 1)) for one in numbers)
