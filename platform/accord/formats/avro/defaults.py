"""Do the default values of a schema's fields fit their types?

A union's default may fit any branch, as in Avro 1.12. The memory of what was compared keeps nested
unions from multiplying, and a step limit bounds the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.formats.avro.model import Array, Enum, Fixed, Kind, Map, Primitive, Record, Union
from accord.formats.places import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from accord.formats.avro.cursor import Cursor
    from accord.formats.avro.model import Field, Node
    from accord.formats.jsontext import Json

NON_FINITE = frozenset(("NaN", "Infinity", "-Infinity"))
LARGEST_BYTE = "\xff"
DEEPEST = 100  # comparisons inside comparisons; each takes four frames of Python's stack
STEP_WIDTH = 8  # fields or symbols looked through at the price of one step

EXPECTED = {
    Kind.NULL: "null",
    Kind.BOOLEAN: "true or false",
    Kind.INT: "a whole number of 32 bits",
    Kind.LONG: "a whole number of 64 bits",
    Kind.FLOAT: "a number",
    Kind.DOUBLE: "a number",
    Kind.BYTES: "a string of characters up to U+00FF",
    Kind.STRING: "a string",
    Kind.ARRAY: "a list of fitting items",
    Kind.MAP: "an object of fitting values",
    Kind.UNION: "a value of one of the union's types",
    Kind.RECORD: "an object with a fitting value for each field that has no default",
    Kind.ENUM: "one of the enum's symbols",
    Kind.FIXED: "a string of as many characters as the fixed has bytes, up to U+00FF",
}


class _TooMuch(Exception):
    """Checking a default would take too long or nest too deep."""


class DefaultCheck(NamedTuple):
    """A field with a default, and the place of the field in the text."""

    field: Field
    cursor: Cursor


def _width(node: Node) -> int:
    match node:
        case Record():
            return len(node.fields)
        case Enum():
            return len(node.symbols)
        case _:
            return 0


def _is_whole(value: Json, bits: int) -> bool:
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return is_integer and isinstance(value, int) and -(1 << bits) <= value < 1 << bits


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_float(value: Json) -> bool:
    return _is_number(value) or (isinstance(value, str) and value in NON_FINITE)


def _is_bytes(value: Json) -> bool:
    return isinstance(value, str) and all(character <= LARGEST_BYTE for character in value)


PRIMITIVE_TESTS: dict[Kind, Callable[[Json], bool]] = {
    Kind.NULL: lambda value: value is None,
    Kind.BOOLEAN: lambda value: isinstance(value, bool),
    Kind.INT: lambda value: _is_whole(value, 31),
    Kind.LONG: lambda value: _is_whole(value, 63),
    Kind.FLOAT: _is_float,
    Kind.DOUBLE: _is_float,
    Kind.BYTES: _is_bytes,
    Kind.STRING: lambda value: isinstance(value, str),
}


class DefaultChecker:
    """Compares values with types, remembering each pair; ``steps`` bounds the comparisons."""

    def __init__(self, steps: int) -> None:
        self.allowed = steps
        self.left = steps
        self.depth = 0
        self.memory: dict[tuple[int, int], bool] = {}

    def check_all(self, checks: Iterable[DefaultCheck]) -> None:
        """Refuse the first default that does not fit the type of its field."""
        for check in checks:
            try:
                fits = self._fits(check.field.type, check.field.default)
            except _TooMuch as error:
                raise check.cursor.at("default").too_large(str(error)) from None
            if not fits:
                kind = check.field.type.kind
                raise check.cursor.at("default").refusal(
                    f"The default of field {shown(check.field.name)} does not fit its type"
                    f" {kind}; write {EXPECTED[kind]}, or leave the default out"
                )

    def _fits(self, node: Node, value: Json) -> bool:
        key = (id(node), id(value))
        if key not in self.memory:
            self._spend(node)
            self.depth += 1
            self.memory[key] = self._compare(node, value)
            self.depth -= 1
        return self.memory[key]

    def _spend(self, node: Node) -> None:
        self.left -= 1 + _width(node) // STEP_WIDTH
        if self.left < 0:
            sentence = f"Checking the defaults needs more than {self.allowed} steps"
            raise _TooMuch(f"{sentence}; write smaller defaults")
        if self.depth > DEEPEST:
            raise _TooMuch("The default nests too deep; write a flatter one")

    def _compare(self, node: Node, value: Json) -> bool:
        match node:
            case Primitive():
                return PRIMITIVE_TESTS[node.kind](value)
            case Enum():
                return value in node.symbols
            case Fixed():
                return _is_bytes(value) and isinstance(value, str) and len(value) == node.size
            case Array():
                return isinstance(value, list) and all(self._fits(node.items, i) for i in value)
            case Map():
                return isinstance(value, dict) and all(
                    self._fits(node.values, item) for item in value.values()
                )
            case Union():
                return any(self._fits(branch, value) for branch in node.branches)
            case _:
                return isinstance(value, dict) and all(
                    self._member_fits(field, value) for field in node.fields
                )

    def _member_fits(self, field: Field, value: dict[str, Json]) -> bool:
        """A missing member takes the field's own default, which is checked where it is written."""
        if field.name not in value:
            return field.has_default
        return self._fits(field.type, value[field.name])
