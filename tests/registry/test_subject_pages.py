"""What the pages ask: rows of subjects, comparisons, levels with their origin, demo data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps

from accord.model import Format, SubjectName
from accord.model.levels import CONFLUENT_LEVELS
from registry import queries, services
from registry.apps import RegistryConfig
from registry.errors import SubjectNotFound, VersionNotFound
from registry.policy_errors import LevelInvalid
from registry.records import CheckCandidate
from registry.services.demo import STORIES, seed_demo
from tests.registry.client import optional, record
from tests.registry.texts import register, source

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

S = SubjectName("s")


def test_a_row_says_what_the_list_draws(scope: Scope) -> None:
    register(scope, "s", record("a"))
    made = register(scope, "s", record("a", optional("b"))).version
    (row,) = queries.search_subjects(scope).rows
    assert (row.subject, row.format, row.latest, row.versions) == (S, Format.AVRO, 2, 2)
    assert (row.latest_schema_id, row.updated_at) == (made.schema.id, made.created_at)


def test_pages_follow_each_other(scope: Scope) -> None:
    for name in "edcba":
        register(scope, name, "int")
    pages = [queries.search_subjects(scope, number=number, size=2) for number in (1, 2, 3, 4)]
    assert [[row.subject.name for row in page.rows] for page in pages] == [["a", "b"], ["c", "d"], ["e"], []]
    assert {page.total for page in pages} == {5}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ORDER", ["orders-value"]),
        ("%", ["100%"]),
        ("_", []),
        ("\0", ["100%", "orders-value"]),
        ("nobody", []),
    ],
)
def test_a_search_takes_its_text_as_it_is(scope: Scope, text: str, names: list[str]) -> None:
    for name in ("orders-value", "100%"):
        register(scope, name, "int")
    assert [row.subject.name for row in queries.search_subjects(scope, text=text).rows] == names


def test_deleted_subjects_are_not_listed(scope: Scope) -> None:
    register(scope, "s", "int")
    services.soft_delete_subject(scope, S)
    assert queries.search_subjects(scope).total == 0


def test_two_versions_are_compared_under_every_level(scope: Scope) -> None:
    register(scope, "s", record("a"))
    register(scope, "s", record("a", optional("b")))
    services.change_config(scope, S, {"compatibilityLevel": "NONE"})
    register(scope, "s", record({"name": "a", "type": "string"}))
    verdicts = services.compare_versions(scope, S, 1, 3).levels
    assert list(verdicts) == list(CONFLUENT_LEVELS)
    assert [name for name, verdict in verdicts.items() if verdict.is_allowed] == ["NONE"]
    assert verdicts["FULL"].comparisons[0].version == 1
    assert all(verdict.is_allowed for verdict in services.compare_versions(scope, S, 1, 2).levels.values())


def test_transitive_levels_look_at_the_versions_before(scope: Scope) -> None:
    register(scope, "s", record("a", optional("b")))
    register(scope, "s", record("a"))
    register(scope, "s", record("a", {"name": "b", "type": "string", "default": ""}))
    verdicts = services.compare_versions(scope, S, 2, 3).levels
    assert verdicts["BACKWARD"].is_allowed
    assert not verdicts["BACKWARD_TRANSITIVE"].is_allowed
    assert verdicts["BACKWARD_TRANSITIVE"].comparisons[-1].version == 1


def test_what_is_not_there_cannot_be_compared(scope: Scope) -> None:
    with pytest.raises(SubjectNotFound):
        services.compare_versions(scope, S, 1, 2)
    register(scope, "s", "int")
    with pytest.raises(VersionNotFound):
        services.compare_versions(scope, S, 1, 2)


@pytest.mark.parametrize(
    ("place", "origin"),
    [("s", "subject"), ("", "namespace"), (":.__GLOBAL:", "namespace")],
)
def test_the_level_in_force_knows_where_it_comes_from(scope: Scope, place: str, origin: str) -> None:
    from accord.naming import split_subject

    services.change_config(scope, split_subject(place), {"compatibilityLevel": "FULL"})
    level = queries.level_in_force(scope, S)
    assert (level.name, level.origin) == ("FULL", origin)


def test_a_level_nobody_set_is_the_server_s(scope: Scope) -> None:
    level = queries.level_in_force(scope, S)
    assert (level.name, level.origin) == ("BACKWARD", "server")
    services.change_config(scope, S, {"normalize": True})
    assert queries.level_in_force(scope, S).origin == "server"


def test_a_context_has_its_own_origin(scope: Scope) -> None:
    services.change_config(scope, SubjectName("", ".c"), {"compatibilityLevel": "FULL"})
    assert queries.level_in_force(scope, SubjectName("s", ".c")).origin == "context"


def test_a_check_can_ask_for_any_level(scope: Scope) -> None:
    register(scope, "s", record("a"))
    command = CheckCandidate(S, source(record("a", "b")), level="FORWARD")
    assert services.check_compatibility(scope, command).verdict.is_allowed
    assert not services.check_candidate(scope, S, source(record("a", "b"))).is_allowed
    with pytest.raises(LevelInvalid, match="FROZEN, a bounded name"):
        services.check_compatibility(scope, CheckCandidate(S, source("int"), level="ODD"))


def test_the_demo_fills_a_fresh_namespace_once(scope: Scope) -> None:
    assert seed_demo(scope) == sum(len(story.versions) for story in STORIES)
    assert queries.list_subjects(scope) == sorted(story.subject for story in STORIES)
    assert seed_demo(scope) == 0


def test_the_demo_has_something_to_show(scope: Scope) -> None:
    config = apps.get_app_config("registry")
    assert isinstance(config, RegistryConfig)
    config.seed_demo(scope)
    assert queries.versions_of(scope, SubjectName("orders-value")).total == 4
    assert queries.get_version(scope, SubjectName("customers-value"), 1).schema.references
    assert queries.level_in_force(scope, SubjectName("common-address")).name == "FULL_TRANSITIVE"
    broken = services.compare_versions(scope, SubjectName("inventory-value"), 1, 2).levels
    assert not broken["BACKWARD"].is_allowed
    assert queries.level_in_force(scope, SubjectName("inventory-value")).name == "BACKWARD"


def test_the_demo_leaves_a_used_namespace_alone(scope: Scope) -> None:
    register(scope, "mine", "int")
    services.soft_delete_subject(scope, SubjectName("mine"))
    assert seed_demo(scope) == 0
    assert queries.list_subjects(scope) == []
