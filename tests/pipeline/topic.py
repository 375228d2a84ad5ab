"""A topic of 200,000 framed records in three versions, one in a hundred of them poison."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import fastavro

from tests.pipeline.records import SCHEMAS, order, payload

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDS: Final = 200_000
POISON_EVERY: Final = 100
WHOLE: Final = b"\x00\x00\x00\x00\x01" + payload(SCHEMAS[1], order(1, 1))
POISONS: Final = [
    ("empty", b""),
    ("wrong_magic", b"test"),
    ("wrong_magic", b"\x09" + WHOLE[1:]),
    ("unknown_schema", b"\x00\x00\x00\x03\xe7" + WHOLE[5:]),
    ("truncated", WHOLE[:3]),
    ("undecodable", WHOLE[:-1]),
]


def poison_at(offset: int) -> tuple[str, bytes] | None:
    """The poison at an offset, if that is one of a hundred."""
    if offset % POISON_EVERY != POISON_EVERY // 2:
        return None
    return POISONS[offset // POISON_EVERY % len(POISONS)]


def poisons() -> dict[str, int]:
    """How many records of the topic go to quarantine, by reason."""
    found = (poison_at(offset) for offset in range(RECORDS))
    return dict(Counter(poison[0] for poison in found if poison))


def version_at(offset: int) -> int:
    """The writer schema of a sound record."""
    return 1 + offset % len(SCHEMAS)


def values() -> Iterator[bytes]:
    """The framed records, in order."""
    parsed = {number: fastavro.parse_schema(schema) for number, schema in SCHEMAS.items()}
    for offset in range(RECORDS):
        poison = poison_at(offset)
        version = version_at(offset)
        yield poison[1] if poison else frame(version, parsed[version], order(offset, version))


def frame(number: int, parsed: Any, value: object) -> bytes:
    """One framed record, of a schema that is parsed already."""
    buffer = BytesIO()
    buffer.write(b"\x00" + struct.pack(">I", number))
    fastavro.schemaless_writer(buffer, parsed, value)
    return buffer.getvalue()


def write_topic(folder: str) -> None:
    """Write the topic as two files of JSON lines, as a dump of two partitions would be."""
    Path(folder).mkdir()
    names = [Path(folder) / f"{partition}.jsonl" for partition in range(2)]
    with names[0].open("w") as even, names[1].open("w") as odd:
        for offset, value in enumerate(values()):
            (odd if offset % 2 else even).write(line(offset, value))


def line(offset: int, value: bytes) -> str:
    """One record as a line of JSON."""
    text = b64encode(value).decode()
    return f'{{"topic":"orders","partition":{offset % 2},"offset":{offset},"value":"{text}"}}\n'


def expected() -> Iterator[dict[str, Any]]:
    """The rows of the table, in order of offset: fields that a version lacks are null."""
    for offset in range(RECORDS):
        if poison_at(offset) is None:
            version = version_at(offset)
            value = order(offset, version)
            customer = {"name": value["customer"]["name"], "tags": value["customer"].get("tags")}
            yield {
                "_offset": offset,
                "id": offset,
                "amount": float(value["amount"]),
                "customer": customer,
                "note": value.get("note"),
                "state": value.get("state"),
            }
