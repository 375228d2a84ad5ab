"""How alike schemas are, and the bands by which like ones are looked up."""

from __future__ import annotations

import pytest

from accord.discovery.likeness import BANDS, MOST_WAYS, bands, likeness, plain_way, ways_of
from accord.formats.listing import Listed, RowKind

MANY = frozenset(f"field{at}" for at in range(50))


def field(path: str, kind: RowKind = RowKind.FIELD) -> Listed:
    return Listed(kind, path, path, "string")


def test_ways_are_those_to_fields_however_they_are_spelled() -> None:
    rows = (field("customer.E_Mail"), field("customer.email"), field("shop.Order", RowKind.TYPE))
    assert ways_of(rows) == {"customer.email"}
    assert plain_way("Größe-2") == "größe2"


def test_of_very_many_ways_the_first_count() -> None:
    assert len(ways_of(field(str(at)) for at in range(MOST_WAYS + 5))) == MOST_WAYS


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [("abc", "abc", 1.0), ("abc", "abx", 0.5), ("abc", "def", 0.0), ("", "", 0.0)],
)
def test_likeness_is_what_both_have(one: str, other: str, told: float) -> None:
    assert likeness(set(one), set(other)) == told


def test_like_ways_share_bands_and_others_do_not() -> None:
    near = {*MANY, "another"} - {"field7"}
    far = frozenset(f"other{at}" for at in range(50))
    assert len(bands(MANY)) == BANDS
    assert set(bands(MANY)) & set(bands(near))
    assert not set(bands(MANY)) & set(bands(far))
    assert bands(frozenset(sorted(MANY, reverse=True))) == bands(MANY)


def test_few_ways_say_nothing() -> None:
    assert bands({"a", "b"}) == ()
    assert all(-(2**63) <= one < 2**63 for one in bands({"a", "b", "c"}))
