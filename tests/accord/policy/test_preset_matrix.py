"""One change under every preset of its format, and what decides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.errors import InvalidPolicy
from accord.model import Direction, Format
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Budget, HistoryEntry
from accord.policy.explanation import Texts
from accord.policy.preset_matrix import MOST_FINDINGS, judged_by_all, matrix_data, preset_matrix
from accord.policy.verdict_words import VerdictWord
from accord.rules.presets import presets_of
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema
from tests.accord.protobuf_texts import protobuf

if TYPE_CHECKING:
    from accord.formats import ParsedSchema
    from accord.policy.preset_matrix import PresetMatrix

HEAD = 'syntax = "proto3";\nmessage M {\n'
OLD, NEW = f"{HEAD}  int32 a = 1;\n  int32 b = 2;\n}}\n", f"{HEAD}  int64 a = 1;\n}}\n"


def matrix(
    old: ParsedSchema,
    new: ParsedSchema,
    *presets: str,
    level: str = "BACKWARD",
    texts: tuple[str, str] = ("", ""),
) -> PresetMatrix:
    """The matrix of a change; no preset is every one."""
    told = Texts(new.format, texts[1], {3: texts[0]})
    entry = HistoryEntry(3, old)
    return preset_matrix(new, entry, CONFLUENT_LEVELS[level], told, presets=presets or None)


def test_every_preset_of_the_format_is_asked() -> None:
    found = matrix(protobuf(OLD), protobuf(NEW))
    assert tuple(one.preset for one in found.rows) == presets_of(Format.PROTOBUF)
    assert [found.count(word) for word in VerdictWord] == [9, 4, 17]
    assert found.summary == "Of 30 presets 17 refuse the change, 4 warn of it and 9 let it pass."
    assert [one.word for one in found.groups] == sorted(
        (one.word for one in found.groups), key=list(VerdictWord).index
    )


def test_rules_that_decide_are_explained_once_with_places() -> None:
    found = matrix(protobuf(OLD), protobuf(NEW), "buf:v2:FILE", "stencil:2025-03", texts=(OLD, NEW))
    assert found.summary == "Of 2 presets 2 refuse the change, 0 warn of it and 0 let it pass."
    assert [one.presets for one in found.groups] == [("buf:v2:FILE", "stencil:2025-03")]
    ((direction, gone),) = next(one.findings for one in found.rules if one.rule == "FIELD_NO_DELETE")
    assert (direction, gone.new_at, gone.old_at) == (Direction.BACKWARD, (2, 1), (4, 3))
    assert gone.sentence == "version 3 has field b = 2, the new schema does not"


def test_both_directions_are_told_apart() -> None:
    found = matrix(avro(record()), avro(record(("a", "int"))), "confluent:8.1", level="FULL")
    (rule,) = found.rules
    assert [direction for direction, _ in rule.findings] == [Direction.BACKWARD]
    back = matrix(avro(record(("a", "int"))), avro(record()), "confluent:8.1", level="FULL")
    assert [direction for direction, _ in back.rules[0].findings] == [Direction.FORWARD]


def test_what_a_preset_asks_of_the_new_schema_alone_decides_too() -> None:
    plain = json_schema({"type": "object"})
    found = matrix(plain, plain, "accord:queue-safe:1")
    ((direction, _),) = found.rules[0].findings
    assert (found.rules[0].rule, direction) == ("OBJECT_NOT_CLOSED", None)


def test_nothing_decides_where_nothing_differs() -> None:
    found = matrix(avro(record()), avro(record()))
    assert (found.rules, [one.rules for one in found.groups]) == ((), [()])
    assert found.summary == "Of 6 presets 0 refuse the change, 0 warn of it and 6 let it pass."


def test_the_same_thing_said_often_is_cut() -> None:
    fields = [(f"f{number}", "int") for number in range(MOST_FINDINGS + 5)]
    found = matrix(avro(record()), avro(record(*fields)), "confluent:8.1")
    assert (len(found.rules[0].findings), found.rules[0].left_out) == (MOST_FINDINGS, 5)


def test_all_presets_share_the_steps() -> None:
    old, new = avro(record()), avro(record(("a", "int")))
    budget = Budget(60, 60)
    found = judged_by_all(new, [HistoryEntry(1, old)], CONFLUENT_LEVELS["BACKWARD"], budget=budget)
    assert budget.left < 60
    assert {one.deciding for one in found.values()} == {
        ("READER_FIELD_MISSING_DEFAULT_VALUE",),
        ("CHECK_TOO_LARGE",),
    }


def test_a_preset_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidPolicy, match="no preset 'x'"):
        matrix(avro(record()), avro(record()), "x")


def test_a_matrix_is_json() -> None:
    data = matrix_data(matrix(protobuf(OLD), protobuf(NEW), "confluent:8.1", "buf:v2:WIRE", texts=(OLD, NEW)))
    assert json.loads(json.dumps(data)) == data
    assert data["presets"] == [
        {"preset": "confluent:8.1", "verdict": "allowed", "is_compatible": True, "rules": []},
        {
            "preset": "buf:v2:WIRE",
            "verdict": "blocked",
            "is_compatible": False,
            "rules": ["FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED"],
        },
    ]
    assert (data["format"], data["level"]) == ("PROTOBUF", "BACKWARD")
