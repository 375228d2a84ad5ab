"""A pepper can be replaced without ending the tokens made with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tenants import peppers
from tenants.authentication import authenticate
from tenants.decisions import decisions
from tenants.errors import Unauthorized
from tests.cast import bearer, issued_for

if TYPE_CHECKING:
    from pytest_django import Settings

    from tests.cast import Actor

OLD, NEW = "old-" * 8, "new-" * 8


def enter(value: str) -> None:
    decisions.clear()
    authenticate(bearer(value), tenant_slug="north", namespace_slug="default")


def test_the_last_pepper_is_the_one_in_use(settings: Settings) -> None:
    settings.ACCORD_TOKEN_PEPPER = f"{OLD},{NEW}"

    assert peppers.current() == (2, NEW)
    assert [peppers.pepper(version) for version in (0, 1, 2, 3, -1)] == [None, OLD, NEW, None, None]


@pytest.mark.parametrize("value", ["", f"{OLD},"])
def test_without_a_pepper_no_token_is_issued(alice: Actor, settings: Settings, value: str) -> None:
    settings.ACCORD_TOKEN_PEPPER = value

    with pytest.raises(peppers.NoPepper, match="ACCORD_TOKEN_PEPPER"):
        issued_for(alice)
    assert [peppers.pepper(version) for version in (1, 2)] == [OLD if value else None, None]


def test_tokens_of_the_old_pepper_live_on_beside_those_of_the_new(alice: Actor, settings: Settings) -> None:
    settings.ACCORD_TOKEN_PEPPER = OLD
    old = issued_for(alice).value
    settings.ACCORD_TOKEN_PEPPER = f"{OLD},{NEW}"
    new = issued_for(alice).value

    enter(old)
    enter(new)


def test_another_pepper_ends_every_token(alice: Actor, settings: Settings) -> None:
    settings.ACCORD_TOKEN_PEPPER = OLD
    value = issued_for(alice).value
    settings.ACCORD_TOKEN_PEPPER = NEW

    with pytest.raises(Unauthorized):
        enter(value)
