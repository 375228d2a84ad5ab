"""Rules about the defaults of Avro fields and enums, and about unions."""

from collections.abc import Iterator
from typing import Final

from accord.formats.avro.model import Kind, Map, Node, Record, Union
from accord.lint.avro.nodes import EnumNode, FieldNode, UnionNode
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.table import LINT, Category
from accord.model import Format

# What programs without types of Avro's own cannot tell apart.
FAMILIES: Final = {
    Kind.INT: "numbers",
    Kind.LONG: "numbers",
    Kind.FLOAT: "numbers",
    Kind.DOUBLE: "numbers",
    Kind.STRING: "texts",
    Kind.ENUM: "texts",
    Kind.BYTES: "bytes",
    Kind.FIXED: "bytes",
}
UNKNOWN: Final = ("UNKNOWN", "UNSPECIFIED")


@LINT.rule(Format.AVRO, Category.BASIC)
def avro_enum_default(node: EnumNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every enum has a default symbol.

    Without one a reader fails on the first symbol that was added after it.

    Add a `default` that is one of the symbols and says that the value is not known.
    """
    if node.enum.default is None:
        yield node.hit(f'the enum "{node.enum.name.simple}" has no default symbol')


@LINT.rule(Format.AVRO, Category.STANDARD, "enum_zero_value_suffix")
def avro_enum_zero_symbol(node: EnumNode, asked: LintOptions) -> Iterator[Hit]:
    """The first symbol of an enum is `UNKNOWN` or `UNSPECIFIED`, or ends with `_UNSPECIFIED`.

    It is what many languages hold where nobody set anything, so it must not mean anything else. The option
    `enum_zero_value_suffix` sets the ending.

    Put such a symbol first when the enum is made; in one that is in use, symbols keep their order.
    """
    first = node.enum.symbols[0]
    suffix = asked.enum_zero_value_suffix
    if first not in UNKNOWN and not first.endswith((suffix, "_UNKNOWN")):
        yield node.hit(
            f'the first symbol "{first}" should be "UNKNOWN", or end with "{suffix}"', "symbols", "0"
        )


@LINT.rule(Format.AVRO, Category.STANDARD)
def avro_field_default(node: FieldNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every field has a default.

    A field without one can never be taken out while old readers are about, and never have been added.

    Add a `default`; for a field that may be missing, null with a type such as `["null", "string"]`.
    """
    if not node.field.has_default:
        yield node.hit(f'the field "{node.field.name}" has no default')


@LINT.rule(Format.AVRO, Category.STANDARD)
def avro_optional_null_first(node: FieldNode, _asked: LintOptions) -> Iterator[Hit]:
    """A field that may be null has null first in its union, and null as its default.

    Before Avro 1.12 a default had to be of the first branch, and many tools still read it so.

    Write `"type": ["null", …], "default": null`.
    """
    union = node.field.type
    kinds = [branch.kind for branch in union.branches] if isinstance(union, Union) else []
    is_plain = node.field.has_default and node.field.default is None and kinds[:1] == [Kind.NULL]
    if Kind.NULL in kinds and not is_plain:
        yield node.hit(f'the field "{node.field.name}" may be null, but null is not first and the default')


@LINT.rule(Format.AVRO, Category.BASIC)
def avro_union_ambiguous(node: UnionNode, _asked: LintOptions) -> Iterator[Hit]:
    """The branches of a union can be told apart by their values.

    Programs that write plain values, such as those in Python or JavaScript, must guess between two numbers,
    between a string and an enum, bytes and a fixed type, a map and a record, or two records with fields of
    the same names. They take the first branch that fits, and readers then see another type.

    Keep one branch of each kind; put records that are alike into one record with an enum that says which.
    """
    seen: dict[object, int] = {}
    for at, branch in enumerate(node.union.branches):
        clashing, own = _looks(branch)
        clash = next((seen[look] for look in clashing if look in seen), None)
        if clash is not None:
            yield node.hit(f"branch {at} cannot be told from branch {clash} by its values", str(at))
        for look in own:
            seen.setdefault(look, at)


def _looks(branch: Node) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return the looks that values of a branch may be taken for, and those they have."""
    if isinstance(branch, Record):
        names = frozenset(branch.by_name)
        return (names, Kind.MAP), (names, Kind.RECORD)
    if isinstance(branch, Map):
        return (Kind.RECORD,), (Kind.MAP,)
    family = FAMILIES.get(branch.kind, branch.kind)
    return (family,), (family,)
