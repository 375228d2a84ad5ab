"""The rule about the options of protovalidate, in its structural half: no CEL expression is run."""

from collections.abc import Callable, Iterator
from typing import Final

from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.model import Message
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf import value_rules
from accord.lint.protobuf.modules import Module
from accord.lint.protobuf.validation import Rules, reader_of
from accord.lint.table import LINT, Category
from accord.model import Format

WELL_KNOWN: Final = "google.protobuf."
WRAPPERS: Final = {
    "float": "FloatValue",
    "double": "DoubleValue",
    "int32": "Int32Value",
    "int64": "Int64Value",
    "uint32": "UInt32Value",
    "uint64": "UInt64Value",
    "bool": "BoolValue",
    "string": "StringValue",
    "bytes": "BytesValue",
}
WRAPPED: Final = frozenset(f"{WELL_KNOWN}{name}" for name in WRAPPERS.values())
# The rules of a family count for these messages besides the scalar of the same name.
MESSAGES: Final = {
    **WRAPPERS,
    "any": "Any",
    "duration": "Duration",
    "timestamp": "Timestamp",
    "field_mask": "FieldMask",
}
NUMBERS: Final = (
    "float",
    "double",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "sint32",
    "sint64",
    "fixed32",
    "fixed64",
    "sfixed32",
    "sfixed64",
)
FAMILIES: Final[dict[str, Callable[[Rules], Iterator[Hit]]]] = {
    **dict.fromkeys(NUMBERS, value_rules.numbers),
    "bool": value_rules.nothing,
    "string": value_rules.texts,
    "bytes": value_rules.blobs,
    "enum": value_rules.enums,
    "any": value_rules.nothing,
    "duration": value_rules.durations,
    "timestamp": value_rules.timestamps,
    "field_mask": value_rules.field_masks,
}
IF_ZERO: Final = "IGNORE_IF_ZERO_VALUE"
ALWAYS: Final = "IGNORE_ALWAYS"


@LINT.rule(Format.PROTOBUF, Category.STANDARD)
def protovalidate(module: Module, _asked: LintOptions) -> Iterator[Hit]:
    """The options of protovalidate fit what they stand on, and some value keeps them.

    Looked at is what can be told without running an expression: rules of another type than the field, bounds
    that nothing keeps, rules that others make superfluous, patterns that RE2 does not take, and groups of
    fields that do not exist. Expressions in CEL and examples are not looked at.

    Take out the option, or write one that the field can keep; see the message for which.
    """
    read = reader_of(module.files)
    if read is None:
        return
    for file in module.own:
        for message in file.all_messages:
            rules = None if message.is_map_entry else read(message)
            if rules is not None:
                yield from _groups(message, rules)
        fields = (field for message in file.all_messages for field in message.fields)
        for field in (*fields, *file.all_extensions):
            found = read(field)
            if found is not None:
                yield from _whole(field, found)


def _groups(message: Message, rules: Rules) -> Iterator[Hit]:
    """Look at the groups of fields of which one may be set."""
    holders: dict[str, list[Rules]] = {}
    for group in rules.inners("oneof"):
        names = list(map(str, group.values("fields")))
        if not names:
            yield group.on_all("a oneof of protovalidate names at least one field")
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                yield group.on_all(f'the field "{name}" is named more than once')
            if name in message.by_name:
                holders.setdefault(name, []).append(group)
            else:
                yield group.on_all(f'the message "{message.name}" has no field "{name}"')
    for name, groups in holders.items():
        if len(groups) > 1:
            yield from (one.on_all(f'the field "{name}" is in more than one oneof') for one in groups)


def _whole(field: Field, rules: Rules) -> Iterator[Hit]:
    """Look at the rules of a field, then at those of its elements, which stand inside."""
    yield from _flags(field, rules)
    if field.is_repeated:
        for family in FAMILIES:
            if family in rules:
                yield rules.hit(
                    family, f"{_told(rules)} is not single, but {rules.spelled(family)} is for one value"
                )
        yield from _items(field, rules)
        yield from _entries(field, rules)
    else:
        yield from _single(field, rules)


def _single(field: Field, rules: Rules) -> Iterator[Hit]:
    """Look at the rules of one value: of a field, of an element, of a key."""
    for name in ("repeated", "map"):
        if name in rules:
            yield rules.hit(name, f"{_told(rules)} takes one value, and {rules.spelled(name)} is for many")
    for family, look in FAMILIES.items():
        inner = rules.inner(family)
        if inner is not None and _fits(field, family):
            yield from look(inner)
        elif inner is not None:
            yield rules.hit(family, f"{_told(rules)} is no {family}, but has {rules.spelled(family)}")


def _fits(field: Field, family: str) -> bool:
    kind = Kind(field.proto.type)
    if kind.is_message:
        return field.type_name == WELL_KNOWN + MESSAGES.get(family, "")
    return kind.spelled == family


def _flags(field: Field, rules: Rules) -> Iterator[Hit]:
    is_required, ignore = rules.flag("required"), rules.word("ignore")
    if is_required and field.is_extension:
        yield rules.hit("required", f"{_told(rules)} is an extension, which cannot be required")
    if is_required and field.oneof is not None:
        yield rules.hit("required", f"{_told(rules)} is in a oneof, so it cannot be required")
    if ignore == ALWAYS and len(rules) > 1:
        yield rules.hit("ignore", f"{_told(rules)} ignores its rules always; take out the others")
    if ignore != IF_ZERO:
        return
    if is_required:
        for name in ("required", "ignore"):
            yield rules.hit(name, f"{_told(rules)} is required, so it is never ignored as empty")
    if field.is_extension:
        yield rules.hit("ignore", f"{_told(rules)} is an extension, which cannot be ignored as empty")
    elif field.has_presence:
        yield rules.hit("ignore", f"{_told(rules)} shows when it is not set, which is ignored anyway")


def _items(field: Field, rules: Rules) -> Iterator[Hit]:
    many = rules.inner("repeated")
    if many is None:
        return
    if field.is_map:
        yield rules.hit("repeated", f"{_told(rules)} is a map, and {rules.spelled('repeated')} is for lists")
        return
    if many.flag("unique") and Kind(field.proto.type).is_message and field.type_name not in WRAPPED:
        yield many.hit("unique", f"{_told(many)} holds messages, which are never told apart")
    yield from value_rules.least_and_most(many, "min_items", "max_items")
    yield from _element(field, many, "items", "an element")


def _entries(field: Field, rules: Rules) -> Iterator[Hit]:
    many = rules.inner("map")
    if many is None:
        return
    if field.entry is None:
        yield rules.hit("map", f"{_told(rules)} is a list, and {rules.spelled('map')} is for maps")
        return
    yield from value_rules.least_and_most(many, "min_pairs", "max_pairs")
    key, value = field.entry.fields
    yield from _element(key, many, "keys", "a key")
    yield from _element(value, many, "values", "a value")


def _element(field: Field, many: Rules, name: str, word: str) -> Iterator[Hit]:
    rules = many.inner(name)
    if rules is None:
        return
    if rules.flag("required"):
        yield rules.hit("required", f"{rules.spelled('required')} says nothing: {word} is always there")
    yield from _flags(field, rules)
    yield from _single(field, rules)


def _told(rules: Rules) -> str:
    return f'the field "{rules.node.name}"'
