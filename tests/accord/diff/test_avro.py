"""What the walk emits for one pair of nodes; the differences themselves are tested by the rules."""

from __future__ import annotations

from accord.diff import avro as avro_walk
from accord.diff.avro_changes import BranchMissing, FieldAmbiguous, TypeDiffers
from accord.diff.avro_readable import spelled_type
from accord.diff.changes import Effort, Pair, Probe, Step
from tests.accord.avro_texts import allows, avro, record


def steps(reader: object, writer: object, *, answer: bool = False) -> list[Step]:
    """Drive one walk, giving every question the same answer."""
    walk = avro_walk.walk(Pair(avro(reader).root, avro(writer).root))
    found: list[Step] = []
    step = next(walk, None)
    while step is not None:
        found.append(step)
        try:
            step = walk.send(answer)
        except StopIteration:
            return found
    return found


def kinds(found: list[Step]) -> list[str]:
    return [type(step).__name__ for step in found]


ENUM = {"type": "enum", "name": "E", "symbols": ["A"]}
FIXED = {"type": "fixed", "name": "F", "size": 1}


def test_plain_fields_that_are_read_as_they_are_emit_nothing() -> None:
    assert steps(record(("a", "long")), record(("a", "long"))) == []


def test_inner_types_are_pairs_with_their_steps() -> None:
    found = steps(
        record(("a", "int"), ("b", ENUM)), record(("b", ENUM)) | {"fields": [{"name": "b", "type": ENUM}]}
    )
    assert [step.at for step in found if isinstance(step, Pair)] == [("fields", "1", "type")]


def test_a_union_asks_for_the_likeliest_branch_first() -> None:
    probe, pair = steps(["string", "int", FIXED, ENUM], ENUM, answer=True)
    assert isinstance(probe, Probe)
    assert isinstance(pair, Pair)
    assert getattr(probe.pair.reader, "kind", None) == "enum"
    assert pair.reader is probe.pair.reader


def test_a_union_asks_for_every_branch_before_it_gives_up() -> None:
    found = steps(["string", FIXED, "boolean"], ENUM)
    assert kinds(found) == ["Probe", "Probe", "Probe", "BranchMissing"]
    assert found[-1].nearest == ()  # type: ignore[union-attr]  # the last one is a change


def test_the_closest_branch_explains_what_is_missing() -> None:
    found = steps(["null", record(name="x.R")], record(name="y.R"))
    assert isinstance(found[-1], BranchMissing)
    assert len(found[-1].nearest) == 1


def test_several_branches_of_another_name_explain_nothing() -> None:
    found = steps([record(name="P"), record(name="Q")], record())
    assert isinstance(found[-1], BranchMissing)
    assert found[-1].nearest == ()


def test_plain_branches_need_no_question_unless_they_differ() -> None:
    assert steps(["null", "long"], '"long"') == []
    assert kinds(steps(["null", {"type": "long", "x": 1}], '"int"')) == ["Probe", "Probe", "BranchMissing"]


def test_any_branch_may_read_what_has_no_branch_of_its_kind() -> None:
    reader = ["null", {"type": "long", "x": 1}, {"type": "double", "x": 1}]
    assert kinds(steps(reader, '"int"', answer=True)) == ["Probe", "Pair"]
    assert allows(avro(reader), avro('"int"'))


def test_wide_types_say_how_much_work_they_are() -> None:
    wide = record(*((f"f{n}", "int") for n in range(80)))
    assert steps(wide, wide) == [Effort(160)]
    branches = [record(name=f"R{n}") for n in range(40)]
    assert steps(branches, record(name="R7"), answer=True)[0] == Effort(10)


def test_many_symbols_and_aliases_say_how_much_work_they_are() -> None:
    symbols = {"type": "enum", "name": "E", "symbols": [f"S{n}" for n in range(40)]}
    assert steps(symbols, symbols) == [Effort(10)]
    aliased = record({"name": "a", "type": "int", "aliases": [f"b{n}" for n in range(80)]})
    assert steps(aliased, record(("a", "int"))) == [Effort(11)]


def test_an_ambiguous_field_goes_on_with_the_first_match() -> None:
    reader = record({"name": "a", "type": "int", "aliases": ["b"]})
    found = steps(reader, record(("b", "int"), ("a", "string")))
    assert found[1:-1] == [
        FieldAmbiguous(("fields", "0"), "a", "R", ("a", "b")),
        TypeDiffers(("fields", "0", "type"), "int", "string"),  # type: ignore[arg-type]  # equal to the kinds
    ]


def test_a_type_is_spelled_without_what_is_inside() -> None:
    branches = ["null", "int", "string", record(name="x.R"), {"type": "array", "items": "int"}]
    assert spelled_type(avro(branches).root) == '["null", "int", "string", "x.R", "1 more"]'
    assert spelled_type(avro(branches[:2]).root) == '["null", "int"]'
    assert spelled_type(avro({"type": "map", "values": "int"}).root) == '"map"'
