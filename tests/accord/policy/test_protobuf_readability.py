"""Sentences about who reads Protobuf, held against Google's own parser for every kind and every preset."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message_factory import GetMessageClass

from accord.model import Direction, Finding, Format, Severity
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.explanation import Texts, explain
from accord.policy.protobuf_readability import is_harmless, is_unreadable
from accord.rules.presets import PRESETS
from tests.accord.protobuf_texts import protobuf

if TYPE_CHECKING:
    from accord.formats.protobuf.schema import ProtobufSchema
    from accord.policy.explanation import ExplainedComparison, Explanation

WHOLE = ("int32", "int64", "uint32", "uint64", "sint32", "sint64")
FIXED = ("fixed32", "sfixed32", "fixed64", "sfixed64")
KINDS = (*WHOLE, *FIXED, "float", "double", "bool", "string", "bytes", "E", "N", "group",
         "map<int32, int32>", "map<string, int32>")  # fmt: skip
READS = "can read"
FAILS = "cannot read"


class Change(NamedTuple):
    """One field before and after, without its name and number."""

    old: str
    new: str


def spelled(kind: str, label: str) -> str:
    return kind if kind.startswith("map") else f"{label} {kind}"


CHANGES = tuple(
    Change(spelled(old, "optional"), spelled(new, "optional"))
    for old, new in product(KINDS, KINDS)
    if old != new
) + tuple(
    Change(spelled(kind, old), spelled(kind, new))
    for kind, (old, new) in product(
        ("int32", "double", "bool", "string", "E", "N", "group"),
        product(("optional", "required", "repeated"), repeat=2),
    )
    if old != new
)


def declared(field: str, number: int) -> str:
    if field.endswith(" group"):
        return f"{field} F{number} = {number} {{ optional int32 x = 1; }}"
    return f"{field} f{number} = {number};"


def text_of(fields: list[str]) -> str:
    own = " ".join(declared(field, place) for place, field in enumerate(fields, 1))
    beside = "message N { optional int32 x = 1; } enum E { A = 0; B = 1; }"
    return f'syntax = "proto2"; package p; message M {{ {own} }} {beside}'


@cache
def schema(text: str) -> ProtobufSchema:
    return protobuf(text)


@cache
def made(text: str) -> Any:
    """A class of Google's runtime for the message M."""
    pool = DescriptorPool()
    pool.Add(schema(text).descriptor)
    return GetMessageClass(pool.FindMessageTypeByName("p.M"))


def explained(old: str, new: str, preset: str, level: str = "FULL") -> Explanation:
    policy = Policy(CONFLUENT_LEVELS[level], preset)
    return explain(judge(schema(new), [HistoryEntry(1, schema(old))], policy), Texts(Format.PROTOBUF, new))


def filled(text: str, values: Any) -> Any:
    """A message with the one field set, or with nothing where there are no values."""
    message = made(text)()
    (field,) = message.DESCRIPTOR.fields
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        key = "7" if field.message_type.fields[0].cpp_type == field.CPPTYPE_STRING else 7
        getattr(message, field.name)[key] = 1
    elif field.message_type is not None:
        held = getattr(message, field.name)
        (held.add() if field.is_repeated else held).x = 7
    elif field.is_repeated:
        getattr(message, field.name).extend(values)
    else:
        setattr(message, field.name, values[-1])
    return message


def samples(kind: str) -> list[list[Any]]:
    if kind in {"float", "double"}:
        return [[1.5, -2.25]]
    if kind == "bool":
        return [[True]]
    if kind in {"string", "bytes"}:
        values = ["\x08\x07", "12", "é"]
        return [[one if kind == "string" else one.encode()] for one in values]
    if kind == "E":
        return [[0, 1]]
    is_unsigned = kind.startswith(("uint", "fixed"))
    is_wide = "64" in kind
    return [[1, 300], [(1 << 62) if is_wide else (1 << 30)], *([] if is_unsigned else [[-1]])]


def read(text: str, message: Any, *, is_json: bool) -> Any:
    """What the reader makes of the field: its value, or nothing where it has none or fails."""
    try:
        if is_json:
            got = Parse(MessageToJson(message), made(text)())
        else:
            got = made(text).FromString(message.SerializeToString())
    except Exception:  # noqa: BLE001  # whichever way it fails
        return None
    fields = got.ListFields()
    return repr(fields[0][1]) if fields else None


@cache
def is_read(writer: str, reader: str) -> tuple[bool, bool]:
    """Whether the field's values are the same for the reader, in binary and in JSON."""
    text, other = text_of([writer]), text_of([reader])
    messages = [filled(text, values) for values in samples(writer.rsplit(maxsplit=1)[-1])]
    if "required" not in writer:
        messages.append(made(text)())
    read_all = []
    for is_json in (False, True):
        pairs = [(read(text, one, is_json=is_json), read(other, one, is_json=is_json)) for one in messages]
        is_complete = "required" in writer or "required" not in reader
        read_all.append(is_complete and all(was == is_ for was, is_ in pairs))
    return read_all[0], read_all[1]


