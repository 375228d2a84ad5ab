"""What clients write around a payload: the cases of topic M."""

from __future__ import annotations

from uuid import UUID

import pytest

from accord.codecs import decode_record as decode_avro
from accord.formats.protobuf.indexes import message_name
from accord.wire import VALUE_HEADER, Frame, WrongMagic, decode_prefix, decode_record
from tests.accord.avro_texts import avro
from tests.accord.protobuf_texts import protobuf

GUID = UUID("095d71cf-1255-6b9d-5e33-0ad575b3df5d")


def test_case_150_a_number_before_an_avro_body() -> None:
    """The long 42 is the byte 84 in Avro."""
    assert decode_avro(b"\x00\x00\x00\x00\x01\x54", avro('"long"')) == (1, 42)
    for first in (b"\x02", b"\x54", b"\xff"):
        with pytest.raises(WrongMagic, match=f"the first byte is {first[0]}, expected 0 or 1"):
            decode_prefix(first + b"\x00\x00\x00\x01\x54")


def test_case_151_the_message_of_a_protobuf_body() -> None:
    prefix = b"\x00\x00\x00\x00\x01"
    assert decode_prefix(prefix + b"\x00ab", has_indexes=True) == Frame(1, b"ab", (0,))
    assert decode_prefix(prefix + b"\x04\x02\x00ab", has_indexes=True) == Frame(1, b"ab", (1, 0))


def test_case_152_a_guid_in_a_header() -> None:
    headers = [(VALUE_HEADER, b"\x01" + bytes(16)), (VALUE_HEADER, b"\x01" + GUID.bytes), ("other", b"\x00")]
    assert VALUE_HEADER == "__value_schema_id"
    assert decode_record(b"payload", headers) == Frame(GUID, b"payload")


def test_case_153_enums_are_not_counted_among_messages() -> None:
    text = 'syntax = "proto3"; package p; enum E { ZERO = 0; } message First {} message Second {}'
    assert message_name(protobuf(text).source, (0,)) == "p.First"
