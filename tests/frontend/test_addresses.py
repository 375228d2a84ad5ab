"""Each subject has exactly one address, and it survives browsers and servers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import SubjectName
from accord.naming import parse_subject
from frontend.addresses import SubjectConverter, read_subject, write_subject
from tests.frontend.views.test_hostile_text import NAMES

SIGNS = ["/", "-", ".", "~", "2F", "a", "%", ":", " ", "é", "/-/"]
PIECES = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=9)


@pytest.mark.parametrize("name", NAMES)
def test_a_subject_is_read_back_from_its_address(name: str) -> None:
    subject = parse_subject(name)
    assert read_subject(write_subject(subject)) == subject


@given(PIECES)
def test_any_subject_is_read_back_and_its_address_holds_no_trap(pieces: list[str]) -> None:
    subject = parse_subject("".join(pieces))
    address = write_subject(subject)
    assert read_subject(address) == subject
    assert not {"", ".", "..", "-"} & set(address.split("/"))


def test_plain_names_stay_as_they_are() -> None:
    assert write_subject(SubjectName("com.example/orders-value")) == "com.example/orders-value"
    assert write_subject(SubjectName("orders", ".ctx")) == ":.ctx:orders"


@pytest.mark.parametrize("text", ["a~2fb", "a~2Fb", "a~", "~41", "..", "a/./b", "a//b", "__EMPTY", "a\nb"])
def test_a_second_spelling_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match="no subject"):
        read_subject(text)


def test_the_converter_speaks_both_ways() -> None:
    converter = SubjectConverter()
    assert converter.to_python(converter.to_url(SubjectName("a/-/b"))) == SubjectName("a/-/b")
