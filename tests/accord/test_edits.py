"""The edits that tests draw, one by one: an edit that is never made proves nothing."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from tests.accord import edits
from tests.accord.avro_texts import record

if TYPE_CHECKING:
    from hypothesis import strategies as st

ENUM = {"type": "enum", "name": "x.E", "symbols": ["A", "B"], "default": "A"}
FIXED = {"type": "fixed", "name": "F", "namespace": "x", "size": 4}
A = {"name": "a", "type": "int"}


class Drawn:
    """Draws what a test says, in order."""

    def __init__(self, *values: object) -> None:
        self.values = list(values)

    def __call__(self, _strategy: st.SearchStrategy[Any]) -> Any:
        """The next value."""
        return self.values.pop(0)


@pytest.mark.parametrize(
    ("edit", "drawn", "before", "after"),
    [
        (edits.drop_field, [A], record(A, ("b", "int")), record(("b", "int"))),
        (edits.drop_field, [], record(), None),
        (edits.add_field, ["int", "b", False, 1], record(A), record(A, ("b", "int"))),
        (edits.add_field, ["int", "b", True, 7, 0], record(), record({**A, "name": "b", "default": 7})),
        (edits.rename_field, [A, False, "b"], record(A), record(("b", "int"))),
        (edits.rename_field, [A, True, "b"], record(A), record({**A, "name": "b", "aliases": ["a"]})),
        (edits.rename_field, [], record(), None),
        (edits.change_default, [A, 7], record(A), record({**A, "default": 7})),
        (edits.change_default, [{**A, "default": 7}], record({**A, "default": 7}), record(A)),
        (edits.change_default, [], record(("a", ["int"])), None),
        (edits.rename, ["New", "z", False], FIXED, {**FIXED, "name": "New", "namespace": "z"}),
        (edits.rename, ["F", "z", True], FIXED, {**FIXED, "namespace": "z", "aliases": ["x.F"]}),
        (edits.change_symbols, ["C", False], ENUM, {"symbols": ["A", "B", "C"]}),
        (edits.change_symbols, ["A", True], ENUM, {"symbols": ["B"], "default": "B"}),
        (edits.resize, [3], FIXED, {**FIXED, "size": 7}),
        (edits.change_kind, ["long"], "int", "long"),
        (edits.change_kind, ["long"], {"type": "int", "p": 1}, {"type": "long", "p": 1}),
        (edits.add_branch, ["int"], ["null"], ["null", "int"]),
        (edits.drop_branch, [0], ["null", "int"], ["int"]),
        (edits.drop_branch, [], [], None),
        (edits.make_optional, [], "int", ["int", "null"]),
    ],
)
def test_an_edit_makes_one_change(edit: edits.Edit, drawn: list[Any], before: Any, after: Any) -> None:
    held = copy.deepcopy(before)
    # A drawn field is one of the record's own, as it is when hypothesis draws.
    values = [next((one for one in _fields(held) if one == value), value) for value in drawn]
    made = edit(Drawn(*values), held)  # type: ignore[arg-type]  # draws what the row says
    if edit is edits.change_symbols:
        assert made is not None
        assert {key: made[key] for key in after} == after
        assert ("default" in made) is ("default" in after)
    else:
        assert made == after


def _fields(schema: Any) -> list[Any]:
    return list(schema["fields"]) if isinstance(schema, dict) and "fields" in schema else []


def test_slots_are_every_place_of_a_type() -> None:
    union = ["null", {"type": "map", "values": "int"}]
    schema = record(("a", {"type": "array", "items": "long"}), ("b", union))
    found = [edits.at(slot) for slot in edits.slots({edits.ROOT: schema}, edits.ROOT)]
    assert found == [schema, schema["fields"][0]["type"], "long", union, "null", union[1], "int"]


def test_whoever_names_a_renamed_type_follows() -> None:
    holder: dict[str, Any] = {edits.ROOT: record(("one", "x.F"), ("two", ["null", "x.F"]), ("three", "x.G"))}
    edits.follow(holder, "x.F", "z.New")
    assert holder[edits.ROOT] == record(("one", "z.New"), ("two", ["null", "z.New"]), ("three", "x.G"))


def test_an_edit_that_leaves_no_schema_is_noticed() -> None:
    assert edits.is_valid(["int"])
    assert not edits.is_valid(["int", "int"])
