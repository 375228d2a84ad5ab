"""The guards of the rule table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from accord.diff.avro_changes import NameDiffers, SizeDiffers
from accord.diff.changes import Change
from accord.model import Format, Severity
from accord.rules.examples import examples_of
from accord.rules.table import PRESETS, NodeKind, RuleTable, rule, rule_for, rules

if TYPE_CHECKING:
    from collections.abc import Callable

LOCK = Path(__file__).with_name("ids.lock")


@dataclass(frozen=True, slots=True)
class Odd(Change):
    """A change of the tests' own."""


def locked() -> dict[str, str]:
    """Rule ids of the lock file and their states."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: line.split()[1] for line in lines if not line.startswith("#")}


def test_ids_are_those_of_the_lock_file() -> None:
    assert {row.id for row in rules()} == {id_ for id_, state in locked().items() if state != "removed"}
    assert set(locked().values()) <= {"preview", "stable", "deprecated", "removed"}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_weighs_every_rule_and_no_other(preset: str) -> None:
    assert set(PRESETS[preset]) == {row.id for row in rules()}
    assert all(isinstance(severity, Severity) for severity in PRESETS[preset].values())


def test_a_row_is_made_of_its_function() -> None:
    row = rule("NAME_MISMATCH")
    assert (row.format, row.node, row.since) == (Format.AVRO, NodeKind.NAMED_TYPE, "0.1")
    assert row.summary == "The reader's type has another name than the writer's."
    assert row.explanation.startswith("Names match if")
    assert row.change is NameDiffers
    assert rule_for(NameDiffers((), "a", "b")) is row


def test_rows_are_listed_by_format_and_id() -> None:
    names = [(row.format or "~", row.id) for row in rules()]
    assert names == sorted(names)


def test_an_unknown_id_has_no_row() -> None:
    with pytest.raises(KeyError):
        rule("NO_SUCH_RULE")
    assert examples_of("NO_SUCH_RULE") == ()


def good(change: Odd) -> str:
    """A summary.

    An explanation.
    """
    return str(change)


def like_good(name: str, annotations: dict[str, str], doc: str | None = good.__doc__) -> Callable[[Odd], str]:
    made = FunctionType(good.__code__, good.__globals__, name)
    made.__doc__, made.__annotations__ = doc, annotations
    return made


RIGHT = {"change": "Odd", "return": "str"}


def of_two(change: Odd, other: Odd) -> str:
    """A summary.

    An explanation.
    """
    return f"{change} {other}"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (like_good("undocumented", RIGHT, None), "summary line and an explanation"),
        (like_good("unexplained", RIGHT, "A summary alone."), "summary line and an explanation"),
        (of_two, "takes one change and returns a str"),
        (like_good("of_text", {**RIGHT, "change": "str"}), "takes one change and returns a str"),
        (like_good("without_answer", {**RIGHT, "return": "None"}), "takes one change and returns a str"),
        (like_good("unannotated", {"return": "str"}), "takes one change and returns a str"),
    ],
)
def test_a_function_that_is_no_rule_is_refused(function: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        RuleTable().rule(None, node=NodeKind.SCHEMA, since="9")(function)  # type: ignore[arg-type]  # on purpose


def test_a_taken_id_or_change_is_refused() -> None:
    table = RuleTable()
    register = table.rule(Format.AVRO, node=NodeKind.SCHEMA, since="9")
    assert register(good) is good
    assert table.rows["GOOD"].examples == ()
    with pytest.raises(TypeError, match="the rule id GOOD is taken"):
        register(good)
    with pytest.raises(TypeError, match="BETTER: the change Odd belongs to GOOD"):
        register(like_good("better", RIGHT))


def test_sentences_name_both_values() -> None:
    change = SizeDiffers((), 32, 16)
    assert rule_for(change).sentence(change) == "the reader expects 32 bytes, the data has 16"
