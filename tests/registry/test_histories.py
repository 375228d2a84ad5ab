"""What a process remembers of the versions of a subject is what the database would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import SubjectName
from registry import services
from registry.queries.standing import HISTORIES, NO_HISTORY, History, standing_of
from registry.records import CheckCandidate, RegisterVersion
from registry.services.memory import VERDICTS
from tests.registry.client import record
from tests.registry.texts import grown, register, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

S = SubjectName("s")


def history(scope: Scope) -> History:
    """Return the history as a process tells it that knows it, which must be what one tells that does not."""
    known = standing_of(scope, S).history
    HISTORIES.clear()
    assert known == standing_of(scope, S).history
    return known


def imported(scope: Scope, *numbers: int) -> None:
    services.change_mode(scope, S, "IMPORT", force=True)
    for number in numbers:
        command = RegisterVersion(S, source(grown(number)), number=number, schema_id=number)
        services.register_version(scope, command)
    services.change_mode(scope, S, "READWRITE")


CHANGES: dict[str, Callable[[Scope], object]] = {
    "nothing": lambda _: None,
    "a registration": lambda scope: register(scope, "s", grown(5)),
    "a soft delete": lambda scope: services.soft_delete_version(scope, S, 1),
    "a permanent delete": lambda scope: (
        services.soft_delete_version(scope, S, 1),
        services.purge_version(scope, S, 1),
    ),
    "another subject": lambda scope: register(scope, "other", grown(5)),
    "an import out of order": lambda scope: imported(scope, 9, 7),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_happens_memory_and_database_agree(scope: Scope, change: str) -> None:
    for number in range(3):
        register(scope, "s", grown(number))
    history(scope)
    CHANGES[change](scope)
    history(scope)


def test_only_what_is_new_is_read(scope: Scope) -> None:
    register(scope, "s", grown(0))
    first = standing_of(scope, S).history
    assert standing_of(scope, S).history is first
    register(scope, "s", grown(1))
    second = standing_of(scope, S).history
    assert second.rows[0] is first.rows[0]
    assert [row.number for row in second.rows] == [1, 2]


def test_a_subject_without_versions_has_no_stamp(scope: Scope) -> None:
    assert history(scope) == NO_HISTORY


def test_a_verdict_ends_with_the_history_it_is_about(scope: Scope, api: Registry) -> None:
    services.change_config(scope, S, {"compatibilityLevel": "FULL_TRANSITIVE"})
    register(scope, "s", grown(0))
    question = CheckCandidate(S, source(record({"name": "a", "type": "string"})))
    refused = services.check_compatibility(scope, question)
    assert services.check_compatibility(scope, question).verdict == refused.verdict
    assert VERDICTS.hits
    services.soft_delete_version(scope, S, 1)
    assert services.check_compatibility(scope, question).verdict.is_allowed
