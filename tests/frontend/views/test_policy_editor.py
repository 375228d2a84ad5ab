"""Writing policies: templates, problems at their lines, what changes, clashes with others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from registry.policy_records import PolicyText
from registry.queries.policies import get_policy
from registry.services import policies as services
from registry.services.policies import replace_policy
from tests.frontend.policies import bind, scope_at, store
from tests.frontend.views.test_policies import CAREFUL, LIST, NEXT, POLICY, plain
from tests.frontend.views.test_subjects import text_of

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from tests.cast import Actor

NEW = LIST + "-/new"
EDIT = POLICY + "edit"
BROKEN = "name: careful\ndefault:\n  level: SIDEWARD\n"


def send(client: Client, address: str, text: str, **values: str) -> HttpResponse:
    sent = {"text": text, "do": "save", "expected": "1", **values}
    return client.post(address, sent)  # type: ignore[return-value]  # the client's own class


def words(answer: HttpResponse, status: int = 200) -> str:
    assert answer.status_code == status
    return plain(answer.content.decode())


def test_a_new_policy_starts_from_the_recommended_template_or_another(as_alice: Client) -> None:
    assert "name: queue-safe\n" in text_of(as_alice, NEW)
    assert "name: drop-in\n" in text_of(as_alice, NEW + "?template=drop-in")
    assert "name: queue-safe\n" in text_of(as_alice, NEW + "?template=nothing")


def test_a_new_policy_is_stored_with_its_reason(as_alice: Client, alice: Actor) -> None:
    answer = send(as_alice, NEW, CAREFUL.replace("\n", "\r\n"), reason=" Orders matter ")
    assert (answer.status_code, answer.headers["Location"]) == (302, POLICY)
    record = get_policy(scope_at(alice), "careful")
    assert (record.source, record.reason) == (CAREFUL, "Orders matter")


def test_a_new_policy_may_be_written_in_json(as_alice: Client, alice: Actor) -> None:
    assert send(as_alice, NEW, '{"name": "careful"}', syntax="json").status_code == 302
    assert get_policy(scope_at(alice), "careful").syntax == "json"


def test_a_name_that_is_taken_is_refused_and_the_text_stays(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    page = words(send(as_alice, NEW, NEXT), 409)
    assert "The policy 'careful' exists already" in page
    assert "FULL_TRANSITIVE" in page


def test_problems_stand_at_their_lines(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    for address in (NEW, EDIT):
        answer = send(as_alice, address, BROKEN)
        page = words(answer, 422)
        assert "Nothing was saved" in page
        assert "1 problem Cannot be saved line 3, column 10" in page
        assert '<li ></li><li ></li><li class="is-wrong"></li>' in answer.content.decode()


def test_checking_stores_nothing_and_works_without_script(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    page = words(send(as_alice, EDIT, NEXT, do="check"))
    assert "What changes Valid default.level FULL → FULL_TRANSITIVE" in page
    assert get_policy(scope_at(alice), "careful").number == 1
    assert "The text is a policy Valid" in words(send(as_alice, NEW, NEXT, do="check"))


@pytest.mark.parametrize("address", [NEW, EDIT])
def test_script_gets_the_review_alone(as_alice: Client, alice: Actor, address: str) -> None:
    store(alice, CAREFUL)
    answer = as_alice.post(address, {"text": BROKEN, "do": "check"}, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in page
    assert 'id="review"' in page
    assert 'hx-swap-oob="innerHTML">1 problem</div>' in page


def test_the_review_tells_what_is_refused_from_now_on_and_where(as_alice: Client, alice: Actor) -> None:
    bind(alice, "name: careful\ndefault: {level: BACKWARD}\n")
    text = "name: careful\ndefault: {level: FORWARD, also_warns: accord:queue-safe}\n"
    page = words(send(as_alice, EDIT, text, do="check"))
    assert "default.also_warns not set → accord:queue-safe:1" in page
    assert "It now refuses to: remove a field that had no default" in page
    assert "It no longer refuses to: add a field without a default" in page
    assert "Once saved it counts at once for: namespace default" in page


def test_a_text_that_only_looks_different_changes_nothing(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    page = words(send(as_alice, EDIT, CAREFUL + "# note\n", do="check"))
    assert "No value changes." in page
    assert "It is bound nowhere that you can see." in page


def test_a_change_is_stored_as_the_next_version(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    assert send(as_alice, EDIT, NEXT).headers["Location"] == POLICY
    assert get_policy(scope_at(alice), "careful").number == 2


def test_the_name_in_the_text_is_that_of_the_address(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    page = words(send(as_alice, EDIT, CAREFUL.replace("careful", "other"), do="check"))
    assert "the policy at this address is named 'careful'" in page


def test_who_comes_second_sees_both_texts_and_may_save_once_more(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    replace_policy(scope_at(alice), "careful", PolicyText(NEXT, reason="First"), expected=1)
    mine = CAREFUL.replace("FULL", "FORWARD")
    answer = send(as_alice, EDIT, mine, reason="Second")
    page = words(answer, 409)
    assert "Somebody saved version 2 while you were changing version 1" in page
    assert "· alice · First" in page
    assert "Save over version 2" in page
    assert 'name="expected" value="2"' in answer.content.decode()
    assert send(as_alice, EDIT, mine, expected="2").status_code == 302


def test_a_clash_over_the_same_text_says_so(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    replace_policy(scope_at(alice), "careful", PolicyText(NEXT), expected=1)
    assert "The two texts are the same." in words(send(as_alice, EDIT, NEXT), 409)


@pytest.mark.parametrize("address", [NEW, EDIT])
def test_limits_are_told(
    as_alice: Client, alice: Actor, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(alice, CAREFUL)
    monkeypatch.setattr(services, "MOST_VERSIONS", 1)
    monkeypatch.setattr(services, "MOST_POLICIES", 1)
    text = NEXT.replace("careful", "other") if address == NEW else NEXT
    assert "and there cannot be more." in words(send(as_alice, address, text), 409)


def test_a_version_that_never_was_counts_as_changed_since(as_alice: Client, alice: Actor) -> None:
    store(alice, CAREFUL)
    assert "while you were changing" in words(send(as_alice, EDIT, NEXT, expected="nonsense"), 409)


@pytest.mark.parametrize("address", [NEW, EDIT])
def test_writing_needs_the_right(as_bob: Client, alice: Actor, address: str) -> None:
    store(alice, CAREFUL)
    for answer in (as_bob.get(address), send(as_bob, address, NEXT)):
        assert "<code>policy.write</code>" in answer.content.decode()
        assert answer.status_code == 403
    assert get_policy(scope_at(alice), "careful").number == 1


def test_a_text_of_nothing_but_hostile_markup_is_shown_literally(as_alice: Client) -> None:
    text = "name: '</textarea><script>alert(1)</script>\0'"
    page = send(as_alice, NEW, text, reason='"><script>alert(2)</script>').content.decode()
    assert "<script>alert" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;alert(1)" in page
