"""Dry runs from the editor, and the page that follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.frontend.policies import scope_at, store
from tests.frontend.schemas import ORDERS
from tests.frontend.views.test_policies import CAREFUL, LIST, POLICY, plain
from tests.frontend.views.test_subjects import statements, text_of
from tests.places import place
from tests.registry.dry_runs.asking import change, only_run, work

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Actor
    from tests.frontend.conftest import Register

RUNS = "/t/north/ns/default/dry-runs/"
STRICT = CAREFUL.replace("{level: FULL}", "{level: FULL_TRANSITIVE, preset: accord:queue-safe}")


def start(client: Client, text: str = STRICT, address: str = LIST + "-/new", **values: str) -> str:
    """Start a dry run and return the address of its page."""
    sent = {"text": text, "do": "try", "namespace": "default", "expected": "1", **values}
    answer = client.post(address, sent)
    assert answer.status_code == 302, answer.content
    return answer.headers["Location"]


def test_a_run_is_followed_until_its_result(as_alice: Client, alice: Actor, orders: str) -> None:
    where = start(as_alice)
    page = text_of(as_alice, where)
    assert "Waiting for a worker" in page
    assert 'hx-trigger="every 2s"' in page
    assert "0 of 1 subjects" in page
    assert work(scope_at(alice))
    page = text_of(as_alice, where)
    assert "every 2s" not in page
    assert "1 of 1 subjects" in page
    assert "orders-value v3 Would be refused READER_FIELD_MISSING_DEFAULT_VALUE against v2" in plain(page)


def test_a_stored_policy_is_tried_with_what_is_typed(as_alice: Client, alice: Actor, orders: str) -> None:
    store(alice, CAREFUL)
    where = start(as_alice, CAREFUL.replace("FULL", "NONE"), POLICY + "edit")
    work(scope_at(alice))
    assert "No stored version would be judged otherwise" in plain(text_of(as_alice, where))


def test_script_gets_the_part_that_moves(as_alice: Client, orders: str) -> None:
    page = text_of(as_alice, start(as_alice), **{"HX-Request": "true"})
    assert "<html" not in page
    assert 'id="dry-run"' in page


def test_the_result_goes_on_after_a_part(
    as_alice: Client, alice: Actor, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.views.dry_runs.PAGE_SIZE", 1)
    monkeypatch.setattr("frontend.pages.dry_run.SHOWN_DECISIONS", 0)
    for subject in ("orders-value", "returns-value"):
        for text in ORDERS:
            register(subject, text)
    where = start(as_alice)
    work(scope_at(alice))
    page = text_of(as_alice, where)
    assert "and 1 more" in plain(page)
    assert f'rel="next" href="{where}?after={place(alice, where, "1")}"' in page
    assert "Beginning" in text_of(as_alice, f"{where}?after={place(alice, where, '2')}")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"state": "done", "cut": "time"}, "It took as long as a dry run may"),
        ({"state": "failed", "result": {"error": "x", "message": "It broke."}}, "It broke."),
    ],
)
def test_an_early_end_is_explained(
    as_alice: Client, alice: Actor, orders: str, values: dict[str, object], says: str
) -> None:
    where = start(as_alice)
    change(scope_at(alice), **values)
    assert says in plain(text_of(as_alice, where))


def test_a_run_can_be_ended(as_alice: Client, as_bob: Client, orders: str) -> None:
    where = start(as_alice)
    assert "End it" not in text_of(as_bob, where)
    assert as_bob.post(where).status_code == 403
    assert "End it" in text_of(as_alice, where)
    assert as_alice.post(where).headers["Location"] == where
    assert "Cancelled" in plain(text_of(as_alice, where))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"text": "name: ["}, "Nothing was tried"),
        ({"namespace": "nowhere"}, "Choose a namespace"),
    ],
)
def test_what_cannot_be_tried_is_said(as_alice: Client, values: dict[str, str], says: str) -> None:
    sent = {"text": STRICT, "do": "try", "namespace": "default", **values}
    answer = as_alice.post(LIST + "-/new", sent)
    assert answer.status_code == 422
    assert says in plain(answer.content.decode())


def test_too_many_runs_are_told(as_alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registry.services.dry_runs.MOST_OPEN", 0)
    answer = as_alice.post(LIST + "-/new", {"text": STRICT, "do": "try", "namespace": "default"})
    assert answer.status_code == 503
    assert "level: FULL_TRANSITIVE" in answer.content.decode()


def test_strangers_find_no_run(
    as_alice: Client, as_mallory: Client, as_carol: Client, alice: Actor, orders: str
) -> None:
    where = start(as_alice)
    unknown = RUNS + "00000000-0000-0000-0000-000000000000"
    for client, address in ((as_mallory, where), (as_carol, where), (as_alice, unknown)):
        assert client.get(address).status_code == 404
    assert str(only_run(scope_at(alice)).public_id) in where


def test_the_number_of_statements_does_not_grow_with_the_result(
    as_alice: Client, alice: Actor, orders: str
) -> None:
    where = start(as_alice)
    few = statements(as_alice, where)
    work(scope_at(alice))
    assert statements(as_alice, where) == few <= 20
