"""Batches at once with each other and with everybody else: nothing doubled, nothing lost, nobody stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.errors import AccordError
from accord.model import SubjectName
from registry import queries, services
from registry.api.native.import_documents import deleted_versions, imported_versions
from registry.errors import ReadOnly
from registry.import_records import BatchOutcome, StartImport
from registry.models import Schema, SchemaReference, Subject, Version
from registry.queries.imports import import_record
from registry.services.imports import import_deletions, import_versions, start_import
from tests.registry.imports.bringing import Line, line, uses
from tests.registry.threads import all_at_once, overtaken

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from registry.records import RegisterVersion

pytestmark = pytest.mark.django_db(transaction=True)
BASE = {"type": "record", "name": "Base", "fields": []}
USER = {"type": "record", "name": "User", "fields": [{"name": "base", "type": "Base"}]}
USERS = 15
LINES: list[Line] = [
    line("base", 1, BASE, id=1),
    *(
        line(f"u{one}", 1, {**USER, "doc": str(one)}, id=one + 2, **uses("Base", "base"))
        for one in range(USERS)
    ),
    line(".other/u", 1, USER, id=1, **uses("Base", ":.:base")),
]


@pytest.fixture
def run(scope: Scope) -> UUID:
    """An import that has begun, with every context open for it."""
    services.change_mode(scope, SubjectName("", ".__GLOBAL"), "IMPORT", force=True)
    return start_import(scope, StartImport("elsewhere")).id


def bring(scope: Scope, run: UUID, lines: Sequence[Line]) -> BatchOutcome:
    taken, _ = imported_versions(list(lines))
    return import_versions(scope, run, taken)


def delete(scope: Scope, run: UUID, lines: Sequence[Line]) -> BatchOutcome:
    named, _ = deleted_versions(list(lines))
    return import_deletions(scope, run, named)


def outcomes(made: Sequence[BatchOutcome | AccordError]) -> list[BatchOutcome]:
    assert not [one for one in made if isinstance(one, AccordError)], made
    return [one for one in made if isinstance(one, BatchOutcome)]


def require_whole(scope: Scope, lines: Sequence[Line]) -> None:
    """Hold what is stored against the lines: each once, with its references."""
    assert Version.objects.scoped(scope).count() == len(lines)
    assert Schema.objects.scoped(scope).count() == len({(one["context"], one["id"]) for one in lines})
    assert SchemaReference.objects.scoped(scope).count() == sum("references" in one for one in lines)


def test_one_batch_from_many_senders_is_stored_once(scope: Scope, run: UUID) -> None:
    """Whatever the order of its lines, as long as what is referred to comes first."""
    orders = [[LINES[0], *LINES[1:]], [LINES[0], *reversed(LINES[1:])]]
    made = outcomes(all_at_once(scope, lambda number: bring(scope, run, orders[number % 2]), count=6))
    assert sum(one.registered for one in made) == len(LINES)
    assert {one.registered + one.present for one in made} == {len(LINES)}
    assert not [refusal for one in made for refusal in one.refused]
    require_whole(scope, LINES)
    told = import_record(scope, run)
    assert (told.registered, told.present, told.refused) == (len(LINES), 5 * len(LINES), 0)


def test_batches_that_overlap_share_what_both_bring(scope: Scope, run: UUID) -> None:
    made = outcomes(
        all_at_once(scope, lambda number: bring(scope, run, [LINES[0], *LINES[1 + number :: 4]]), count=4)
    )
    assert not [refusal for one in made for refusal in one.refused]
    require_whole(scope, LINES)


def test_what_somebody_else_stores_meanwhile_is_referred_to(scope: Scope, run: UUID) -> None:
    told = overtaken(scope, lambda: bring(scope, run, LINES[:1]), lambda: bring(scope, run, LINES[:2]))
    assert (told.registered, told.present, told.refused) == (1, 1, ())


def test_of_two_schemas_for_one_id_one_is_stored(scope: Scope, run: UUID) -> None:
    made = outcomes(
        all_at_once(
            scope,
            lambda number: bring(
                scope, run, [line(f"s{number}", 1, f'"{"int" if number % 2 else "long"}"', id=7)]
            ),
            count=6,
        )
    )
    assert sum(one.registered for one in made) == 3
    assert {refusal.code for one in made for refusal in one.refused} == {"schema_id_taken"}
    assert Schema.objects.scoped(scope).count() == 1
    assert Subject.objects.scoped(scope).count() == 3


def test_a_batch_and_single_imports_of_the_same_agree(scope: Scope, run: UUID) -> None:
    def act(number: int) -> object:
        if number:
            wanted = LINES[number]
            taken, _ = imported_versions([LINES[0], wanted])
            for one in taken:
                services.register_version(scope, one.command)
            return None
        return bring(scope, run, LINES)

    made = all_at_once(scope, act, count=8)
    assert not [one for one in made if isinstance(one, AccordError)], made
    require_whole(scope, LINES)


def test_a_batch_and_the_deletion_of_what_it_refers_to_exclude_each_other(scope: Scope, run: UUID) -> None:
    for attempt in range(5):
        base = line(f"base{attempt}", 1, {**BASE, "doc": str(attempt)}, id=100 + attempt)
        user = line(
            f"user{attempt}",
            1,
            {**USER, "doc": str(attempt)},
            id=200 + attempt,
            **uses("Base", f"base{attempt}"),
        )
        bring(scope, run, [base])

        def act(number: int, base: Line = base, user: Line = user) -> BatchOutcome:
            return delete(scope, run, [base]) if number else bring(scope, run, [user])

        first, second = outcomes(all_at_once(scope, act, count=2))
        refused = [one.code for one in (*first.refused, *second.refused)]
        assert refused in (["reference_not_found"], ["reference_exists"])


def test_deletions_and_batches_from_all_sides_leave_nobody_stuck(scope: Scope, run: UUID) -> None:
    bring(scope, run, LINES)
    orders = [LINES[1:], list(reversed(LINES[1:]))]

    def act(number: int) -> BatchOutcome:
        lines = orders[number % 2]
        return bring(scope, run, lines) if number % 3 else delete(scope, run, lines)

    outcomes(all_at_once(scope, act, count=9))
    delete(scope, run, LINES[1:])
    assert not Version.objects.scoped(scope).filter(deleted_at=None).exclude(subject__name="base").exists()


def test_a_mode_that_changes_meanwhile_is_obeyed(scope: Scope, run: UUID) -> None:
    def shut() -> None:
        services.register_version(scope, command(LINES[0]))
        services.change_mode(scope, SubjectName("u0"), "READONLY")

    told = overtaken(scope, shut, lambda: bring(scope, run, LINES))
    assert [one.code for one in told.refused] == [ReadOnly.code]
    assert told.registered == len(LINES) - 2


def test_a_context_that_is_dropped_meanwhile_comes_back_with_a_batch(scope: Scope, run: UUID) -> None:
    bring(scope, run, LINES[:1])

    def act(number: int) -> object:
        if not number:
            return bring(scope, run, LINES[-1:])
        services.drop_context(scope, ".other")
        return None

    made = all_at_once(scope, act, count=2)
    assert isinstance(made[0], BatchOutcome)
    assert (made[0].registered, queries.list_contexts(scope)) == (1, [".", ".other"])


def command(one: Line) -> RegisterVersion:
    (taken,), _ = imported_versions([one])
    return taken.command
