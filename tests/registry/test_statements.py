"""The number of SQL statements does not grow with what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.model import Contract, Format, Metadata, SchemaText, SubjectName
from registry import queries, services
from registry.records import CheckCandidate, LookUpVersion, RegisterVersion
from tests.registry.client import optional, record
from tests.registry.forgetting import forget_everything
from tests.registry.texts import grown, register, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

S = SubjectName("s")


def statements(act: Callable[[], object]) -> int:
    forget_everything()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        act()
    return len(captured)


def fill(scope: Scope, count: int, *, start: int = 0) -> None:
    for number in range(start, count):
        register(scope, "s", grown(number))


@pytest.mark.parametrize("level", ["BACKWARD", "FULL_TRANSITIVE"])
def test_a_registration_costs_the_same_after_any_history(scope: Scope, level: str) -> None:
    services.change_config(scope, S, {"compatibilityLevel": level})
    fill(scope, 3)
    after_three = statements(lambda: register(scope, "s", grown(3)))
    fill(scope, 30, start=4)
    after_thirty = statements(lambda: register(scope, "s", grown(30)))
    assert after_three == after_thirty <= 16


def test_references_anywhere_in_the_history_cost_one_more(scope: Scope) -> None:
    services.change_config(scope, S, {"compatibilityLevel": "FULL_TRANSITIVE"})
    register(scope, "part", record("x", name="Part"))

    def whole(count: int) -> dict[str, object]:
        fields = [{"name": "p", "type": "Part"}, *[optional(f"f{number}") for number in range(count)]]
        return record(*fields, name="Whole")

    for number in range(2):
        register(scope, "s", whole(number), ("Part", "part", 1))
    few = statements(lambda: register(scope, "s", whole(2), ("Part", "part", 1)))
    for number in range(3, 12):
        register(scope, "s", whole(number), ("Part", "part", 1))
    assert statements(lambda: register(scope, "s", whole(12), ("Part", "part", 1))) == few


def test_metadata_in_the_history_cost_the_same_whatever_its_length(scope: Scope) -> None:
    services.change_config(scope, S, {"compatibilityLevel": "FULL_TRANSITIVE", "compatibilityGroup": "major"})

    def registered(number: int) -> None:
        carried = Contract(Metadata(properties=(("major", str(number % 2)), ("n", str(number)))))
        services.register_version(scope, RegisterVersion(S, source(grown(number)), contract=carried))

    for number in range(4):
        registered(number)
    few = statements(lambda: registered(4))
    for number in range(5, 20):
        registered(number)
    assert statements(lambda: registered(20)) == few <= 20


def test_repeating_a_registration_writes_nothing(scope: Scope) -> None:
    register(scope, "s", grown(1))
    with CaptureQueriesContext(connection) as captured:
        register(scope, "s", grown(1))
    assert len(captured) == 1
    assert captured[0]["sql"].lstrip().startswith("WITH")


def test_what_is_spelled_otherwise_costs_one_more(scope: Scope) -> None:
    registered = register(scope, "s", record("a", note="n", aliases=["B", "C"])).version
    other = record("a", aliases=["C", "B"], note="n")
    with CaptureQueriesContext(connection) as captured:
        assert register(scope, "s", other).version == registered
    assert len(captured) == 2
    assert services.look_up_version(scope, LookUpVersion(S, source(other))) == registered


def test_what_is_found_without_its_text_is_the_stored_version(scope: Scope) -> None:
    stored = register(scope, "s", grown(2)).version
    assert register(scope, "s", grown(2)).version == stored
    assert services.look_up_version(scope, LookUpVersion(S, source(grown(2)))) == stored
    assert queries.get_version(scope, S, "latest") == stored


def test_reads_of_what_is_there_are_one_statement(scope: Scope) -> None:
    fill(scope, 5)
    reads: list[Callable[[], object]] = [
        lambda: queries.schema_by_id(scope, 1),
        lambda: queries.schema_by_id(scope, 1, subject=S),
        lambda: queries.get_version(scope, S, 3),
        lambda: queries.get_version(scope, S, "latest"),
        lambda: queries.version_numbers(scope, S),
        lambda: queries.list_subjects(scope),
        lambda: queries.subjects_of_schema(scope, 1),
        lambda: queries.level_in_force(scope, S),
    ]
    assert [statements(read) for read in reads] == [1] * len(reads)


@pytest.mark.parametrize(
    ("ask", "cost"),
    [
        (lambda scope: services.look_up_version(scope, LookUpVersion(S, source(grown(1)))), 1),
        (lambda scope: services.check_compatibility(scope, CheckCandidate(S, source(grown(40)))), 2),
    ],
    ids=["look up", "check"],
)
def test_asking_about_a_schema_costs_the_same_after_any_history(
    scope: Scope, ask: Callable[[Scope], object], cost: int
) -> None:
    services.change_config(scope, S, {"compatibilityLevel": "FULL_TRANSITIVE"})
    fill(scope, 3)
    few = statements(lambda: ask(scope))
    fill(scope, 30, start=3)
    assert statements(lambda: ask(scope)) == few == cost


def test_a_pair_is_judged_once(scope: Scope) -> None:
    services.change_config(scope, S, {"compatibilityLevel": "FULL_TRANSITIVE"})
    fill(scope, 5)
    command = CheckCandidate(S, source(grown(9)))
    services.check_compatibility(scope, command)
    with CaptureQueriesContext(connection) as captured:
        services.check_compatibility(scope, command)
    assert len(captured) == 1, "settings and history; no text is read again"


@pytest.mark.parametrize("count", [4, 12])
def test_comparing_two_versions_under_all_levels_reads_texts_twice_at_most(scope: Scope, count: int) -> None:
    fill(scope, count)
    assert statements(lambda: services.compare_versions(scope, S, 1, count)) <= 4


@pytest.mark.parametrize("count", [10, 60])
def test_a_page_of_subjects_costs_the_same_however_many_there_are(scope: Scope, count: int) -> None:
    for number in range(count):
        register(scope, f"s{number:03}", grown(0))
    assert statements(lambda: queries.search_subjects(scope, text="s0", number=1, size=5)) == 4


@pytest.mark.parametrize("count", [6, 30])
def test_a_page_of_versions_costs_the_same_and_reads_no_text(scope: Scope, count: int) -> None:
    fill(scope, count)
    with CaptureQueriesContext(connection) as captured:
        queries.versions_of(scope, S, number=2, size=3)
    assert len(captured) == 2
    assert not [query["sql"] for query in captured if '"text"' in query["sql"]]


def test_deletions_cost_the_same_after_any_history(scope: Scope) -> None:
    counts = []
    for subject, size in (("few", 2), ("many", 20)):
        for number in range(size):
            register(scope, subject, grown(number))
        name = SubjectName(subject)
        soft = statements(lambda name=name: services.soft_delete_subject(scope, name))  # type: ignore[misc]  # a default binds the loop's name
        hard = statements(lambda name=name: services.purge_subject(scope, name))  # type: ignore[misc]  # as above
        counts.append((soft, hard))
    assert counts[0] == counts[1]


def test_a_command_without_a_schema_reads_the_latest_text(scope: Scope) -> None:
    fill(scope, 2)
    assert services.register_version(scope, RegisterVersion(S, None)).version.number == 2
    blank = SchemaText(Format.AVRO, "  ")
    assert services.register_version(scope, RegisterVersion(S, blank)).is_new is False
