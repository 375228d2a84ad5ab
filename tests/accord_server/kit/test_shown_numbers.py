"""Numbers of rows as tenants see them: each means one row, and tells nothing of others."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_server.kit.shown_numbers import END, meant, shown

if TYPE_CHECKING:
    from pytest_django import Settings

NORTH, SOUTH = UUID(int=1), UUID(int=2)
KIND = "things"


@given(st.integers(0, END - 1))
def test_a_number_shown_means_the_row(number: int) -> None:
    seen = shown(NORTH, KIND, number)
    assert 0 <= seen < END
    assert meant(NORTH, KIND, seen) == number
    assert shown(NORTH, KIND, meant(NORTH, KIND, number)) == number


def test_rows_one_after_the_other_are_seen_apart() -> None:
    seen = [shown(NORTH, KIND, number) for number in range(1, 1001)]
    assert len(set(seen)) == 1000
    assert seen != sorted(seen)
    assert len({abs(one - other) for one, other in pairwise(seen)}) > 990


def test_each_tenant_and_kind_has_numbers_of_its_own(settings: Settings) -> None:
    settings.ACCORD_TOKEN_PEPPER = "first"
    seen = [shown(NORTH, KIND, 1), shown(SOUTH, KIND, 1), shown(NORTH, "others", 1)]
    settings.ACCORD_TOKEN_PEPPER = "first,second"
    assert shown(NORTH, KIND, 1) == seen[0]
    settings.ACCORD_TOKEN_PEPPER = "another"
    assert len({*seen, shown(NORTH, KIND, 1)}) == 4


@pytest.mark.parametrize("number", [-1, END, 10**30])
def test_what_is_never_shown_means_no_row(number: int) -> None:
    assert meant(NORTH, KIND, number) == 0
