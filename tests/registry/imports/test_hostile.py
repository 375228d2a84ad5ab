"""Lines that nobody means well by: each is refused by itself, and the rest of its batch is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.imports.bringing import Line, line, uses

if TYPE_CHECKING:
    from tests.registry.imports.bringing import Bringer

pytestmark = pytest.mark.django_db
RULE = {"kind": "CONDITION", "type": "CEL", "mode": "WRITE"}
NAMES = ["a\0b", "a\nb", "x" * 1100, "y" * 70_000, ".a\0b/s", f".{'c' * 1100}/s"]
HOSTILE: list[Line] = [
    *(line(name, 1, '"int"', id=1) for name in NAMES),
    line("s", 1, '{"type": "string", "doc": "\ud800"}', id=1),
    line("s", 2, '{"type": "string", "doc": "\\ud800"}', id=1),
    line("s", 3, '{"type": "string", "doc": "\0"}', id=1),
    line("s", 4, '{"type": "a\\u0000b"}', id=1),
    line("s", 5, '"int"', id=1, schemaType="A\0"),
    line("s", 6, '"int"', id=1, metadata={"properties": {"a": "\0"}}),
    line("s", 7, '"int"', id=1, ruleSet={"domainRules": [{"name": "r\0", **RULE}]}),
    line("s", 8, '"int"', id=1, **uses("a", "a\0")),
    line("s", 9, '"int"', id=1, **uses("a\ud800", "a")),
    line("s", 10, '"int"', id=1, **uses("a", "a" * 70_000)),
    line("s", 11, {"type": "record", "name": "A", "fields": []}, id=1, **uses("a", "s", 11)),
    line("s", 12, "[" * 5_000, id=1),
    line("s", 13, '{"type": "obj\\u0000"}', id=1, schemaType="JSON"),
]


def test_hostile_lines_leave_the_others(bringer: Bringer) -> None:
    run = bringer.begun()
    good = [line("good", number, '"int"', id=2**31 - number) for number in (1, 2**31 - 1)]
    told = bringer.brought(run, [good[0], *HOSTILE, good[1]])
    assert (told["registered"], len(told["refused"])) == (2, len(HOSTILE))
    gone = bringer.brought(run, [*HOSTILE, good[0]], "deletions")
    assert (gone["deleted"], len(gone["refused"])) == (1, len(HOSTILE))
    assert {one["code"] for one in gone["refused"]} == {"invalid_subject", "version_not_found"}
    assert bringer.brought(run, HOSTILE)["registered"] == 0
    issues = bringer.ok("GET", f"{run}/issues?limit=200")["items"]
    assert len(issues) == 2 * len(HOSTILE) - len(NAMES)
    assert max(len(one["message"]) for one in issues) <= 2_000
