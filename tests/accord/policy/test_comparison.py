"""The driver of the walk: recursion, memory, places and the work limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from accord.policy.level_names import parse_level
from tests.accord.avro_texts import allows, avro, record, verdict

if TYPE_CHECKING:
    from accord.formats import ParsedSchema


def with_inner(kind: str, *, probed_first: bool) -> object:
    inner = record(("x", kind), name="S")
    nullable, bare = ("a", ["null", inner if probed_first else "S"]), ("b", "S" if probed_first else inner)
    return record(*((nullable, bare) if probed_first else (bare, nullable)))


def places(new: object, old: object) -> list[tuple[str, str]]:
    return [(finding.location, finding.path) for finding in verdict(avro(new), avro(old)).findings]


def test_a_type_used_twice_is_reported_twice_at_the_place_of_the_first_use() -> None:
    def twice(kind: str) -> object:
        return record(("a", record(("x", kind), name="S")), ("b", "S"))

    assert places(twice("int"), twice("string")) == [
        ("/fields/0/type/fields/0/type", "/fields/0/type/fields/0/type"),
        ("/fields/0/type/fields/0/type", "/fields/1/type/fields/0/type"),
    ]


def test_a_type_first_met_inside_a_union_is_reported_as_java_counts_and_where_it_is() -> None:
    assert places(with_inner("int", probed_first=True), with_inner("string", probed_first=True)) == [
        ("/fields/0/type/1", "/fields/0/type/1"),
        ("/fields/0/type", "/fields/1/type/fields/0/type"),
    ]


def test_a_type_first_met_outside_keeps_its_place() -> None:
    assert places(with_inner("int", probed_first=False), with_inner("string", probed_first=False)) == [
        ("/fields/0/type/fields/0/type", "/fields/0/type/fields/0/type"),
        ("/fields/1/type/1", "/fields/1/type/1"),
    ]


def linked(kind: str) -> object:
    return record(("v", kind), ("next", ["null", "L"]), name="L")


def test_recursive_types_are_compatible_until_a_part_proves_otherwise() -> None:
    assert allows(avro(linked("long")), avro(linked("int")))
    assert not allows(avro(linked("int")), avro(linked("long")))


def mutual(kind: str) -> object:
    """A and B hold each other; A differs in its last field, after B has been looked at.

    The union's probe of A fails. What it found about B on the way rested on A being readable, and so
    must not answer for the field `b`.
    """
    b = record(("a", ["null", "A"]), name="B")
    a = record(("b", ["null", b]), ("v", kind), name="A")
    return record(("u", ["null", a]), ("b", ["null", "B"]))


def test_what_rested_on_a_pair_that_failed_inside_a_probe_is_looked_at_again() -> None:
    findings = verdict(avro(mutual("int")), avro(mutual("string"))).findings
    assert [finding.path for finding in findings] == ["/fields/0/type/1", "/fields/1/type/1"]


def test_a_failed_probe_does_not_poison_a_field_that_is_compared_later() -> None:
    new = record(
        (
            "u",
            [
                record(("b", record(("a", ["null", "x.A"]), name="x.B")), ("v", "int"), name="x.A"),
                record(("b", ["null", "x.B"]), ("v", "string"), name="y.A"),
            ],
        ),
        ("b", "x.B"),
    )
    old = record(
        ("u", record(("b", record(("a", ["null", "x.A"]), name="x.B")), ("v", "string"), name="x.A")),
        ("b", "x.B"),
    )
    findings = verdict(avro(new), avro(old)).findings
    assert [finding.rule for finding in findings] == ["MISSING_UNION_BRANCH", "MISSING_UNION_BRANCH"]


def chain(length: int, kind: str, holder: str) -> object:
    """Record k holds record k-1; all are defined in a field that the other side lacks."""
    links = [record(("v", kind), name="L0")]
    links += [record(("next", ["null", f"L{n}"]), name=f"L{n + 1}") for n in range(length)]
    default = {"name": holder, "type": links, "default": {"v": 0 if kind == "int" else ""}}
    return record(default, ("last", f"L{length}"))


def test_a_chain_longer_than_pythons_stack_is_followed_to_its_end() -> None:
    new, same = avro(chain(1200, "int", "p")), avro(chain(1200, "int", "q"))
    assert allows(new, same)
    assert not allows(new, avro(chain(1200, "string", "q")))


def doubling(kind: str) -> object:
    """Ten levels of records that use the level below ten times: 10^10 differences if all were told."""
    level = record(*((f"v{n}", kind) for n in range(10)), name="L0")
    for depth in range(1, 10):
        uses = ((f"f{n}", f"L{depth - 1}") for n in range(1, 10))
        level = record(("f0", level), *uses, name=f"L{depth}")
    return level


def test_differences_that_multiply_end_the_check() -> None:
    (finding,) = verdict(avro(doubling("int")), avro(doubling("string"))).findings
    assert (finding.rule, finding.location) == ("CHECK_TOO_LARGE", "/")


def crossing(count: int, kind: str) -> object:
    return [
        record(*((f"f{n}", "int") for n in range(20)), ("last", kind), name=f"n{i}.R") for i in range(count)
    ]


def test_unions_that_cross_end_the_check() -> None:
    history = [HistoryEntry(1, avro(crossing(200, "string")))]
    policy = Policy(parse_level("BACKWARD"))
    refused = judge(avro(crossing(200, "int")), history, policy, budget=Budget(50_000, 50_000))
    assert [finding.rule for finding in refused.findings] == ["CHECK_TOO_LARGE"]


def everything_holds_everything(count: int) -> object:
    """Mutually recursive records: following each path by itself would take count! steps."""
    inner: Any = None
    for level in reversed(range(count)):
        fields: list[Any] = [(f"a{n}", ["null", f"R{n}"]) for n in range(level + 1)]
        inner = record(*fields, *([("down", inner)] if inner else []), ("z", "int"), name=f"R{level}")
    return inner


def test_mutually_recursive_types_are_compared_once() -> None:
    schema = avro(everything_holds_everything(35))
    assert allows(schema, schema, level="FULL")


def married(first: str) -> object:
    """A holds B twice, and B holds A."""
    inner = record(("a", ["null", "A"]), name="B")
    return record((first, inner), ("again", "B"), name="A")


def test_what_fits_only_if_an_open_comparison_does_is_taken_up_again() -> None:
    assert allows(avro(married("b")), avro(married("b")), level="FULL")
    assert not allows(avro(married("c")), avro(married("b")))


def used_everywhere(symbols: int, uses: int, letter: str) -> object:
    enum = {"type": "enum", "name": "E", "symbols": [f"{letter}{n}" for n in range(symbols)]}
    return record(("f", enum), *((f"f{n}", "E") for n in range(uses)))


def test_a_difference_costs_what_its_words_are_long() -> None:
    few, many = used_everywhere(2000, 20, "a"), used_everywhere(2000, 2000, "a")
    assert not allows(avro(few), avro(used_everywhere(2000, 20, "b")))
    (finding,) = verdict(avro(many), avro(used_everywhere(2000, 2000, "b"))).findings
    assert finding.rule == "CHECK_TOO_LARGE"


def test_a_small_record_costs_little_beside_a_huge_one() -> None:
    new = [record((f"g{n}", "int"), name=f"n{n}.R") for n in range(500)]
    old = record(*((f"f{n}", "int") for n in range(5000)), name="R")
    (finding,) = judge(
        avro(new),
        [HistoryEntry(1, avro(old))],
        Policy(parse_level("BACKWARD")),
        budget=Budget(10_000, 10_000),
    ).findings
    assert finding.rule == "MISSING_UNION_BRANCH"


def test_the_reasons_of_one_direction_do_not_use_up_the_steps_of_the_other() -> None:
    new, old = avro(["null", with_inner("int", probed_first=True)]), avro(["null", linked("string")])
    policy = Policy(parse_level("FULL"))
    needed = next(steps for steps in range(10, 500) if not too_large(new, old, policy, Budget(steps, steps)))
    assert judge(new, [HistoryEntry(1, old)], policy, budget=Budget(needed, needed)).findings[0].reasons == ()
    assert verdict(new, old, level="FULL").findings[0].reasons


def too_large(new: ParsedSchema, old: ParsedSchema, policy: Policy, budget: Budget) -> bool:
    found = judge(new, [HistoryEntry(1, old)], policy, budget=budget).findings
    return any(finding.rule == "CHECK_TOO_LARGE" for finding in found)
