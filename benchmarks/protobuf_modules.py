"""Whole modules of Protobuf files, cold, side by side with Buf: what lint and comparing cost.

Each side is a program that starts, reads 500 files with 10,000 messages, says what it found and ends. How
lint grows with the number of fields is a ratio of our own costs, in process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord.formats import parse
from accord.formats.protobuf import service
from accord.lint.profile import LintProfile
from accord.lint.schemas import lint_schema
from accord.lint.table import Category
from accord.model import Format, SchemaText
from benchmarks.harness import Bar, Result, Side, compare, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BUF: Final = Path(__file__).parents[1] / "node_modules" / "@bufbuild" / "buf-linux-x64" / "bin" / "buf"
FILES: Final = 500
MESSAGES: Final = 20
REPETITIONS: Final = 3
MOST_OF_BREAKING: Final = Bar(ratio=1.0)
MOST_OF_LINT: Final = Bar(ratio=1.5)
# Ten times as many fields, with some room for noise.
MOST_GROWTH: Final = Bar(ratio=13)
FIELDS: Final = (1_000, 10_000)
EVERYTHING: Final = LintProfile((Category.STANDARD, Category.COMMENTS))
FOUND: Final = frozenset((0, 1, 100))


def module_texts(files: int, messages: int, *, chain: int = FILES) -> dict[str, str]:
    """The files of a module by path; each message has five fields, and one name in each file is wrong.

    Each file imports the one before, but for the first of each ``chain``.
    """
    return {
        f"acme/part{number}/v1/part{number}.proto": _text(number, messages, number % chain > 0)
        for number in range(files)
    }


def _text(number: int, messages: int, has_import: bool) -> str:  # noqa: FBT001  # private, one caller
    before = number - 1
    line = f'import "acme/part{before}/v1/part{before}.proto";\n' if has_import else ""
    other = f"acme.part{before}.v1.Item0" if has_import else "Item0"
    body = "".join(
        f"message Item{at} {{\n  int64 id = 1;\n  string name = 2;\n  repeated string tags = 3;\n"
        f"  {other} other = 4;\n  bool {'isOpen' if at == 0 else 'is_open'} = 5;\n}}\n"
        for at in range(messages)
    )
    return f'syntax = "proto3";\npackage acme.part{number}.v1;\n{line}{body}'


def program(command: Sequence[str], folder: str) -> Callable[[], float]:
    """Make a run that costs the seconds of a program from start to end.

    Python keeps the byte code of the first run, as it does of a program that was installed.
    """
    before = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**before, "PYTHONPYCACHEPREFIX": f"{folder}/.bytecode"}

    def run() -> float:
        started = time.perf_counter()
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        if done.returncode not in FOUND:
            raise RuntimeError(done.stderr.decode())
        return time.perf_counter() - started

    return run


def linting(files: int = FILES, messages: int = MESSAGES, repetitions: int = REPETITIONS) -> Result:
    """`accord lint` against `buf lint`, both with the category STANDARD."""
    with tempfile.TemporaryDirectory() as folder:
        write_module(Path(folder), module_texts(files, messages), "lint:\n  use: [STANDARD]\n")
        return compare(
            f"Lint of a module, {files} files, {files * messages:,} messages, cold",
            "s",
            ours=Side("accord lint", program((sys.executable, "-m", "accord", "lint", "."), folder)),
            yardstick=Side("buf lint", program((str(BUF), "lint"), folder)),
            repetitions=repetitions,
            bar=MOST_OF_LINT,
        )


def breaking(files: int = FILES, messages: int = MESSAGES, repetitions: int = REPETITIONS) -> Result:
    """`accord check` of two folders against `buf breaking`, both with the category FILE."""
    texts = module_texts(files, messages)
    with tempfile.TemporaryDirectory() as folder:
        for side, kind in (("old", "string"), ("new", "bytes")):
            changed = {path: text.replace("string name", f"{kind} name", 1) for path, text in texts.items()}
            write_module(Path(folder, side), changed, "breaking:\n  use: [FILE]\n")
        ours = (sys.executable, "-m", "accord", "check", "../old", ".", "--preset", "buf:v2:FILE")
        new = str(Path(folder, "new"))
        return compare(
            f"Comparison of two modules, {files} files, {files * messages:,} messages, cold",
            "s",
            ours=Side("accord check", program(ours, new)),
            yardstick=Side("buf breaking", program((str(BUF), "breaking", "--against", "../old"), new)),
            repetitions=repetitions,
            bar=MOST_OF_BREAKING,
        )


def write_module(folder: Path, texts: Mapping[str, str], settings: str) -> None:
    """Write the files of a module, and the settings that Buf goes by."""
    for path, text in {"buf.yaml": f"version: v2\n{settings}", **texts}.items():
        place = Path(folder, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def schema_text(format_: Format, fields: int) -> str:
    """A schema with so many fields."""
    names = [f"field_{number}" for number in range(fields)]
    if format_ is Format.PROTOBUF:
        lines = "".join(f"  string {name} = {at};\n" for at, name in enumerate(names, 1))
        return f'syntax = "proto3";\npackage acme.v1;\nmessage Order {{\n{lines}}}\n'
    if format_ is Format.AVRO:
        members = [{"name": name, "type": "string"} for name in names]
        return json.dumps({"type": "record", "name": "Order", "fields": members})
    return json.dumps({"type": "object", "properties": {name: {"type": "string"} for name in names}})


def growth(format_: Format, fewer: int, fields: int) -> Result:
    """What ten times as many fields cost lint; the ratio should stay near ten."""
    service.use_own()

    def side(count: int) -> Side:
        schema = parse(SchemaText(format_, schema_text(format_, count)))
        run = timed(lambda one: lint_schema(one, EVERYTHING), lambda: [schema] * max(1, fields // count))
        return Side(f"accord, {count} fields", run)

    title = f"Lint of {format_}, growth from {fewer} to {fields} fields"
    return compare(title, "µs a schema", ours=side(fields), yardstick=side(fewer), bar=MOST_GROWTH)


def results() -> list[Result]:
    """Measure modules against Buf, then growth."""
    return [breaking(), linting(), *(growth(one, *FIELDS) for one in Format)]
