"""Places in lists tell nothing, and are good for one tenant and one list."""

from __future__ import annotations

from uuid import UUID

import pytest

from accord_server.kit.sealed_places import BadPlace, seal, unseal

NORTH, SOUTH = UUID(int=1), UUID(int=2)
LIST = "/api/v1/tenants/north/namespaces/default/webhooks"


@pytest.mark.parametrize("place", ["1", "9" * 18, "orders-value", '["\u00fc", 3]', "x" * 2000, ""])
def test_a_place_comes_back(place: str) -> None:
    sealed = seal(NORTH, LIST, place)
    assert unseal(NORTH, LIST, sealed) == place
    assert sealed == seal(NORTH, LIST, place)
    assert sealed.replace("-", "").replace("_", "").isalnum()


def test_it_is_short() -> None:
    assert len(seal(NORTH, LIST, "123456789")) <= 36


def test_nobody_else_is_given_the_same_and_no_other_list_takes_it() -> None:
    sealed = seal(NORTH, LIST, "7")
    assert sealed != seal(SOUTH, LIST, "7")
    for tenant, listing in ((SOUTH, LIST), (NORTH, LIST + "/x")):
        with pytest.raises(BadPlace):
            unseal(tenant, listing, sealed)


def test_an_altered_one_is_known() -> None:
    sealed = seal(NORTH, LIST, "7")
    for number, letter in enumerate(sealed[:-1]):
        altered = sealed[:number] + ("A" if letter != "A" else "B") + sealed[number + 1 :]
        with pytest.raises(BadPlace):
            unseal(NORTH, LIST, altered)


@pytest.mark.parametrize("text", ["A", "MQ==", "MQ", "\u00fc", "a b", "=", "AAAA" * 4000, "", "!" * 22])
def test_what_nobody_was_given_is_refused(text: str) -> None:
    with pytest.raises(BadPlace):
        unseal(NORTH, LIST, text)
