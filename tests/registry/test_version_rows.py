"""The timeline of a subject page by page: what a row says, what it follows, what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User

from accord.model import Format, SubjectName
from registry import queries, services
from registry.errors import SubjectNotFound
from tenants.queries import scope_for_user
from tests import factories
from tests.registry.texts import grown, register

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import Page, VersionRow
    from tenants.records import TenantRecord

pytestmark = pytest.mark.django_db

S = SubjectName("s")


def fill(scope: Scope, count: int) -> None:
    for number in range(count):
        register(scope, "s", grown(number))


def steps(page: Page[VersionRow]) -> list[tuple[int, int | None]]:
    return [(row.number, row.before) for row in page.rows]


def test_a_row_says_what_the_timeline_draws(scope: Scope) -> None:
    made = register(scope, "s", "int").version
    (row,) = queries.versions_of(scope, S).rows
    assert (row.number, row.schema_id, row.format) == (1, made.schema.id, Format.AVRO)
    assert (row.created_at, row.created_by) == (made.created_at, made.created_by)
    assert (row.level, row.before) == ("BACKWARD", None)


def test_pages_go_from_the_newest_to_the_first(scope: Scope) -> None:
    fill(scope, 5)
    pages = [queries.versions_of(scope, S, number=number, size=2) for number in (1, 2, 3, 4)]
    assert [steps(page) for page in pages] == [[(5, 4), (4, 3)], [(3, 2), (2, 1)], [(1, None)], []]
    assert {page.total for page in pages} == {5}


def test_a_row_follows_what_is_live(scope: Scope) -> None:
    fill(scope, 4)
    services.soft_delete_version(scope, S, 2)
    page = queries.versions_of(scope, S, size=2)
    assert steps(page) == [(4, 3), (3, 1)]
    assert page.total == 3


@pytest.mark.parametrize(("asked", "got"), [((0, 0), (1, 1)), ((-3, 10**9), (1, 200))])
def test_a_page_is_within_bounds_whatever_is_asked_for(
    scope: Scope, asked: tuple[int, int], got: tuple[int, int]
) -> None:
    fill(scope, 1)
    page = queries.versions_of(scope, S, number=asked[0], size=asked[1])
    assert (page.number, page.size) == got
    assert steps(page) == [(1, None)]


def test_a_subject_without_live_versions_is_not_found(scope: Scope) -> None:
    with pytest.raises(SubjectNotFound):
        queries.versions_of(scope, S)
    fill(scope, 1)
    services.soft_delete_subject(scope, S)
    with pytest.raises(SubjectNotFound):
        queries.versions_of(scope, S)


def test_of_some_numbers_the_live_ones_are_told(scope: Scope) -> None:
    fill(scope, 3)
    services.soft_delete_version(scope, S, 2)
    assert queries.live_among(scope, S, {1, 2, 3, 4}) == {1, 3}
    assert queries.live_among(scope, SubjectName("other"), {1}) == frozenset()


def test_what_may_not_be_read_has_no_timeline(scope: Scope, north: TenantRecord) -> None:
    fill(scope, 1)
    factories.make_person(north, "dora", role="viewer", namespace="default", subjects="orders-*")
    stranger = scope_for_user(User.objects.get(username="dora"), "north", "default")
    assert queries.live_among(stranger, S, {1}) == frozenset()
    with pytest.raises(SubjectNotFound):
        queries.versions_of(stranger, S)
