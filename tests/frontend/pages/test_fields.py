"""What a Protobuf file declares, as its page lists it."""

from __future__ import annotations

import pytest

from accord.model import Format
from frontend.pages import fields
from frontend.pages.fields import Declaration, FieldRow, TypePart, fields_panel

TEXT = """syntax = "proto2";
package demo;
message Order {
  reserved 2, 5 to 6, 9 to max;
  reserved "old";
  optional int64 id = 1;
  map<string, Line> lines = 3;
  oneof paid { string card = 8; group Cash = 7 { optional int32 coins = 1; } }
  message Line { repeated string tags = 1; }
  enum State { NEW = 0; DONE = 1; }
  extend Order { optional int32 inner = 101; }
  extensions 100 to 110;
}
enum Size { BIG = 0; reserved 7; }
extend Order { optional int32 extra = 100; optional group Box = 102 { } }
service Orders { rpc Put(stream Order) returns (Order); rpc Get(Order) returns (stream Order); }
"""


def declared() -> dict[tuple[str, str], Declaration]:
    panel = fields_panel(TEXT, Format.PROTOBUF)
    assert panel is not None
    assert (panel.package, panel.is_cut) == ("demo", False)
    return {(one.kind, f"{one.name}{len(one.rows)}"): one for one in panel.declarations}


def test_fields_stand_in_the_order_of_their_numbers() -> None:
    order = declared()["message", "Order4"]
    assert order.rows == (
        FieldRow(1, "id", (TypePart("optional "), TypePart("int64"))),
        FieldRow(3, "lines", (TypePart("map<string, "), TypePart("Line", "Order.Line"), TypePart(">"))),
        FieldRow(7, "Cash", (TypePart("group "), TypePart("Cash", "Order.Cash")), "paid"),
        FieldRow(8, "card", (TypePart("string"),), "paid"),
    )
    assert order.reserved == '2, 5 to 6, 9 to max, "old"'


def test_nested_types_enums_extensions_and_services_are_listed() -> None:
    found = declared()
    assert list(found) == [
        ("message", "Order4"),
        ("message", "Order.Cash1"),
        ("message", "Order.Line1"),
        ("enum", "Order.State2"),
        ("extend", "Order1"),
        ("enum", "Size1"),
        ("extend", "Order2"),
        ("message", "Box0"),
        ("service", "Orders2"),
    ]
    assert found["enum", "Size1"].reserved == "7"
    assert ["".join(part.text for part in row.type) for row in found["service", "Orders2"].rows] == [
        "stream Order → Order",
        "Order → stream Order",
    ]


def test_what_is_nested_is_moved_in() -> None:
    found = declared()
    assert {name: one.depth for (_, name), one in found.items() if one.depth} == {
        "Order.Cash1": 1,
        "Order.Line1": 1,
        "Order.State2": 1,
        "Order1": 1,
    }
    deep = "message M { " * 9 + "}" * 9
    panel = fields_panel(deep, Format.PROTOBUF)
    assert panel is not None
    assert [one.indent for one in panel.declarations] == [0, 1, 2, 3, 4, 4, 4, 4, 4]


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("C", "A.B.C"),
        ("B.C", "A.B.C"),
        ("A", "A"),
        ("E", "E"),
        ("a.b.E", "E"),
        ("b.E", "E"),
        (".a.b.A.B", "A.B"),
        (".A.B", ""),
        ("other.E", ""),
        ("string", ""),
    ],
)
def test_types_of_the_same_file_are_found_as_protobuf_finds_them(written: str, target: str) -> None:
    inner = f"message A {{ message B {{ message C {{}} optional {written} field = 1; }} }}"
    panel = fields_panel(f"package a.b; {inner} enum E {{ NONE = 0; }}", Format.PROTOBUF)
    assert panel is not None
    (row,) = next(one for one in panel.declarations if one.name == "A.B").rows
    assert row.type[-1] == TypePart(written, target)


def test_without_a_package_names_are_as_they_are() -> None:
    panel = fields_panel("message A { optional A again = 1; optional .A more = 2; }", Format.PROTOBUF)
    assert panel is not None
    assert [row.type[-1].target for row in panel.declarations[0].rows] == ["A", "A"]


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("{}", Format.AVRO),
        ('syntax = "proto3";', Format.PROTOBUF),
        ("message {", Format.PROTOBUF),
        ("message M {" * 100, Format.PROTOBUF),
    ],
)
def test_there_is_nothing_to_list(text: str, format_: Format) -> None:
    assert fields_panel(text, format_) is None


@pytest.mark.parametrize(
    ("most", "names", "last_rows", "is_cut"),
    [
        (5, ["Order"], 4, True),
        (3, ["Order"], 2, True),
        (1, ["Order"], 0, True),
        (8, ["Order", "Order.Cash", "Order.Line"], 0, True),
        (22, 9, 1, True),
        (23, 9, 2, False),
    ],
)
def test_a_long_list_is_cut_where_the_room_ends(
    monkeypatch: pytest.MonkeyPatch, most: int, names: list[str] | int, last_rows: int, *, is_cut: bool
) -> None:
    monkeypatch.setattr(fields, "MOST_ROWS", most)
    panel = fields_panel(TEXT, Format.PROTOBUF)
    assert panel is not None
    shown = [one.name for one in panel.declarations]
    assert names in (shown, len(shown))
    assert (len(panel.declarations[-1].rows), panel.is_cut) == (last_rows, is_cut)
