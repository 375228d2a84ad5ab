"""The two refusals as a client sees them: 401 with a challenge, and one 404 for all that is not hers."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tenants import services
from tenants.principals import operator_scope
from tenants.tokens import TokenKind, generate
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse

    from tests.cast import Actor, TokenFor

SUBJECTS = "/sr/{}/{}/subjects"
FOREIGN = [
    ("south", "default"),
    ("south", "payments"),
    ("nowhere", "default"),
    ("north", "nowhere"),
    ("NORTH", "x"),
]


def ask(place: tuple[str, str], authorization: str | None, **more: str) -> _MonkeyPatchedWSGIResponse:
    headers = {"Authorization": authorization, **more} if authorization is not None else more
    return Client().get(SUBJECTS.format(*place), headers=headers)


def without_id(answer: _MonkeyPatchedWSGIResponse) -> tuple[int, bytes, dict[str, str]]:
    headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
    return answer.status_code, answer.content, headers


def test_alice_comes_in(alice: Actor, token_for: TokenFor) -> None:
    pair = base64.b64encode(f"api-key:{token_for(alice)}".encode()).decode()

    assert ask(("north", "default"), bearer(token_for(alice))).status_code == 200
    assert ask(("north", "default"), f"Basic {pair}").status_code == 200


def test_every_place_that_is_not_hers_answers_with_the_same_bytes(
    alice: Actor, mallory: Actor, token_for: TokenFor
) -> None:
    answers = [without_id(ask(place, bearer(token_for(alice)))) for place in FOREIGN]

    assert answers[0][0] == 404
    assert answers == [answers[0]] * len(FOREIGN)


def test_a_namespace_of_the_tenant_she_holds_nothing_in_answers_so_too(
    carol: Actor, token_for: TokenFor
) -> None:
    hers = bearer(token_for(carol))

    assert ask(("north", "payments"), hers).status_code == 200
    assert without_id(ask(("north", "default"), hers)) == without_id(ask(("north", "nowhere"), hers))


@pytest.mark.parametrize("place", [("north", "default"), ("nowhere", "default")])
def test_every_token_that_does_not_count_answers_with_the_same_bytes(
    alice: Actor, place: tuple[str, str]
) -> None:
    revoked = issued_for(alice)
    services.revoke_token(operator_scope(alice.tenant.ref), key_id=revoked.record.key_id)
    values = [None, "", "Bearer x", bearer(revoked.value), bearer(generate(TokenKind.PERSON).value)]
    answers = [without_id(ask(place, value)) for value in values]

    assert answers[0][0] == 401
    assert 'Basic realm="Accord"' in answers[0][2]["WWW-Authenticate"]
    assert answers == [answers[0]] * len(values)


def test_a_request_id_is_all_that_differs(alice: Actor, token_for: TokenFor) -> None:
    one, two = (
        ask(place, bearer(token_for(alice)), **{"X-Request-ID": f"r-{place[0]}"}) for place in FOREIGN[1:3]
    )

    assert (one.headers["X-Request-ID"], two.headers["X-Request-ID"]) == ("r-south", "r-nowhere")
    assert without_id(one) == without_id(two)
