"""The cases of PROTOVALIDATE: Buf finds something at the same lines, and nothing besides."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from accord.lint.protobuf.validation import FILE
from tests.accord.lint.validations import HEAD, OPTIONS, cases, in_file
from tests.oracle.buf import binary

if TYPE_CHECKING:
    from pathlib import Path

CONFIGURATION = """version: v2
modules: [{path: own}, {path: options}]
lint: {use: [PROTOVALIDATE]}
"""


def write(folder: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        folder.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(path).write_text(text)


def lines_of_buf(folder: Path) -> set[tuple[str, int]]:
    """What Buf finds: files and lines."""
    command = [binary(), "lint", "--error-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 100}, done.stderr
    told = map(json.loads, done.stdout.splitlines())
    return {(one["path"], one["start_line"] - len(HEAD)) for one in told}


def test_buf_reports_the_same_lines(tmp_path: Path) -> None:
    every = {f"c{at}/order.proto": case for at, case in enumerate(cases())}
    texts = {path: in_file(case.text) for path, case in every.items()}
    own = {path: text.replace("acme.shop.v1", path.partition("/")[0]) for path, text in texts.items()}
    write(tmp_path, {"buf.yaml": CONFIGURATION, f"options/{FILE}": OPTIONS})
    write(tmp_path / "own", own)
    expected = {(f"own/{path}", line) for path, case in every.items() for line, _ in case.told}
    assert lines_of_buf(tmp_path) == expected
