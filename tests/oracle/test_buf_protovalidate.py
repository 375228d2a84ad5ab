"""The cases of PROTOVALIDATE: Buf finds something at the same lines, and nothing besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.lint.protobuf.validation import FILE
from tests.accord.lint.validations import HEAD, OPTIONS, cases, in_file
from tests.oracle.buf_command import told_by_buf, write_modules

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "lint: {use: [PROTOVALIDATE]}"


def test_buf_reports_the_same_lines(tmp_path: Path) -> None:
    every = {f"c{at}/order.proto": case for at, case in enumerate(cases())}
    texts = {path: in_file(case.text) for path, case in every.items()}
    own = {path: text.replace("acme.shop.v1", path.partition("/")[0]) for path, text in texts.items()}
    write_modules(tmp_path, {0: own, 1: {FILE: OPTIONS}}, SETTINGS)
    told = {(one["path"], one["start_line"] - len(HEAD)) for one in told_by_buf(tmp_path, "lint")}
    assert told == {(f"m0/{path}", line) for path, case in every.items() for line, _ in case.told}