def untrue(side: ExplainedComparison, found: list[Change]) -> list[str]:
    """Sentences about the one field of a comparison that the parser proves wrong."""
    wrong = []
    for one in side.findings:
        field = re.search(r"/messages/M/fields/(\d+)", one.path)
        if field is None or not one.effect:
            continue
        change = found[int(field[1]) - 1]
        is_backward = (side.direction is Direction.BACKWARD) is not one.is_turned
        couple = (change.old, change.new) if is_backward else (change.new, change.old)
        in_binary, in_json = is_read(*couple)
        if (FAILS in one.effect and in_binary) or (READS in one.effect and not (in_binary and in_json)):
            wrong.append(f"{couple[0]} -> {couple[1]}: {one.rule}: {one.effect}")
    return wrong


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_says_what_googles_parser_disproves(preset: str) -> None:
    changes = list(CHANGES)
    old, new = text_of([one.old for one in changes]), text_of([one.new for one in changes])
    told = explained(old, new, preset)
    assert [wrong for side in told.comparisons for wrong in untrue(side, changes)] == []
    assert not [one for one in told.comparisons if READS in one.sentence or "No reader" in one.upgrade]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "change",
    [
        Change("optional string", "optional int64"),
        Change("optional int64", "optional fixed32"),
        Change("optional int32", "required int32"),
    ],
)
def test_what_cannot_be_read_is_never_called_readable(preset: str, change: Change) -> None:
    told = explained(text_of([change.old]), text_of([change.new]), preset, "BACKWARD")
    sentences = [told.summary, *(f"{one.sentence} {one.upgrade}" for one in told.comparisons)]
    sentences += [found.effect for one in told.comparisons for found in one.findings]
    assert not [one for one in sentences if READS in one or "No reader stops" in one]


@pytest.mark.parametrize("preset", ["buf:v2:FILE", "buf:v2:WIRE", "confluent:8.1", "stencil:2025-03"])
def test_what_is_sure_to_fail_is_told(preset: str) -> None:
    (side,) = explained(
        text_of(["optional string"]), text_of(["optional int64"]), preset, "BACKWARD"
    ).comparisons
    assert side.sentence == (
        "Readers on the new schema cannot read the binary data that writers on version 1 wrote."
    )
    assert side.upgrade.startswith(
        "Whoever reads with the new schema stops at records of version 1, or loses values of them"
    )


def test_what_proves_nothing_says_nothing_of_who_reads() -> None:
    old, new = text_of(["optional int32"]), text_of(["optional uint32"])
    refused, passed = (explained(old, new, preset, "BACKWARD").comparisons for preset in
                       ("accord:queue-safe:1", "confluent:8.1"))  # fmt: skip
    assert (refused[0].sentence, refused[0].upgrade) == (
        "The policy does not allow what changed between readers on the new schema and writers on version 1.",
        "",
    )
    assert passed[0].sentence == (
        "The policy finds nothing to refuse between readers on the new schema and writers on version 1."
    )


@pytest.mark.parametrize(
    ("rule", "reader", "writer", "harmless", "unreadable"),
    [
        ("REQUIRED_FIELD_ADDED", "", "", False, True),
        ("FIELD_BECAME_REQUIRED", "", "", False, True),
        ("FIELD_SAME_LABEL", "required", "none", False, True),
        ("FIELD_SAME_LABEL", "repeated", "none", False, False),
        ("FIELD_SAME_TYPE", "int32", "p.E", False, False),
        ("FIELD_WIRE_COMPATIBLE_SCALAR", "string", "p.E", False, True),
        ("FIELD_SAME_TYPE_CATEGORY", "string", "p.N", False, False),
        ("FIELD_SAME_TYPE_CATEGORY", "int32", "map<int32, int32>", False, True),
        ("FIELD_SAME_TYPE", "int64", "sint64", False, False),
        ("FILE_SAME_GO_PACKAGE", "a", "b", True, False),
        ("FILE_SAME_PACKAGE", "a", "b", False, False),
        ("FIELD_NO_DELETE", "", "", False, False),
    ],
)
def test_each_rule_means_what_its_values_prove(
    rule: str, reader: str, writer: str, *, harmless: bool, unreadable: bool
) -> None:
    finding = Finding(rule, Severity.BLOCK, "/", "", "m", reader=reader, writer=writer)
    assert (is_harmless(finding), is_unreadable(finding)) == (harmless, unreadable)
