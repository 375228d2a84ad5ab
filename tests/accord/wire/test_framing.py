"""Frames of both magics, as prefix and as header."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.wire import (
    KEY_HEADER,
    VALUE_HEADER,
    EmptyFrame,
    Frame,
    InvalidSchemaId,
    TruncatedFrame,
    WireError,
    WrongMagic,
    decode_header,
    decode_prefix,
    decode_record,
    encode_header,
    encode_prefix,
)

GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")
IDENTITIES = st.integers(0, 2**31 - 1) | st.uuids()
PATHS = st.none() | st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=8).map(tuple)


def test_a_number_is_framed_big_endian_behind_magic_zero() -> None:
    assert encode_prefix(258, b"ab") == b"\x00\x00\x00\x01\x02ab"


def test_a_guid_is_framed_behind_magic_one() -> None:
    assert encode_prefix(GUID, b"ab") == b"\x01" + bytes.fromhex("095d71cf12556b9d5e330ad575b3df5d") + b"ab"


def test_indexes_stand_between_identity_and_payload() -> None:
    assert encode_prefix(1, b"ab", indexes=(1, 0)) == b"\x00\x00\x00\x00\x01\x04\x02\x00ab"
    assert decode_prefix(b"\x00\x00\x00\x00\x01\x04\x02\x00ab", has_indexes=True) == Frame(1, b"ab", (1, 0))


@given(IDENTITIES, st.binary(), PATHS)
def test_a_prefixed_record_reads_back(
    identity: int | UUID, payload: bytes, indexes: tuple[int, ...] | None
) -> None:
    data = encode_prefix(identity, payload, indexes=indexes)
    assert decode_prefix(data, has_indexes=indexes is not None) == Frame(identity, payload, indexes)


@given(IDENTITIES, st.binary(), PATHS)
def test_a_headed_record_reads_back(
    identity: int | UUID, payload: bytes, indexes: tuple[int, ...] | None
) -> None:
    value = encode_header(identity, indexes=indexes)
    assert decode_header(value, payload, has_indexes=indexes is not None) == Frame(identity, payload, indexes)


@given(data=st.binary(), has_indexes=st.booleans())
def test_any_bytes_give_a_frame_or_a_framing_error(*, data: bytes, has_indexes: bool) -> None:
    with suppress(WireError):
        assert data.endswith(decode_prefix(data, has_indexes=has_indexes).payload)


def test_no_byte_is_an_empty_frame() -> None:
    with pytest.raises(EmptyFrame, match="the record is empty"):
        decode_prefix(b"")


@pytest.mark.parametrize("data", [b"test", b"\x02\x00\x00\x00\x01", b"\xff"])
def test_another_first_byte_is_a_wrong_magic(data: bytes) -> None:
    with pytest.raises(WrongMagic) as refusal:
        decode_prefix(data)
    assert refusal.value.magic == data[0]


@pytest.mark.parametrize(("data", "needed"), [(b"\x00", 5), (b"\x00\x00\x00\x01", 5), (b"\x01" * 16, 17)])
def test_a_short_frame_says_how_many_bytes_it_needs(data: bytes, needed: int) -> None:
    with pytest.raises(TruncatedFrame) as refusal:
        decode_prefix(data)
    assert (refusal.value.needed, refusal.value.got) == (needed, len(data))


@pytest.mark.parametrize("number", [-1, 2**31])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(InvalidSchemaId, match=str(number)):
        encode_prefix(number)


def test_the_last_header_of_the_name_wins_over_the_prefix() -> None:
    headers = [
        (VALUE_HEADER, encode_header(1)),
        (KEY_HEADER, encode_header(2)),
        (VALUE_HEADER, encode_header(GUID)),
    ]
    assert decode_record(b"ab", headers) == Frame(GUID, b"ab")
    assert decode_record(b"ab", headers, header_name=KEY_HEADER) == Frame(2, b"ab")


def test_without_a_header_the_prefix_counts() -> None:
    assert decode_record(encode_prefix(7, b"ab"), [("other", b"x")]) == Frame(7, b"ab")
    assert decode_record(encode_prefix(7, b"ab", indexes=(0,)), [], has_indexes=True) == Frame(7, b"ab", (0,))
