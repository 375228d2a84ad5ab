"""The policies of a tenant: the list, one of them, its history, two versions, going back."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from registry.policy_records import PolicyText
from registry.services.policies import replace_policy
from tests.frontend.policies import bind, scope_at, store
from tests.frontend.views.test_subjects import statements, text_of
from tests.places import place

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor

LIST = "/t/north/policies/"
CAREFUL = "name: careful\ndescription: Nothing breaks.\ndefault: {level: FULL}\n"
NEXT = CAREFUL.replace("FULL", "FULL_TRANSITIVE")
POLICY = LIST + "careful/"


@pytest.fixture
def careful(alice: Actor) -> str:
    """A policy with two versions, bound to the namespace."""
    bind(alice, CAREFUL)
    replace_policy(scope_at(alice), "careful", PolicyText(NEXT, reason="All of history"), expected=1)
    return "careful"


def words_of(client: Client, address: str) -> str:
    return plain(text_of(client, address))


def plain(page: str) -> str:
    """The words of a page, with one space between any two."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_a_row_says_who_changed_it_last_and_why_and_where_it_is_bound(as_bob: Client, careful: str) -> None:
    page = words_of(as_bob, LIST)
    assert "careful Nothing breaks. v2 just now · alice All of history namespace default" in page


def test_places_beyond_three_are_counted(as_bob: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    for name in ("a", "b", "c", "d", "e"):
        bind(alice, CAREFUL, name)
    assert "subject c in default and 2 more" in words_of(as_bob, LIST)


def test_only_who_may_write_is_offered_a_new_policy(as_bob: Client, as_alice: Client, careful: str) -> None:
    assert "New policy" not in text_of(as_bob, LIST)
    assert 'href="/t/north/policies/-/new"' in text_of(as_alice, LIST)


def test_an_empty_list_says_what_holds_and_how_to_begin(as_bob: Client, as_alice: Client) -> None:
    assert "a steward, to write one" in text_of(as_bob, LIST)
    assert 'href="/t/north/policies/-/new?template=queue-safe"' in text_of(as_alice, LIST)


def test_the_list_goes_on_after_a_part(as_bob: Client, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.views.policies.PAGE_SIZE", 1)
    for name in ("aa", "bb"):
        store(alice, f"name: {name}\n")
    after, end = (f"{LIST}?after={place(alice, LIST, name)}" for name in ("aa", "zz"))
    assert f'rel="next" href="{after}"' in text_of(as_bob, LIST)
    assert "Beginning" in text_of(as_bob, after)
    assert "The list ends here" in text_of(as_bob, end)


def test_a_policy_shows_its_text_meaning_change_and_places(as_bob: Client, careful: str) -> None:
    page = words_of(as_bob, POLICY)
    assert "level : FULL_TRANSITIVE" in page
    assert "Upgrade readers and writers in any order." in page
    assert "All of history" in page
    assert "namespace default" in page
    assert "Take off" not in page


def test_who_may_write_changes_binds_and_takes_off(as_alice: Client, careful: str) -> None:
    page = text_of(as_alice, POLICY)
    assert f'href="{POLICY}edit"' in page
    assert 'href="/t/north/policies/-/bind?policy=careful"' in page
    assert 'href="/t/north/policies/-/unbind?reach=namespace&amp;namespace=default"' in page


def test_an_older_version_says_so_and_can_come_back(as_alice: Client, as_bob: Client, careful: str) -> None:
    page = words_of(as_alice, POLICY + "?v=1")
    assert "This is version 1. Version 2 counts where the policy is bound." in page
    assert "Bring this version back" in page
    assert "Bring this version back" not in text_of(as_bob, POLICY + "?v=1")


@pytest.mark.parametrize("version", ["0", "3", "x", "9" * 30])
@pytest.mark.parametrize("address", ["?v={}", "diff?to={}", "revert?to={}"])
def test_a_version_that_is_not_there_is_not_found(
    as_alice: Client, careful: str, address: str, version: str
) -> None:
    assert as_alice.get(POLICY + address.format(version)).status_code == 404


def test_the_history_is_newest_first_with_who_when_why(as_bob: Client, careful: str) -> None:
    page = words_of(as_bob, POLICY + "history")
    assert re.search(r"v2 Newest .* alice All of history .* v1 .* alice no reason given", page)
    assert "Bring back" not in page


def test_the_history_goes_on_after_a_part(
    as_alice: Client, alice: Actor, careful: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.views.policies.PAGE_SIZE", 1)
    history = POLICY + "history"
    after, end = (f"{history}?after={place(alice, history, number)}" for number in "21")
    assert f'rel="next" href="{after}"' in text_of(as_alice, history)
    assert f'href="{POLICY}revert?to=1"' in text_of(as_alice, after)
    assert "The history ends here" in text_of(as_alice, end)


@pytest.mark.parametrize("view", ["split", "unified"])
def test_two_versions_are_compared_as_text(as_bob: Client, careful: str, view: str) -> None:
    page = text_of(as_bob, f"{POLICY}diff?view={view}")
    assert "_TRANSITIVE" in "".join(re.findall(r"<mark>(.*?)</mark>", page))
    assert "The two texts are the same." in text_of(as_bob, f"{POLICY}diff?from=1&to=1")


def test_versions_in_two_syntaxes_are_compared_in_one(as_bob: Client, alice: Actor, careful: str) -> None:
    text = '{"name": "careful", "description": "Nothing breaks."}'
    replace_policy(scope_at(alice), "careful", PolicyText(text, is_json=True), expected=2)
    page = words_of(as_bob, POLICY + "diff?view=unified")
    assert "description : Nothing breaks." in page
    assert "{&quot;name" not in text_of(as_bob, POLICY + "diff?view=unified")


def test_going_back_stores_the_old_content_as_the_next_version(as_alice: Client, careful: str) -> None:
    page = text_of(as_alice, POLICY + "revert?to=1")
    assert "Bring back version 1 in place of version 2" in page
    sent = {"to": "1", "expected": "2", "reason": "Too strict"}
    answer = as_alice.post(POLICY + "revert", sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, POLICY)
    page = words_of(as_alice, POLICY + "history")
    assert "Too strict content of v1" in page


def test_going_back_is_refused_when_somebody_was_faster(as_alice: Client, careful: str) -> None:
    answer = as_alice.post(POLICY + "revert", {"to": "1", "expected": "1", "reason": "Mine"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "its version is 2 now" in page
    assert 'name="expected" value="2"' in page
    assert 'value="Mine"' in page


def test_going_back_needs_the_right(as_bob: Client, careful: str) -> None:
    for answer in (as_bob.get(POLICY + "revert?to=1"), as_bob.post(POLICY + "revert", {"to": "1"})):
        assert answer.status_code == 403
        assert "<code>policy.write</code>" in answer.content.decode()


@pytest.mark.parametrize("page", ["", "history", "diff?from=1&to=2", "edit", "revert?to=1"])
def test_the_number_of_statements_does_not_grow_with_the_versions(
    as_alice: Client, alice: Actor, careful: str, page: str
) -> None:
    few = statements(as_alice, POLICY + page)
    for number in range(2, 6):
        text = PolicyText(f"{CAREFUL}# {number}\n")
        replace_policy(scope_at(alice), "careful", text, expected=number)
        bind(alice, f"name: p{number}\n", f"s{number}", is_prefix=True)
    assert statements(as_alice, POLICY + page) == few <= 20


def test_the_number_of_statements_does_not_grow_with_the_policies(as_alice: Client, alice: Actor) -> None:
    bind(alice, CAREFUL)
    few = statements(as_alice, LIST)
    for number in range(5):
        bind(alice, f"name: p{number}\n", f"s{number}")
    assert statements(as_alice, LIST) == few <= 20
