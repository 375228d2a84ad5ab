"""Our lint findings against those of Buf's command line, over many random modules at once.

``python -m tests.oracle.buf_lint 5000`` compares that many modules and prints what differs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from accord.formats.protobuf.exchange import Status
from accord.formats.protobuf.filesets import file_set, parse_set
from accord.formats.protobuf.source_info import SourceInfo
from accord.lint.profile import LintOptions, LintProfile
from accord.lint.protobuf.modules import Module
from accord.lint.schemas import lint_files, unused_imports
from tests.accord.protobuf_texts import UNMEASURED, outcome
from tests.oracle.buf_command import report, told_by_buf, unlike, write_modules
from tests.oracle.lint_modules import LintMaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.oracle.buf_command import Differences, Told

USED = ("STANDARD", "COMMENTS", "UNARY_RPC", "STABLE_PACKAGE_NO_IMPORT_UNSTABLE")
# So many random modules make a case, and so many cases a run of Buf's.
TOGETHER = 20
BATCH = 3
# Batch by batch in turn: Buf's defaults, and the options the other way.
OPTIONS = (
    LintOptions(),
    LintOptions(enum_zero_value_suffix="_NONE", service_suffix="API", rpc_allow_same_request_response=True),
    LintOptions(rpc_allow_google_protobuf_empty_requests=True),
    LintOptions(rpc_allow_google_protobuf_empty_responses=True),
    LintOptions(
        rpc_allow_google_protobuf_empty_requests=True, rpc_allow_google_protobuf_empty_responses=True
    ),
)


@dataclass
class Case:
    """Some random modules that are linted as one: their texts for Buf, their files for us."""

    number: int
    texts: dict[str, str]
    module: Module


def cases(count: int, seed: int = 0) -> list[Case]:
    """Make so many random modules, all of which protoc accepts, and put some together each."""
    return [_case(start, min(TOGETHER, count - start), seed) for start in range(0, count, TOGETHER)]


def _case(start: int, count: int, seed: int) -> Case:
    texts: dict[str, str] = {}
    for number in range(start, start + count):
        texts |= LintMaker(Random(f"{seed}/{number}"), number).texts()
    told = outcome(texts, with_places=True, compiler=UNMEASURED)
    if told.status is not Status.COMPILED:
        raise RuntimeError(told.diagnostics)
    files = parse_set(told.descriptors)
    sources = {file.name: SourceInfo(file) for file in files if file.name in texts}
    own = file_set(files, imports={file.name for file in files} - texts.keys(), sources=sources)
    return Case(start, texts, Module(own, unused_imports(own, told.diagnostics)))


def buf(modules: Iterable[Case], options: LintOptions) -> dict[int, set[Told]]:
    """Return what Buf finds, by case: rule, path and line."""
    found: dict[int, set[Told]] = {one.number: set() for one in modules}
    with tempfile.TemporaryDirectory() as folder:
        write_modules(Path(folder), {one.number: one.texts for one in modules}, _settings(options))
        for told in told_by_buf(Path(folder), "lint"):
            module, _, path = told["path"].partition("/")
            found[int(module[1:])].add((told["type"], path, told["start_line"]))
    return found


def _settings(options: LintOptions) -> str:
    used = "".join(f"\n    - {name}" for name in USED)
    asked = "".join(
        f"\n  {name}: {json.dumps(getattr(options, name))}"
        for name in LintOptions.__dataclass_fields__
        if name != "field_case"
    )
    return f"lint:\n  use:{used}{asked}"


def ours(one: Case, options: LintOptions) -> set[Told]:
    """Return what our rules find, in the same form."""
    found = lint_files(one.module, LintProfile(USED, options=options))
    return {(told.rule, told.file, told.line) for told in found}


def differences(modules: Sequence[Case]) -> Differences:
    """Return what only Buf tells and what only we tell, by case; equal ones are left out."""
    found: Differences = {}
    for turn, start in enumerate(range(0, len(modules), BATCH)):
        options, some = OPTIONS[turn % len(OPTIONS)], modules[start : start + BATCH]
        found |= unlike(buf(some, options), {one.number: ours(one, options) for one in some})
    return found


def main(arguments: list[str]) -> int:
    """Compare as many modules as the first argument says, from the seed in the second."""
    count, seed = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1
    return report(differences(cases(count, seed)), f"{count} modules linted")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
