"""The text form of tokens: what reads back, and that nothing else does."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenants import tokens
from tenants.tokens import ALPHABET, TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPE = re.compile(r"acc[psco]_[0-9A-Za-z]{61}")
KINDS = st.sampled_from(TokenKind)
PEPPER = "p" * 32


@given(KINDS)
def test_what_is_generated_reads_back(kind: TokenKind) -> None:
    made = tokens.generate(kind)

    assert SHAPE.fullmatch(made.value)
    assert tokens.parse(made.value) == made


@given(KINDS, st.integers(0, 65), st.characters())
def test_every_change_of_one_character_is_refused(kind: TokenKind, place: int, letter: str) -> None:
    value = tokens.generate(kind).value
    changed = value[:place] + letter + value[place + 1 :]

    assert (tokens.parse(changed) is None) == (changed != value)


@given(KINDS, st.integers(0, 64))
def test_swapped_neighbours_are_refused(kind: TokenKind, place: int) -> None:
    value = tokens.generate(kind).value
    swapped = value[:place] + value[place + 1] + value[place] + value[place + 2 :]

    assert (tokens.parse(swapped) is None) == (swapped != value)


@given(st.text(max_size=200))
def test_foreign_text_is_refused(text: str) -> None:
    assert tokens.parse(text) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda value: "",
        lambda value: value + "\n",
        lambda value: " " + value,
        lambda value: value[:-1],
        lambda value: value + "0",
        lambda value: value.replace("_", "-"),
        lambda value: value.upper(),
        lambda value: "accx" + value[4:],
        lambda value: value[:30] + "\u0661" + value[31:],
    ],
)
def test_wrong_prefix_length_or_alphabet_is_refused(spoil: Callable[[str], str]) -> None:
    assert tokens.parse(spoil(tokens.generate(TokenKind.SERVICE).value)) is None


def test_the_check_is_crc_32_in_base_62_padded_with_zeros() -> None:
    bodies = [f"accs_{number:055d}" for number in range(300)]

    assert [tokens.check_of(body) for body in bodies] == [base62_by_hand(body) for body in bodies]
    assert any(tokens.check_of(body).startswith("0") for body in bodies)


def base62_by_hand(body: str) -> str:
    number, text = zlib.crc32(body.encode()), ""
    while number:
        text = ALPHABET[number % 62] + text
        number //= 62
    return text.rjust(6, "0")


def test_a_second_secret_keeps_the_key_id() -> None:
    first = tokens.generate(TokenKind.CI)
    second = tokens.generate(TokenKind.CI, first.key_id)

    assert second.key_id == first.key_id
    assert second.value != first.value


def test_the_value_stays_out_of_printed_forms() -> None:
    made = tokens.generate(TokenKind.PERSON)

    assert made.value not in repr(made)
    assert made.value not in str(made)
    assert made.last == made.value[-4:]


@given(st.binary(min_size=32, max_size=32))
def test_any_randomness_fills_exactly_43_characters(entropy: bytes) -> None:
    assert len(tokens.base62(int.from_bytes(entropy), 43)) == 43
    assert number_of(tokens.base62(int.from_bytes(entropy), 43)) == int.from_bytes(entropy)


def number_of(text: str) -> int:
    number = 0
    for letter in text:
        number = number * 62 + ALPHABET.index(letter)
    return number


def test_the_digest_depends_on_every_part_of_the_token_and_on_the_pepper() -> None:
    value = tokens.generate(TokenKind.SERVICE).value
    stored = tokens.digest(value, PEPPER)

    assert len(stored) == 32
    assert tokens.is_same(stored, tokens.digest(value, PEPPER))
    assert not tokens.is_same(stored, tokens.digest(value, "q" * 32))
    assert not tokens.is_same(stored, tokens.digest(value[:-1], PEPPER))
