"""Payloads that mean harm: refused before anything is built from them, whatever the codec would do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.codecs import AvroCodec, RecordLimits, RecordTooLarge, UndecodableRecord
from tests.accord.codecs.samples import NODE, Pair, logical, number, pairs, schema

if TYPE_CHECKING:
    from accord.errors import AccordError

ENUM = {"type": "enum", "name": "E", "symbols": ["A", "B"]}
NULLS = {"type": "array", "items": "null"}
EMPTY = {"type": "record", "name": "Empty", "fields": []}
FOREVER = {"type": "record", "name": "N", "fields": [{"name": "n", "type": "N"}]}
WIDE = {"type": "record", "name": "W", "fields": [{"name": f"f{one}", "type": "null"} for one in range(2000)]}
SAFETY_SECONDS = 120  # for a busy machine

# name: schema, payload, words of the message
UNDECODABLE: dict[str, tuple[Any, bytes, str]] = {
    "negative symbol": (ENUM, number(-1), "number -1 at byte 0, there are 2 symbols"),
    "symbol beyond": (ENUM, number(2), "number 2"),
    "negative branch": (["null", "int"], number(-1), "there are 2 branches"),
    "branch beyond": (["null", "int"], number(2), "number 2"),
    "negative length": ("bytes", number(-5), "-5 bytes are needed at byte 1"),
    "corrupt length": ("string", number(2**62), "bytes are needed at byte 2*"),
    "cut text": ("string", number(9) + b"ab", "9 bytes are needed at byte 1, there are 2"),
    "cut number": ("long", b"\x80", "1 bytes are needed"),
    "cut double": ("double", b"1234567", "8 bytes are needed"),
    "long number": ("long", b"\xff" * 20, "more than 64 bits"),
    "padded number": ("long", b"\x80" * 11 + b"\x00", "more than 64 bits"),
    "int beyond": ("int", number(2**31), "more than 32 bits"),
    "odd boolean": ("boolean", b"\x02", "neither true nor false"),
    "left over": ("int", b"\x02\x00", "1 bytes are left over"),
    "left over after nothing": ("null", b"\x00", "1 bytes are left over"),
    "cut floats": ({"type": "array", "items": "float"}, number(2) + b"1234567", "8 bytes are needed"),
    "cut list": ({"type": "array", "items": "int"}, number(2) + b"\x02", "1 bytes are needed"),
    "digits": (logical("bytes", "decimal", precision=2), number(2) + b"\x03\xe8", "more than 2 digits"),
    "digits, many": (logical("bytes", "decimal", precision=2), number(99) + b"\x7f" * 99, "more than 2"),
}
TOO_LARGE: dict[str, tuple[Any, bytes, str]] = {
    "a billion nulls": (NULLS, number(10**9) + b"\x00", "more than 1000000 values"),
    "most nulls": (NULLS, number(-(2**63)) + b"\x00\x00", "more than 1000000 values"),
    "nulls by the block": (NULLS, number(900_000) * 2 + b"\x00", "more than 1000000 values"),
    "floats": ({"type": "array", "items": "float"}, number(2**40), "more than 1000000 values"),
    "empty records": ({"type": "array", "items": EMPTY}, number(10**7), "more than 1000000 values"),
    "wide empty records": ({"type": "array", "items": WIDE}, number(10**6 - 1), "more than 1000000 values"),
    "deep": (NODE, number(1) * 100_000 + number(0), "deeper than 200"),
    "without end": (FOREVER, b"", "deeper than 200"),
    "bytes": ("bytes", bytes(20_000_000), "20000000 bytes, at most 16777216"),
    "decimal": (logical("bytes", "decimal", precision=10**9), number(5000) + bytes(5000), "a decimal of"),
}


def refused(case: tuple[Any, bytes, str], expected: type[AccordError]) -> None:
    written, payload, words = case
    codec, started = AvroCodec(schema(written)), time.monotonic()
    with pytest.raises(expected, match=words):
        codec.decode(payload)
    assert time.monotonic() - started < SAFETY_SECONDS


@pytest.mark.parametrize("name", UNDECODABLE)
def test_a_malformed_payload_names_what_is_wrong(name: str) -> None:
    refused(UNDECODABLE[name], UndecodableRecord)


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_payload_that_costs_too_much_is_refused(name: str) -> None:
    refused(TOO_LARGE[name], RecordTooLarge)


def test_small_decimals_of_huge_precision_are_read() -> None:
    assert AvroCodec(schema(logical("bytes", "decimal", precision=10**9))).decode(b"\x02\x05") == 5


def test_blocks_may_tell_their_size() -> None:
    codec = AvroCodec(schema({"type": "array", "items": "int"}))
    assert codec.decode(number(-2) + number(2) + b"\x02\x04" + number(1) + b"\x06\x00") == [1, 2, 3]


def test_limits_are_the_caller_s() -> None:
    codec = AvroCodec(schema(NULLS), RecordLimits(values=3))
    assert codec.decode(number(2) + b"\x00") == [None] * 2
    with pytest.raises(RecordTooLarge):
        codec.decode(number(3) + b"\x00")


@given(pairs(), st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(pair: Pair, payload: bytes) -> None:
    codec = AvroCodec(schema(pair[0]))
    try:
        value = codec.decode(payload)
    except (UndecodableRecord, RecordTooLarge):
        return
    assert codec.decode(codec.encode(value)) == value or value != value  # noqa: PLR0124  # NaN is no value's equal


@given(pairs(), st.data())
def test_every_cut_is_noticed(pair: Pair, data: st.DataObject) -> None:
    codec = AvroCodec(schema(pair[0]))
    whole = codec.encode(pair[1])
    if whole:
        end = data.draw(st.integers(0, len(whole) - 1))
        with pytest.raises(UndecodableRecord):
            codec.decode(whole[:end])
