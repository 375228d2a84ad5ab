"""References as people write them."""

from __future__ import annotations

import pytest

from accord.errors import InvalidReference
from accord.model import Reference
from accord.naming import parse_reference


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.B=b-value@1", Reference("a.B", "b-value", 1)),
        ("x=:.ctx:a=b@c@12", Reference("x", ":.ctx:a=b@c", 12)),
        ("common/a.proto=common@2147483647", Reference("common/a.proto", "common", 2147483647)),
    ],
)
def test_a_reference_is_read(text: str, expected: Reference) -> None:
    assert parse_reference(text) == expected


@pytest.mark.parametrize(
    "text", ["", "a", "a=b", "=b@1", "a=@1", "a=b@", "a=b@x", "a=b@-1", "a=b@²", "a=b@" + "9" * 11]
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidReference, match="is not NAME=SUBJECT@VERSION"):
        parse_reference(text)
