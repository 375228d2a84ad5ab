"""What to do about a finding: one line for each rule, with the names and values at hand filled in.

The candidate is all that can still be changed. Looking backward it reads and the stored version wrote;
looking forward it is the other way round. So most rules have two lines.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from accord.diff.jsonschema_changes import WHOLE
from accord.diff.jsonschema_parts import BOUND_KEYWORDS, BOUNDS
from accord.formats.places import shown_pointer
from accord.lint.table import LINT
from accord.model import Direction
from accord.policy.protobuf_remedies import PROTOBUF
from accord.policy.words import Remedy, both
from accord.rules.table import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from accord.model import Finding
    from accord.policy.policies import Policy


MOST_REASONS = 3
SET_BACK = both("set {name} back to {kept}")
TAKE_OUT = both("take {name} out again")
KEEP_PROPERTY = "keep the property {name}"
MAKE_OPTIONAL = 'take {name} out of "required", so that it is optional'
CLOSE = 'add "additionalProperties": false to the object'
FRIENDLY = "use the preset optional-friendly with closed objects, under which optional properties come and go"
KEEP = both("keep {kept} here")
LEAVE = both("leave this part as it is in {stored}")
NEW_FIELD = both("keep the type {kept} here, and add an optional field of another name for the new type")
NEW_PROPERTY = both("keep {kept} here, and add an optional property of another name for the new type")
NEW_KEYWORD = Remedy("take {name} out again; put it into an optional property of another name", "keep {name}")
TAKEN_IN = Remedy("take {name} out again", "put {name} back")
LEFT_OUT = Remedy("put {name} back", "take {name} out again")
# What a bare contains asks for, by the rule about the bound that it implies.
CONTAINED = {"MIN_CONTAINS_ADDED": TAKEN_IN, "MIN_CONTAINS_REMOVED": LEFT_OUT}
UNMATCHED = Remedy("set {reader} back to {writer}", "set {writer} back to {reader}")

AVRO: Mapping[str, Remedy] = {
    "AMBIGUOUS_FIELD_ALIAS": both("remove the alias of field {name} that spells a field of its own"),
    "ENUM_DEFAULT_CHANGED": both("set the default symbol of {name} back to {kept}"),
    "FIELD_DEFAULT_CHANGED": both("set the default of field {name} back: {kept}"),
    "FIELD_READ_BY_ALIAS": both(
        "keep the name {kept}; or add a new optional field and remove the old one, if that is optional"
    ),
    "FIXED_SIZE_MISMATCH": both('set "size" back to {kept}; or use bytes in a new optional field'),
    "LOGICAL_TYPE_CHANGED": both(
        "set the logical type back to {kept}; put the new one into a field of its own"
    ),
    "MISSING_ENUM_SYMBOLS": Remedy(
        'put {writer} back into the enum, or give the enum a "default" that is one of its symbols',
        "leave {writer} out: the enum of {stored} has no default for symbols it does not know",
    ),
    "MISSING_UNION_BRANCH": Remedy(
        "put a branch back into the union that reads {writer}",
        "leave {writer} out of the union; put it into an optional field of its own",
    ),
    "NAMESPACE_CHANGED": Remedy(
        'set the full name back to {writer}, or add "aliases": ["{writer}"]',
        "set the full name back to {reader}",
    ),
    "NAME_MISMATCH": Remedy(
        'set the name back to {writer}, or add "aliases": ["{writer}"]', "set the name back to {reader}"
    ),
    "READER_FIELD_MISSING_DEFAULT_VALUE": Remedy(
        'give field "{name}" a default, such as {example}',
        'keep field "{name}": {stored} gives it no default, so its readers need it',
    ),
    "SYMBOLS_READ_AS_DEFAULT": Remedy("put {writer} back into the enum", "leave {writer} out of the enum"),
    "TYPE_MISMATCH": NEW_FIELD,
    "TYPE_PROMOTED": NEW_FIELD,
    "TYPE_READ_BY_ALIAS": both("set the name back to {kept}"),
}
OTHERS: Mapping[str, Remedy] = {
    "CHECK_TOO_LARGE": both("split the schema, or shorten its {name}"),
    "DOC_MISSING": both("say in a sentence what it holds"),
    "DIFFERENT_SCHEMA_TYPE": both("register the new format under a subject of its own"),
    "FROZEN": both("register under another subject, or ask whoever froze this one"),
    "LIMIT_EXCEEDED": both("split the schema, and let its parts refer to each other"),
    "NAME_PATTERN": both("rename it"),
    "OBJECT_NOT_CLOSED": both(CLOSE),
    "OWNER_MISSING": both('send it with the schema, among the "properties" of its "metadata"'),
    **dict.fromkeys(
        ("RESERVED_NAME_REMOVED", "METADATA_RESERVED_FIELD_REMOVED"),
        both('put the name back into "confluent:reserved" of its "metadata"'),
    ),
    **dict.fromkeys(
        ("RESERVED_NAME_USED", "METADATA_RESERVED_FIELD_IN_USE"), both("give the field another name")
    ),
    "PATTERN_UNREADABLE": both("write the pattern without lookaround and back references"),
}
PROPERTIES: Mapping[str, Remedy] = {
    "DEFAULT_CHANGED": SET_BACK,
    "FORMAT_CHANGED": SET_BACK,
    "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": Remedy(
        f"give {{name}} no type, as in {{name}}: {{{{}}}}; or {FRIENDLY}", KEEP_PROPERTY
    ),
    "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL": both("leave the property {name} as it was"),
    "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": Remedy(
        "declare {name} as what {stored} allows for undeclared properties", KEEP_PROPERTY
    ),
    "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL": Remedy(
        f"{KEEP_PROPERTY}; or {FRIENDLY}", f"leave the property {{name}} out; or {FRIENDLY}"
    ),
    "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": Remedy(
        KEEP_PROPERTY, "declare {name} as what {stored} allows for undeclared properties"
    ),
    "REQUIRED_ATTRIBUTE_ADDED": Remedy(MAKE_OPTIONAL, 'keep {name} in "required"'),
    "REQUIRED_ATTRIBUTE_REMOVED": Remedy('keep {name} in "required"', MAKE_OPTIONAL),
    "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED": Remedy(MAKE_OPTIONAL, 'keep {name} in "required"'),
    **{
        f"REQUIRED_PROPERTY_{how}ADDED_TO_{model}_CONTENT_MODEL": Remedy(MAKE_OPTIONAL, KEEP_PROPERTY)
        for how in ("", "WITH_DEFAULT_")
        for model in ("OPEN", "UNOPEN")
    },
}
PARTS: Mapping[str, Remedy] = {
    **{
        f"{keyword}_{change}": both(f'set "{spelled}" back to what {{stored}} says')
        for keyword, spelled in (
            ("ADDITIONAL_PROPERTIES", "additionalProperties"),
            ("ADDITIONAL_ITEMS", "additionalItems"),
            ("UNEVALUATED_PROPERTIES", "unevaluatedProperties"),
            ("UNEVALUATED_ITEMS", "unevaluatedItems"),
        )
        for change in ("ADDED", "REMOVED", "EXTENDED", "NARROWED")
    },
    **{
        f"DEPENDENCY_{what}": both("set what {name} depends on back to what {stored} says")
        for what in (
            *(f"ARRAY_{change}" for change in ("ADDED", "REMOVED", "EXTENDED", "NARROWED", "CHANGED")),
            *(f"SCHEMA_{change}" for change in ("ADDED", "REMOVED")),
        )
    },
    "UNIQUE_ITEMS_ADDED": Remedy('take "uniqueItems" out again', 'keep "uniqueItems": true'),
    "UNIQUE_ITEMS_REMOVED": Remedy('keep "uniqueItems": true', 'take "uniqueItems" out again'),
    **dict.fromkeys(
        (
            "ENUM_ARRAY_CHANGED",
            "ENUM_ARRAY_EXTENDED",
        ),
        both("allow the same values as {stored}; put new ones into an optional property of their own"),
    ),
    "ENUM_ARRAY_NARROWED": Remedy(
        "put {writer} back among the values",
        "take {writer} out again; put new values into an optional property of their own",
    ),
    "COMBINED_TYPE_CHANGED": KEEP,
    "COMBINED_TYPE_EXTENDED": KEEP,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED": UNMATCHED,
    "KEYWORD_CHANGED": both("set {name} back to what {stored} says"),
    "PRODUCT_TYPE_EXTENDED": TAKEN_IN,
    "SUM_TYPE_NARROWED": LEFT_OUT,
    **dict.fromkeys(
        (
            "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            "ITEM_ADDED_TO_CLOSED_CONTENT_MODEL",
            "ITEM_ADDED_TO_OPEN_CONTENT_MODEL",
            "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL",
            "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL",
            "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            "NOT_TYPE_EXTENDED",
            "PRODUCT_TYPE_NARROWED",
            "SCHEMA_ADDED",
            "SCHEMA_REMOVED",
            "SUM_TYPE_EXTENDED",
        ),
        LEAVE,
    ),
    **dict.fromkeys(("TYPE_CHANGED", "TYPE_EXTENDED", "TYPE_NARROWED"), NEW_PROPERTY),
}
BOUNDED: Mapping[str, Remedy] = {
    **{type_.value: SET_BACK for type_ in BOUNDS.values()},
    **{
        f"{keyword}_{change}": SET_BACK
        for keyword, changes in (
            ("PATTERN", ("ADDED", "REMOVED", "CHANGED")),
            ("MULTIPLE_OF", ("ADDED", "REMOVED", "EXPANDED", "REDUCED", "CHANGED")),
        )
        for change in changes
    },
}
REMEDIES: Mapping[str, Remedy] = {**AVRO, **OTHERS, **PROPERTIES, **PARTS, **BOUNDED, **PROTOBUF}
KEYWORDS = frozenset((*BOUND_KEYWORDS, "pattern", "multipleOf"))
NOTHING = frozenset(("", "none"))
# What differs further in says more.
BEHIND = frozenset((LEAVE, UNMATCHED))
# Their names are words already.
SPOKEN = frozenset(("PRODUCT_TYPE_EXTENDED", "SUM_TYPE_NARROWED", "TYPE_CHANGED"))
UNQUOTED = AVRO.keys() | OTHERS.keys() | PROTOBUF.keys() | SPOKEN


class Stance(StrEnum):
    """Who is advised: a producer, one whose readers are opened already, or a consumer."""

    PRODUCER = "producer"
    FRIENDLY = "friendly"
    CONSUMER = "consumer"


def stance_of(policy: Policy) -> Stance:
    """Return how to advise those whom a policy judges."""
    return Stance.FRIENDLY if policy.profile.opens_reader else Stance.PRODUCER


# What others than producers are told instead.
INSTEAD: Mapping[Stance, Mapping[str, Remedy]] = {
    Stance.PRODUCER: {},
    Stance.FRIENDLY: {
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": Remedy(
            "give {name} no type, as in {name}: {{}}; or begin a new subject, whose objects are closed",
            KEEP_PROPERTY,
        ),
    },
    Stance.CONSUMER: {
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": both(
            "give {name} no type, as in {name}: {{}}, or leave it out: writers may put anything there"
        ),
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL": both(
            "open the object, so that it passes over {name}: accord json open prints the schema so"
        ),
    },
}


def remedy(
    finding: Finding,
    direction: Direction,
    stored: str,
    stance: Stance = Stance.PRODUCER,
    named: Callable[[Finding], str] | None = None,
) -> str:
    """Return what to do about a finding, or the empty text where there is nothing to suggest.

    ``stored`` is what the version is called that the candidate was compared with; ``named`` says where in the
    candidate a finding is. A finding that another registry told of has no values to fill in; it gets what its
    rule says to everybody.
    """
    if finding.rule in LINT.rows:
        return LINT.rows[finding.rule].advice
    found = INSTEAD[stance].get(finding.rule) or REMEDIES.get(finding.rule)
    if finding.reasons and (found in BEHIND or finding.rule == "MISSING_UNION_BRANCH"):
        return _behind(finding, direction, stored, stance, named or _path)
    if found is None:
        return ""
    if found is NEW_PROPERTY and finding.name not in ("", WHOLE):
        found = NEW_KEYWORD
    if found is SET_BACK and finding.name == "contains":
        found = CONTAINED.get(finding.rule, found)
    if finding.is_negated and found is not SET_BACK:
        found = KEEP if found in (NEW_PROPERTY, NEW_KEYWORD) else LEAVE
    if found.has_values and not (finding.name or finding.reader or finding.writer):
        return " ".join(rule(finding.rule).explanation.split())
    is_backward = direction is Direction.BACKWARD
    kept = finding.writer if is_backward else finding.reader
    if found is SET_BACK and kept in NOTHING:
        found = TAKE_OUT
    name = f'"{finding.name}"' if finding.rule not in UNQUOTED else finding.name
    return (found.backward if is_backward else found.forward).format(
        name=name,
        reader=finding.reader,
        writer=finding.writer,
        kept=kept,
        stored=stored,
        example=_default(finding),
    )


def _path(finding: Finding) -> str:
    return finding.path


def _behind(
    finding: Finding, direction: Direction, stored: str, stance: Stance, named: Callable[[Finding], str]
) -> str:
    """Return what to do about what differs inside the branches that were most likely meant."""
    advised = ((named(one), remedy(one, direction, stored, stance, named)) for one in finding.reasons)
    told = dict.fromkeys(f"at {shown_pointer(path)}: {words}" for path, words in advised if words)
    return "; ".join(islice(told, MOST_REASONS)) or LEAVE.backward.format(stored=stored)


def _default(finding: Finding) -> str:
    """Return a default that fits the type of a field that has none."""
    type_ = finding.reader
    if type_.startswith('["null"') or type_ == '"null"':
        return '"default": null'
    ready = {'"array"': "[]", '"map"': "{}"}.get(type_)
    if ready is not None:
        return f'"default": {ready}'
    branches = type_.removeprefix("[").removesuffix("]")
    others = [branch for branch in branches.split(", ") if branch != '"null"']
    return f'"default": null with type ["null", {", ".join(others)}]'
