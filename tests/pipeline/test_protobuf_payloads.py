"""What a payload would take in memory, found out before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf.descriptors import DecodeError, message_class, message_type, read_message
from accord.pipeline.protobuf_payloads import MAX_PAYLOAD, TooLarge, Weights
from accord.pipeline.reasons import Reason
from tests.pipeline.messages import FIRST, file_set, framed
from tests.pipeline.test_protobuf_rows import reader_of

if TYPE_CHECKING:
    from google.protobuf.message import Message

WIDE = " ".join(f"optional int64 f{number} = {number};" for number in range(10, 1010))
EMPTY_OVER_EMPTY = {
    "list": b"\x0a\x00",
    "map": b"\x12\x00",
    "turns of a oneof": b"\x1a\x00\x22\x00",
    "in groups": b"\x2b\x0a\x00\x2c",
}
TEXT = f"""syntax = "proto2";
message Node {{
  repeated Node children = 1;
  map<int32, Node> named = 2;
  oneof choice {{ Node left = 3; Node right = 4; }}
  repeated group Part = 5 {{ repeated Node nodes = 1; }}
  optional string text = 6;
  {WIDE}
  extensions 2000 to 3000;
}}
message More {{ extend Node {{ repeated Node more = 2000; }} }}
extend Node {{ repeated Node most = 2001; }}
"""


@pytest.mark.parametrize("empty", EMPTY_OVER_EMPTY.values(), ids=EMPTY_OVER_EMPTY.keys())
def test_a_small_record_of_empty_messages_is_set_aside(empty: bytes) -> None:
    """Of these messages no column is made, so that no count of values would tell."""
    reader = reader_of(TEXT, recursion_depth=1)
    few, many = (reader(framed(1, FIRST, empty * times)) for times in (100, 10_000))
    assert few is not None
    assert few.reason is None
    assert many == (None, str(Reason.TOO_LARGE))


def test_what_is_in_an_extension_stays_bytes() -> None:
    kind, _ = node()
    extended = b"\x82\x7d\x00" * 3 + b"\x8a\x7d\x00"
    message = read_message(kind, extended)
    assert not message.ListFields()
    assert message.SerializeToString() == extended


def test_a_payload_beyond_all_records_is_set_aside() -> None:
    with pytest.raises(TooLarge, match=f"{MAX_PAYLOAD + 1} bytes"):
        node()[1].check(bytes(MAX_PAYLOAD + 1))


def test_what_the_library_reads_the_pass_takes() -> None:
    """Every byte of a message that has everything is changed; the pass is never stricter."""
    kind, weights = node(most=1_000_000)
    full: Any = kind(text="x" * 200, f10=-1, f11=2**40)
    full.children.add(text="a").part.add().nodes.add(f12=1)
    full.named[5].left.right.text = "b"
    payload = (
        full.SerializeToString() + b"\xf5\xff\x01fixd\xf1\xff\x01long8byt\xfb\xff\x01\x08\x01\xfc\xff\x01"
    )
    read = 0
    for at in range(len(payload)):
        for other in (0x00, 0x01, 0x7F, 0x80, 0xFF, payload[at] ^ 1, payload[at] ^ 2, payload[at] ^ 4):
            changed = payload[:at] + bytes([other]) + payload[at + 1 :]
            read += is_read(kind, changed, weights)
    assert read > len(payload)


MALFORMED = {
    "nests too deep": b"\x2b" * 102,
    "ends a group that did not begin": b"\x2c",
    "ends inside a group": b"\x2b",
    "ends inside a field": b"\x0a\x7f",
    "is of no known kind": b"\x0e",
    "ends inside a number": b"\x30\x80",
    "has a number without end": b"\x30" + b"\x80" * 11,
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_malformed_goes_no_further(payload: bytes) -> None:
    kind, weights = node(most=20_000)
    with pytest.raises(DecodeError):
        read_message(kind, payload)
    with pytest.raises(ValueError, match=r"nest|group|field|number|early"):
        weights.check(payload + bytes(100))


def node(most: int = 2**30) -> tuple[type[Message], Weights]:
    found = message_type(file_set(TEXT).SerializeToString(), "Node")
    return message_class(found), Weights(found, most)


def is_read(kind: type[Message], payload: bytes, weights: Weights) -> bool:
    """Whether the library reads a payload; if so, the pass must."""
    try:
        read_message(kind, payload)
    except DecodeError:
        return False
    weights.check(payload)
    return True
