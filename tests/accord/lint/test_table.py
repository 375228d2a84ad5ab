"""The table of lint rules: complete rows, ids that stay, names that a profile may use."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.table import LintTable, known_names, lint_rules, rules_named
from accord.model import Format
from accord.rules.table import TABLE

LOCKED = Path(__file__).with_name("ids.lock")


def test_ids_are_those_that_were_published() -> None:
    assert [row.id for row in lint_rules()] == LOCKED.read_text().split()


def test_no_id_is_that_of_a_compatibility_rule() -> None:
    assert not TABLE.rows.keys() & {row.id for row in lint_rules()}


@pytest.mark.parametrize(
    ("category", "count"),
    [("MINIMAL", 5), ("BASIC", 26), ("STANDARD", 35), ("DEFAULT", 35), ("COMMENTS", 7), ("UNARY_RPC", 2)],
)
def test_categories_of_protobuf_are_those_of_buf(category: str, count: int) -> None:
    assert sum(row.format is Format.PROTOBUF for row in rules_named(category)) == count


def test_buf_has_forty_five_rules() -> None:
    assert sum(row.format is Format.PROTOBUF for row in lint_rules()) == 45


def test_a_name_stands_for_its_rule_and_an_old_one_for_nothing() -> None:
    assert [row.id for row in rules_named("SERVICE_SUFFIX")] == ["SERVICE_SUFFIX"]
    assert rules_named("IMPORT_NO_WEAK") == ()
    with pytest.raises(KeyError):
        rules_named("FIELD_NO_DESCRIPTOR")


def test_every_known_name_can_be_used() -> None:
    assert all(isinstance(rules_named(name), tuple) for name in known_names())


def test_options_of_rows_exist() -> None:
    assert {name for row in lint_rules() for name in row.options} <= set(LintOptions.__dataclass_fields__)


def no_docstring(node: int, asked: LintOptions) -> Iterator[Hit]:
    yield Hit(f"{node} {asked}", ())


def no_node(asked: LintOptions) -> Iterator[Hit]:
    """Says something.

    Says what to do.
    """
    yield Hit(str(asked), ())


def well_made(node: int, asked: LintOptions) -> Iterator[Hit]:
    """Says something.

    Says what to do.
    """
    yield Hit(f"{node} {asked}", ())


def test_a_row_needs_words_a_node_and_an_id_of_its_own() -> None:
    table = LintTable()
    register: Callable[[object], object] = table.rule(Format.AVRO, None)  # type: ignore[assignment]  # that is what is tried
    register(well_made)
    for function, said in ((no_docstring, "summary"), (no_node, "node"), (well_made, "already")):
        with pytest.raises(TypeError, match=said):
            register(function)
