"""Our findings against those of Buf's command line, over many random pairs of modules at once.

``python -m tests.oracle.buf 5000`` compares that many pairs and prints what differs.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.protobuf.filesets import file_set
from accord.formats.protobuf.places import around, place_of
from accord.model import Format
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from accord.rules.columns import CATEGORIES
from tests.accord.protobuf_texts import UNMEASURED, Refused, compiled
from tests.accord.stand_ins import ForeignSchema
from tests.oracle.buf_command import report, told_by_buf, unlike, write_modules
from tests.oracle.edits import Editor
from tests.oracle.modules import Maker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.formats.protobuf.descriptors import FileDescriptorProto
    from accord.formats.protobuf.model import FileSet
    from tests.oracle.buf_command import Differences, Told

Texts: TypeAlias = dict[str, str]
ALL = "".join(f"\n    - {name}" for name in CATEGORIES)
MOST_EDITS = 5
BATCH = 60
STEPS = 1_000_000
# Buf gives no place where a package is gone, and the first line where an option is. We name the old file and
# the element. See docs/explanation/protobuf-presets.md.
PLACELESS = frozenset({"PACKAGE_NO_DELETE"})
# It points at the option of a file where that decides, however many fields it is about; we name each field.
AT_OPTION = {"FIELD_SAME_JAVA_UTF8_VALIDATION": (8, 27)}
UNTOLD = frozenset({"RPC_SAME_IDEMPOTENCY_LEVEL"})


@dataclass
class Case:
    """A pair of modules: their texts for Buf, their files for us."""

    number: int
    old: Texts
    new: Texts
    files: tuple[FileSet, FileSet]


def cases(count: int, seed: int = 0) -> list[Case]:
    """Make pairs that protoc accepts."""
    made: list[Case] = []
    number = 0
    while len(made) < count:
        number += 1
        random = Random(f"{seed}/{number}")
        maker = Maker(random, number)
        before = maker.module()
        after = before.copied()
        editor = Editor(random, maker)
        for _ in range(random.randint(1, MOST_EDITS)):
            editor.edit(after)
        old, new = before.texts(), after.texts()
        if old == new:
            continue
        with suppress(Refused):
            made.append(Case(number, old, new, (_files(old), _files(new))))
    return made


def buf(pairs: Iterable[Case]) -> dict[int, set[Told]]:
    """Return what Buf finds, by pair: rule, path and line."""
    found: dict[int, set[Told]] = {one.number: set() for one in pairs}
    with tempfile.TemporaryDirectory() as folder:
        for side in ("old", "new"):
            texts = {one.number: getattr(one, side) for one in pairs}
            write_modules(Path(folder, side), texts, f"breaking:\n  use:{ALL}")
        for told in told_by_buf(Path(folder, "new"), "breaking", "--against", "../old"):
            path = told.get("path", "")
            where = path.partition("/")[2] if path else ""
            number = _number(where or told["message"])
            found[number].add((told["type"], where, told["start_line"] if path else 0))
    return found


def _number(text: str) -> int:
    """Find out which pair a finding belongs to: its names all say."""
    digits = text[text.index("g") + 1 :] if text.startswith("g") else text.rpartition('"g')[2]
    return int("".join(digits[: next(i for i, c in enumerate(digits + ".") if not c.isdigit())]))


def ours(pair: Case) -> set[Told]:
    """Return what our presets of Buf find, in the same form."""
    old, new = pair.files
    sides = [ForeignSchema("", Format.PROTOBUF, root=one) for one in (new, old)]
    told: set[Told] = set()
    for name in CATEGORIES:
        policy = Policy(CONFLUENT_LEVELS["BACKWARD"], f"buf:v2:{name}")
        verdict = judge(sides[0], [HistoryEntry(1, sides[1])], policy, budget=Budget(STEPS, STEPS))
        told |= {_told(new, one.rule, one.path) for one in verdict.findings}
    return told


def _files(texts: Texts) -> FileSet:
    by_path = {file.name: file for file in compiled(texts, with_places=True, compiler=UNMEASURED)}
    return file_set(by_path.values(), imports=by_path.keys() - texts.keys())


def _told(files: FileSet, rule: str, pointer: str) -> Told:
    tokens = tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))
    place = place_of(files, tokens)
    if place is None or rule in PLACELESS:
        return (rule, "", 0)
    if not place.steps:
        return (rule, place.file.path, 1)
    lines = _lines(place.file.proto)
    if rule in UNTOLD and place.steps not in lines:
        return (rule, place.file.path, 1)
    places = (AT_OPTION.get(rule, ()), place.steps, *filter(_is_element, around(place.steps)))
    line = next((lines[steps] for steps in places if steps in lines), 1)
    return (rule, place.file.path, line)


def _is_element(steps: tuple[int, ...]) -> bool:
    """Elements are named by pairs of a field and an index; what is odd is the options of one."""
    return len(steps) % 2 == 0


def _lines(file: FileDescriptorProto) -> dict[tuple[int, ...], int]:
    return {tuple(one.path): one.span[0] + 1 for one in file.source_code_info.location if one.path}


def differences(pairs: list[Case]) -> Differences:
    """Return what only Buf tells and what only we tell, by pair; equal ones are left out."""
    found: Differences = {}
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        found |= unlike(buf(batch), {pair.number: ours(pair) for pair in batch})
    return found


def main(arguments: list[str]) -> int:
    """Compare as many pairs as the first argument says, from the seed in the second."""
    count, seed = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 1
    return report(differences(cases(count, seed)), f"{count} pairs")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
