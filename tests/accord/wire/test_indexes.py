"""Protobuf message indexes on the wire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.wire import MalformedIndexes, TruncatedFrame, decode_indexes, encode_indexes
from accord.wire.indexes import MAX_INDEX_DEPTH

ZIGZAG = [((0,), "00"), ((1,), "0202"), ((1, 0), "040200"), ((0, 2), "040004"), ((64,), "028001")]
PLAIN = [((0,), "00"), ((1, 0), "020100"), ((300,), "01ac02")]


@pytest.mark.parametrize(("path", "data"), ZIGZAG)
def test_a_path_has_the_bytes_clients_write(path: tuple[int, ...], data: str) -> None:
    assert encode_indexes(path).hex() == data
    assert decode_indexes(bytes.fromhex(data)) == (path, len(data) // 2)


@pytest.mark.parametrize(("path", "data"), PLAIN)
def test_the_deprecated_form_has_plain_numbers(path: tuple[int, ...], data: str) -> None:
    assert encode_indexes(path, is_zigzag=False).hex() == data
    assert decode_indexes(bytes.fromhex(data), is_zigzag=False) == (path, len(data) // 2)


def test_the_long_spelling_of_the_first_message_is_read() -> None:
    assert decode_indexes(b"\x02\x00") == ((0,), 2)


@given(
    path=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=MAX_INDEX_DEPTH),
    is_zigzag=st.booleans(),
    before=st.binary(max_size=4),
)
def test_a_path_reads_back_wherever_it_stands(*, path: list[int], is_zigzag: bool, before: bytes) -> None:
    data = before + encode_indexes(path, is_zigzag=is_zigzag)
    assert decode_indexes(data + b"rest", len(before), is_zigzag=is_zigzag) == (tuple(path), len(data))


@pytest.mark.parametrize("path", [(), (-1,), (2**31,), (0,) * (MAX_INDEX_DEPTH + 1)])
def test_a_path_no_file_can_have_is_not_written(path: tuple[int, ...]) -> None:
    with pytest.raises(MalformedIndexes):
        encode_indexes(path)


@pytest.mark.parametrize("data", ["01", "0201", "ca01", "ffffffffff01", "02ffffffff7f"])
def test_a_path_no_serializer_writes_is_refused(data: str) -> None:
    with pytest.raises(MalformedIndexes):
        decode_indexes(bytes.fromhex(data))


@pytest.mark.parametrize("data", ["", "02", "0402", "80", "0280"])
def test_a_path_that_ends_early_is_truncated(data: str) -> None:
    with pytest.raises(TruncatedFrame):
        decode_indexes(bytes.fromhex(data))
