"""The versions page by page: steps, picks that are kept, changes across a page border."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.frontend.schemas import field, record
from tests.frontend.views.test_subjects import statements, text_of

if TYPE_CHECKING:
    from django.test import Client

    from tests.frontend.conftest import Register

SUBJECT = "/t/north/ns/default/s/orders-value/-/"
VERSIONS = SUBJECT + "versions"
COUNT = 120


def grow(register: Register, count: int, *, start: int = 0) -> None:
    for number in range(start, count):
        register("orders-value", record(field("id", "long", doc=f"Edition {number}")))


@pytest.fixture
def many(register: Register) -> None:
    """A subject with more versions than two pages hold."""
    grow(register, COUNT)


@pytest.fixture
def paged_by_two(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five versions, two to a page."""
    monkeypatch.setattr("frontend.views.subjects.PAGE_SIZE", 2)
    grow(register, 5)


def listed(page: str) -> list[int]:
    return [int(one) for one in re.findall(r">Version (\d+)</a>", page)]


def picked(page: str) -> list[tuple[str, int]]:
    found = re.findall(r'name="(from|to)" value="(\d+)" checked', page)
    return sorted((side, int(number)) for side, number in found)


def offered(page: str, name: str) -> list[int]:
    select = page.partition(f'name="{name}">')[2].partition("</select>")[0]
    return [int(one) for one in re.findall(r'value="(\d+)"', select)]


@pytest.mark.usefixtures("many")
def test_fifty_versions_are_on_a_page_newest_first(as_bob: Client) -> None:
    pages = [listed(text_of(as_bob, f"{VERSIONS}?from=100&to=60&page={page}")) for page in (1, 2, 3)]
    kept = [[60], [100], [100, 60]]
    assert pages[0] == kept[0] + list(range(120, 70, -1))
    assert pages[1] == kept[1] + list(range(70, 20, -1))
    assert pages[2] == kept[2] + list(range(20, 0, -1))


@pytest.mark.usefixtures("many")
def test_a_change_is_offered_across_the_border_of_a_page(as_bob: Client) -> None:
    page = text_of(as_bob, VERSIONS)
    assert f'href="{SUBJECT}diff?from=70&amp;to=71"' in page
    assert text_of(as_bob, f"{VERSIONS}?page=3").count("What changed") == 19


@pytest.mark.usefixtures("paged_by_two")
def test_a_step_submits_the_picks_to_the_page_it_leads_to(as_bob: Client) -> None:
    page = text_of(as_bob, VERSIONS + "?page=2")
    form = page.partition(f'action="{SUBJECT}diff">')[2].partition("</form>")[0]
    assert re.search(r'name="page" value="1" formaction="\?from=2&amp;to=3">', form)
    assert re.search(r'name="page" value="3" formaction="\?from=2&amp;to=3&amp;page=3">', form)
    assert "3 to 4 of 5" in form


@pytest.mark.usefixtures("paged_by_two")
@pytest.mark.parametrize(
    ("query", "sides"),
    [
        ("", (4, 5)),
        ("?page=2", (2, 3)),
        ("?page=3", (1, 5)),
        ("?from=5&to=1&page=2", (5, 1)),
        ("?from=2&to=2&page=3", (2, 2)),
        ("?from=3", (3, 5)),
        ("?from=99&to=x&page=2", (2, 3)),
    ],
)
def test_the_picks_stay_wherever_one_goes(as_bob: Client, query: str, sides: tuple[int, int]) -> None:
    assert picked(text_of(as_bob, VERSIONS + query)) == [("from", sides[0]), ("to", sides[1])]


@pytest.mark.usefixtures("paged_by_two")
def test_only_the_latest_is_marked_as_such(as_bob: Client) -> None:
    badge = '<span class="badge badge--pass">Latest</span>'
    assert badge in text_of(as_bob, VERSIONS)
    assert badge not in text_of(as_bob, VERSIONS + "?page=2")


@pytest.mark.usefixtures("paged_by_two")
def test_beyond_the_last_page_the_way_back_keeps_the_picks(as_bob: Client) -> None:
    page = text_of(as_bob, VERSIONS + "?from=1&to=4&page=9")
    assert "There is no such page" in page
    assert 'href="?from=1&amp;to=4"' in page


def test_versions_that_fit_on_one_page_need_no_steps(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, VERSIONS)
    assert "1 to 3 of 3" in page
    assert 'name="page"' not in page
    assert "Picked on other pages" not in page


def test_the_number_of_statements_does_not_grow_with_the_pages(as_bob: Client, register: Register) -> None:
    grow(register, 60)
    few = statements(as_bob, VERSIONS + "?from=60&to=59&page=2")
    grow(register, COUNT, start=60)
    assert statements(as_bob, VERSIONS + "?from=120&to=119&page=2") == few <= 20


def test_a_drop_down_offers_the_newest_and_what_is_chosen(
    as_bob: Client, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.pages.choices.OFFERED", 3)
    grow(register, 9)
    page = text_of(as_bob, SUBJECT + "?v=2")
    assert offered(page, "v") == [9, 8, 7, 2]
    assert f'href="{VERSIONS}">All 9 versions</a>' in page
    page = text_of(as_bob, SUBJECT + "diff?from=8&to=4")
    assert offered(page, "from") == offered(page, "to") == [9, 8, 7, 4]
    assert f'href="{VERSIONS}?from=8&amp;to=4">All 9 versions</a>' in page


def test_a_drop_down_that_offers_all_leads_nowhere_else(as_bob: Client, orders: str) -> None:
    page = text_of(as_bob, SUBJECT + "diff")
    assert offered(page, "from") == [3, 2, 1]
    assert "All 3 versions" not in page
