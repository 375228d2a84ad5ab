"""An export is read back whole, or refused with the line and what is wrong with it."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from accord.transfer import UnreadableExport, read, write
from tests.accord.transfer.conftest import copy_of, filled

if TYPE_CHECKING:
    from tests.accord.transfer.conftest import Make

HEADER = {"kind": "accord-export", "formatVersion": 1, "source": "x", "lacks": []}
VERSION = {
    "kind": "version",
    "context": ".",
    "subject": "s",
    "version": 1,
    "id": 1,
    "schema": "x",
    "deleted": False,
}
DEEP = json.loads("[" * 150 + "]" * 150)


def export_of(*lines: Any, header: Any = HEADER, footer: Any = None) -> bytes:
    """An export with a right checksum, whatever the lines are."""
    content = [one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in lines]
    told = {"lines": len(content), "versions": 0, "sha256": hashlib.sha256(b"".join(content)).hexdigest()}
    last = {"kind": "end", **told, **(footer or {})}
    return b"".join([json.dumps(header).encode() + b"\n", *content, json.dumps(last).encode() + b"\n"])


def test_what_is_written_is_read_and_written_again_byte_by_byte(make: Make) -> None:
    registry = filled(make())
    first, second = BytesIO(), BytesIO()
    with copy_of(registry) as copy:
        copy.extras["x.y"] = {"b": 1, "a": [None]}
        told = write(copy, first)
    first.seek(0)
    with read(first) as copy:
        assert write(copy, second) == told
    assert second.getvalue() == first.getvalue()
    assert (told.contexts, told.subjects, told.versions, told.deleted) == (2, 5, 7, 2)


REFUSED: list[tuple[bytes, int, str]] = [
    (b"", 1, "not a line of JSON"),
    (b"{\n", 1, "not a line of JSON"),
    (b"[" * 100_000 + b"\n", 1, "not a line of JSON"),
    (b"[]\n", 1, "not a JSON object"),
    (b'{"kind":"x"}\n', 1, "begins with a line of the kind 'accord-export'"),
    (export_of(header={**HEADER, "formatVersion": 2}), 1, "newer version"),
    (export_of(header={**HEADER, "formatVersion": "1"}), 1, "must be a whole number from 1"),
    (export_of(header={**HEADER, "source": None}), 1, "'source' must be a string"),
    (export_of(VERSION).splitlines(keepends=True)[0], 2, "cut short"),
    (export_of(VERSION) + b"\n", 4, "follows the last line"),
    (export_of(VERSION, footer={"lines": 2}), 3, "the file was changed"),
    (export_of(VERSION, footer={"sha256": "0"}), 3, "the file was changed"),
    (export_of({"kind": "odd"}), 2, "no line of the kind 'odd'"),
    (export_of(VERSION, VERSION), 3, "s version 1 is there twice"),
    (export_of({**VERSION, "deleted": 1}), 2, "'deleted' must be true or false"),
    (export_of({**VERSION, "subject": None}), 2, "a version needs a 'subject'"),
    (export_of({**VERSION, "context": "x"}), 2, "'x' is no context"),
    (export_of({**VERSION, "context": ".a:b"}), 2, "is no context"),
    (export_of({**VERSION, "id": -1}), 2, "'id' must be a whole number from 0"),
    (export_of({"kind": "context", "context": ".", "config": 1}), 2, "'config' must be an object"),
    (export_of({"kind": "context", "context": ".", "mode": 1}), 2, "'mode' must be a string"),
    (export_of({"kind": "context", "context": ".", "config": {"x": float("nan")}}), 2, "not JSON compliant"),
    (export_of({"kind": "context", "context": ".", "config": {"x": DEEP}}), 2, "deeper than 100 levels"),
    (export_of({"kind": "context", "context": "."}, {"kind": "context", "context": "."}), 3, "there twice"),
    (export_of({"kind": "extra", "name": 1}), 2, "'name' must be a string"),
    (export_of({"kind": "extra", "name": "x", "body": float("nan")}), 2, "not JSON compliant"),
    (export_of({**VERSION, "subject": "a\ud800"}), 2, "'a\\ud800' is no name"),
    (export_of({**VERSION, "context": ".\ud800"}), 2, "'.\\ud800' is no name"),
]


@pytest.mark.parametrize(("data", "line", "words"), REFUSED)
def test_what_is_wrong_is_told_with_its_line(data: bytes, line: int, words: str) -> None:
    with pytest.raises(UnreadableExport) as refused:
        read(BytesIO(data))
    assert refused.value.line == line
    assert words in refused.value.details


def test_a_line_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.transfer.reading.LONGEST_LINE", 100)
    with pytest.raises(UnreadableExport, match=r"line 2 .* longer than 100 bytes"):
        read(BytesIO(export_of({**VERSION, "schema": "x" * 100})))


def test_members_that_nobody_knows_are_passed_over() -> None:
    with read(BytesIO(export_of({**VERSION, "news": 1}, header={**HEADER, "lacks": None}))) as copy:
        assert len(copy.entries) == 1
        assert copy.lacks == frozenset()
