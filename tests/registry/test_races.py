"""Many writers at once, each with a connection of its own: ids and versions stay unique and dense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction

from accord.errors import AccordError
from accord.model import SubjectName
from registry import queries, services
from registry.errors import IncompatibleSchema, ReferenceExists
from registry.queries.locks import lock_subject
from registry.records import RegisterVersion
from tests.registry.client import optional, record
from tests.registry.texts import grown, register, source
from tests.registry.threads import WRITERS, all_at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db(transaction=True)


def distinct(number: int) -> dict[str, Any]:
    """Make one of many different schemas of which each can be read as each."""
    return record("a", optional(f"f{number}"))


def crash_after(act: Callable[[], object]) -> None:
    with transaction.atomic():
        act()
        raise ZeroDivisionError


def test_one_schema_gets_one_version(scope: Scope) -> None:
    made = all_at_once(scope, lambda _: register(scope, "s", grown(1)).version)
    assert {(one.schema.id, one.number) for one in made} == {(1, 1)}  # type: ignore[union-attr]  # a refusal fails here


def test_one_schema_into_many_subjects_gets_one_id(scope: Scope) -> None:
    made = all_at_once(scope, lambda number: register(scope, f"s{number}", grown(1)).version.schema.id)
    assert set(made) == {1}


def test_different_schemas_get_different_ids(scope: Scope) -> None:
    made = all_at_once(
        scope, lambda number: register(scope, f"s{number}", distinct(number)).version.schema.id
    )
    assert sorted(made) == list(range(1, WRITERS + 1))  # type: ignore[type-var]  # a refusal fails here


def test_first_versions_of_one_subject_are_numbered_densely(scope: Scope) -> None:
    made = all_at_once(scope, lambda number: register(scope, "s", distinct(number)).version.number)
    assert sorted(made) == list(range(1, WRITERS + 1))  # type: ignore[type-var]  # a refusal fails here
    assert queries.version_numbers(scope, SubjectName("s")) == list(range(1, WRITERS + 1))


def test_of_incompatible_schemas_one_wins(scope: Scope) -> None:
    kinds = ("int", "string")
    made = all_at_once(scope, lambda number: register(scope, "s", kinds[number % 2]).version.number)
    refused = [one for one in made if isinstance(one, IncompatibleSchema)]
    assert len(refused) == WRITERS / 2
    assert queries.version_numbers(scope, SubjectName("s")) == [1]


def test_what_arrives_while_a_writer_waits_is_judged(scope: Scope) -> None:
    """Under a transitive level no pair goes unjudged, however the writers interleave."""
    services.change_config(scope, SubjectName("s"), {"compatibilityLevel": "FULL_TRANSITIVE"})
    kinds = ("int", "string")

    def clashing(number: int) -> int:
        field = {"name": "x", "type": kinds[number % 2], "default": (0, "")[number % 2]}
        return register(scope, "s", record("a", field, optional(f"f{number}"))).version.number

    made = all_at_once(scope, clashing)
    winners = [number for number, one in enumerate(made) if isinstance(one, int)]
    assert len({number % 2 for number in winners}) == 1


def test_a_reference_and_the_deletion_of_its_target_exclude_each_other(scope: Scope) -> None:
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    for attempt in range(5):
        part, user = f"part{attempt}", f"user{attempt}"
        register(scope, part, record("x", name="Part"))

        def act(number: int, part: str = part, user: str = user) -> object:
            if number:
                return services.soft_delete_subject(scope, SubjectName(part))
            return register(scope, user, whole, ("Part", part, 1))

        made = all_at_once(scope, act, count=2)
        assert sum(isinstance(one, AccordError) for one in made) == 1, made


def test_equal_schemas_racing_with_a_deletion_for_good(scope: Scope) -> None:
    """A reused id never points to a schema that is just going away."""
    for attempt in range(5):
        gone = SubjectName(f"gone{attempt}")
        register(scope, gone.name, grown(attempt))
        services.soft_delete_subject(scope, gone)

        def act(number: int, gone: SubjectName = gone, attempt: int = attempt) -> object:
            if number:
                return services.purge_subject(scope, gone)
            return register(scope, f"new{attempt}", grown(attempt)).version.schema.id

        made = all_at_once(scope, act, count=2)
        schema_id = made[0]
        assert isinstance(schema_id, int), made
        assert queries.schema_by_id(scope, schema_id).text
        assert queries.subjects_of_schema(scope, schema_id) == [f"new{attempt}"]


def test_a_failed_registration_leaves_nothing(scope: Scope) -> None:
    register(scope, "s", "int")
    with pytest.raises(IncompatibleSchema):
        register(scope, "s", "string")
    assert queries.highest_id(scope, ".") == 1
    assert register(scope, "t", "long").version.schema.id == 2


def test_a_crash_after_the_lock_leaves_nothing(scope: Scope) -> None:
    with pytest.raises(ZeroDivisionError):
        crash_after(lambda: register(scope, "s", "int"))
    assert queries.list_subjects(scope, deleted=True) == []
    assert register(scope, "t", "long").version.schema.id == 1


def test_a_referrer_found_under_the_lock_stops_a_deletion(scope: Scope) -> None:
    register(scope, "part", record("x", name="Part"))
    register(scope, "user", record({"name": "p", "type": "Part"}, name="Whole"), ("Part", "part", 1))
    with transaction.atomic():
        assert lock_subject(scope, SubjectName("part")) is not None
        with pytest.raises(ReferenceExists):
            services.soft_delete_subject(scope, SubjectName("part"))


def test_a_level_that_changes_meanwhile_is_obeyed(scope: Scope) -> None:
    register(scope, "s", "int")
    subject = SubjectName("s")

    def act(number: int) -> object:
        if number:
            return services.change_config(scope, subject, {"compatibilityLevel": "NONE"})
        return services.register_version(scope, RegisterVersion(subject, source("string"))).version.level

    made = all_at_once(scope, act, count=2)
    assert isinstance(made[0], IncompatibleSchema) or made[0] == "NONE"


def test_an_import_that_clears_its_way_does_not_lock_writers_out(scope: Scope) -> None:
    for number in range(6):
        register(scope, f"old{number}", distinct(number))
        services.soft_delete_subject(scope, SubjectName(f"old{number}"))

    def act(number: int) -> object:
        if number == 0:
            services.change_mode(scope, SubjectName(""), "IMPORT")
            return "cleared"
        return register(scope, f"old{number - 1}", distinct(number - 1)).version.number

    made = all_at_once(scope, act, count=7)
    assert len(made) == 7
    assert len(queries.list_subjects(scope)) == sum(isinstance(one, int) for one in made)
