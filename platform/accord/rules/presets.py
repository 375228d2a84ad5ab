"""Presets: named columns of severities, one cell for each rule.

Names are pinned to a version, so that an upgrade never changes a verdict silently. ``confluent:8.1``
weighs exactly what Confluent's registry reports, ``confluent:8.1:lenient`` what it reports under its
compatibility policy LENIENT, which speaks of JSON Schema alone. ``optional-friendly:1`` weighs as Confluent
does, but lets every reader have open objects. ``accord:1`` is the house's own: the same refusals as
Confluent's, a warning where data stays readable but changes its meaning or its full name, or is readable by
programs that fill in defaults only, and everything else as information.

``accord:queue-safe:1`` is for topics that many read and write: optional fields may come and go, and nothing
else that says something about data may change, in whatever direction it could be read. It means the same in
every format: a field of Avro is optional if it has a default, a property of JSON Schema if it is not
required. JSON Schema's readers have open objects under it, and new schemas must be closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from accord.diff import protobuf_profile as profiles
from accord.model import Format
from accord.model.verdicts import Severity
from accord.rules import columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.protobuf_profile import ProtobufProfile

OFF, INFO, WARN, BLOCK = Severity.OFF, Severity.INFO, Severity.WARN, Severity.BLOCK
DEFAULT_PRESET = "confluent:8.1"
LENIENT_PRESET = "confluent:8.1:lenient"
OPTIONAL_FRIENDLY_PRESET = "optional-friendly:1"
QUEUE_SAFE_PRESET = "accord:queue-safe:1"
STRICT_PRESET = "accord:strict:1"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a preset makes of two schemas before and while they are compared.

    ``opens_reader`` lets the objects of the reader permit undeclared properties; the writer is always
    taken as it is. ``is_exact``: old and new are used side by side, so a difference counts whichever of the
    two reads, keywords that other presets pass over count as well, and branches are paired by what tells them
    apart; both sides are taken as they are. ``ignores_formats`` passes over ``format`` beside what is no text
    in JSON Schema. ``protobuf`` tells how two sets of Protobuf files are aligned; under ``protobuf_beside``,
    if there is one, they are compared once more, for what the first comparison does not see: that refuses
    nothing.
    """

    opens_reader: bool = False
    is_exact: bool = False
    ignores_formats: bool = False
    protobuf: ProtobufProfile = profiles.CONFLUENT
    protobuf_beside: ProtobufProfile | None = None

    def swaps(self, format_: Format) -> bool:
        """Tell whether FORWARD means that the old schema reads the new one's data.

        Where it does not, new is held against old again: the rules protect both sides by themselves.
        """
        return format_ is not Format.PROTOBUF or self.protobuf.swaps_on_forward


class Protobuf(NamedTuple):
    """What a preset says of Protobuf: a column, how files are aligned, what weighs differently forward.

    ``beside`` is how they are aligned for warnings alone, where that differs.
    """

    column: Mapping[str, Severity]
    profile: ProtobufProfile
    forward: Mapping[str, Severity] = {}
    beside: ProtobufProfile | None = None


PLAIN = Profile()

_NAMES = (
    DEFAULT_PRESET,
    LENIENT_PRESET,
    OPTIONAL_FRIENDLY_PRESET,
    "accord:1",
    QUEUE_SAFE_PRESET,
    STRICT_PRESET,
)
# Cells in the order of the names.
REFUSED = (BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, BLOCK)
NARROWER = REFUSED
LENIENT = (BLOCK, OFF, BLOCK, BLOCK, BLOCK, BLOCK)
# Data is readable all the same, so only who wants nothing to change refuses it.
WIDER = (OFF, OFF, OFF, INFO, BLOCK, BLOCK)
FILLED = (OFF, OFF, OFF, WARN, BLOCK, BLOCK)
DOUBTFUL = FILLED
# An optional field comes or goes, or nothing changes but what a schema says about itself.
FREE = (OFF, OFF, OFF, INFO, OFF, INFO)
# The same, where readers with closed objects cannot cope.
GOING = (BLOCK, OFF, BLOCK, BLOCK, OFF, INFO)
# Told by exact comparisons alone.
UNSEEN = (OFF, OFF, OFF, OFF, BLOCK, BLOCK)

_CELLS = {
    "AMBIGUOUS_FIELD_ALIAS": REFUSED,
    "CHECK_TOO_LARGE": REFUSED,
    "DIFFERENT_SCHEMA_TYPE": REFUSED,
    "DOC_MISSING": REFUSED,
    "ENUM_DEFAULT_CHANGED": WIDER,
    "FIELD_DEFAULT_CHANGED": WIDER,
    "FIELD_FILLED_FROM_DEFAULT": FREE,
    "FIELD_READ_BY_ALIAS": WIDER,
    "FIXED_SIZE_MISMATCH": REFUSED,
    "FROZEN": REFUSED,
    "LIMIT_EXCEEDED": REFUSED,
    "LOGICAL_TYPE_CHANGED": DOUBTFUL,
    "MISSING_ENUM_SYMBOLS": REFUSED,
    "MISSING_UNION_BRANCH": REFUSED,
    "NAMESPACE_CHANGED": DOUBTFUL,
    "NAME_MISMATCH": REFUSED,
    "NAME_PATTERN": REFUSED,
    "OWNER_MISSING": REFUSED,
    "READER_FIELD_MISSING_DEFAULT_VALUE": REFUSED,
    "SYMBOLS_READ_AS_DEFAULT": DOUBTFUL,
    "TYPE_MISMATCH": REFUSED,
    "TYPE_PROMOTED": WIDER,
    "TYPE_READ_BY_ALIAS": WIDER,
    "WRITER_FIELD_NOT_READ": FREE,
    # JSON Schema, in the order of Confluent's list; the last four are our own
    "ID_CHANGED": FREE,
    "DESCRIPTION_CHANGED": FREE,
    "TITLE_CHANGED": FREE,
    "DEFAULT_CHANGED": WIDER,
    "SCHEMA_ADDED": NARROWER,
    "SCHEMA_REMOVED": WIDER,
    "TYPE_EXTENDED": WIDER,
    "TYPE_NARROWED": NARROWER,
    "TYPE_CHANGED": NARROWER,
    "MAX_LENGTH_ADDED": NARROWER,
    "MAX_LENGTH_REMOVED": WIDER,
    "MAX_LENGTH_INCREASED": WIDER,
    "MAX_LENGTH_DECREASED": NARROWER,
    "MIN_LENGTH_ADDED": NARROWER,
    "MIN_LENGTH_REMOVED": WIDER,
    "MIN_LENGTH_INCREASED": NARROWER,
    "MIN_LENGTH_DECREASED": WIDER,
    "PATTERN_ADDED": NARROWER,
    "PATTERN_REMOVED": WIDER,
    "PATTERN_CHANGED": NARROWER,
    "MAXIMUM_ADDED": NARROWER,
    "MAXIMUM_REMOVED": WIDER,
    "MAXIMUM_INCREASED": WIDER,
    "MAXIMUM_DECREASED": NARROWER,
    "MINIMUM_ADDED": NARROWER,
    "MINIMUM_REMOVED": WIDER,
    "MINIMUM_INCREASED": NARROWER,
    "MINIMUM_DECREASED": WIDER,
    "EXCLUSIVE_MAXIMUM_ADDED": NARROWER,
    "EXCLUSIVE_MAXIMUM_REMOVED": WIDER,
    "EXCLUSIVE_MAXIMUM_INCREASED": WIDER,
    "EXCLUSIVE_MAXIMUM_DECREASED": NARROWER,
    "EXCLUSIVE_MINIMUM_ADDED": NARROWER,
    "EXCLUSIVE_MINIMUM_REMOVED": WIDER,
    "EXCLUSIVE_MINIMUM_INCREASED": NARROWER,
    "EXCLUSIVE_MINIMUM_DECREASED": WIDER,
    "MULTIPLE_OF_ADDED": NARROWER,
    "MULTIPLE_OF_REMOVED": WIDER,
    "MULTIPLE_OF_EXPANDED": NARROWER,
    "MULTIPLE_OF_REDUCED": WIDER,
    "MULTIPLE_OF_CHANGED": NARROWER,
    "REQUIRED_ATTRIBUTE_ADDED": NARROWER,
    "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED": FILLED,
    "REQUIRED_ATTRIBUTE_REMOVED": WIDER,
    "MAX_PROPERTIES_ADDED": NARROWER,
    "MAX_PROPERTIES_REMOVED": WIDER,
    "MAX_PROPERTIES_INCREASED": WIDER,
    "MAX_PROPERTIES_DECREASED": NARROWER,
    "MIN_PROPERTIES_ADDED": NARROWER,
    "MIN_PROPERTIES_REMOVED": WIDER,
    "MIN_PROPERTIES_INCREASED": NARROWER,
    "MIN_PROPERTIES_DECREASED": WIDER,
    "ADDITIONAL_PROPERTIES_ADDED": FREE,
    "ADDITIONAL_PROPERTIES_REMOVED": GOING,
    "ADDITIONAL_PROPERTIES_EXTENDED": WIDER,
    "ADDITIONAL_PROPERTIES_NARROWED": LENIENT,
    "DEPENDENCY_ARRAY_ADDED": NARROWER,
    "DEPENDENCY_ARRAY_REMOVED": WIDER,
    "DEPENDENCY_ARRAY_EXTENDED": NARROWER,
    "DEPENDENCY_ARRAY_NARROWED": WIDER,
    "DEPENDENCY_ARRAY_CHANGED": NARROWER,
    "DEPENDENCY_SCHEMA_ADDED": NARROWER,
    "DEPENDENCY_SCHEMA_REMOVED": WIDER,
    "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": NARROWER,
    "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": NARROWER,
    "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL": LENIENT,
    "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": LENIENT,
    "PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL": WIDER,
    "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL": NARROWER,
    "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL": FILLED,
    "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL": FREE,
    "PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL": FREE,
    "PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL": FREE,
    "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL": GOING,
    "PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": FREE,
    "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": LENIENT,
    "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": FREE,
    "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": LENIENT,
    "RESERVED_PROPERTY_REMOVED": NARROWER,
    "RESERVED_PROPERTY_CONFLICTS_WITH_PROPERTY": NARROWER,
    "UNEVALUATED_PROPERTIES_ADDED": FREE,
    "UNEVALUATED_PROPERTIES_REMOVED": GOING,
    "UNEVALUATED_PROPERTIES_EXTENDED": WIDER,
    "UNEVALUATED_PROPERTIES_NARROWED": LENIENT,
    "MAX_ITEMS_ADDED": NARROWER,
    "MAX_ITEMS_REMOVED": WIDER,
    "MAX_ITEMS_INCREASED": WIDER,
    "MAX_ITEMS_DECREASED": NARROWER,
    "MIN_ITEMS_ADDED": NARROWER,
    "MIN_ITEMS_REMOVED": WIDER,
    "MIN_ITEMS_INCREASED": NARROWER,
    "MIN_ITEMS_DECREASED": WIDER,
    "MAX_CONTAINS_ADDED": NARROWER,
    "MAX_CONTAINS_REMOVED": WIDER,
    "MAX_CONTAINS_INCREASED": WIDER,
    "MAX_CONTAINS_DECREASED": NARROWER,
    "MIN_CONTAINS_ADDED": NARROWER,
    "MIN_CONTAINS_REMOVED": WIDER,
    "MIN_CONTAINS_INCREASED": NARROWER,
    "MIN_CONTAINS_DECREASED": WIDER,
    "UNIQUE_ITEMS_ADDED": NARROWER,
    "UNIQUE_ITEMS_REMOVED": WIDER,
    "ADDITIONAL_ITEMS_ADDED": WIDER,
    "ADDITIONAL_ITEMS_REMOVED": NARROWER,
    "ADDITIONAL_ITEMS_EXTENDED": WIDER,
    "ADDITIONAL_ITEMS_NARROWED": NARROWER,
    "UNEVALUATED_ITEMS_ADDED": WIDER,
    "UNEVALUATED_ITEMS_REMOVED": NARROWER,
    "UNEVALUATED_ITEMS_EXTENDED": WIDER,
    "UNEVALUATED_ITEMS_NARROWED": NARROWER,
    "ITEM_ADDED_TO_OPEN_CONTENT_MODEL": NARROWER,
    "ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL": WIDER,
    "ITEM_ADDED_TO_CLOSED_CONTENT_MODEL": WIDER,
    "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL": WIDER,
    "ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL": WIDER,
    "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL": NARROWER,
    "ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": WIDER,
    "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": NARROWER,
    "ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": WIDER,
    "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": NARROWER,
    "ENUM_ARRAY_EXTENDED": WIDER,
    "ENUM_ARRAY_NARROWED": NARROWER,
    "ENUM_ARRAY_CHANGED": NARROWER,
    "COMBINED_TYPE_EXTENDED": WIDER,
    "COMBINED_TYPE_CHANGED": NARROWER,
    "PRODUCT_TYPE_EXTENDED": NARROWER,
    "PRODUCT_TYPE_NARROWED": WIDER,
    "SUM_TYPE_EXTENDED": WIDER,
    "SUM_TYPE_NARROWED": NARROWER,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED": NARROWER,
    "NOT_TYPE_EXTENDED": NARROWER,
    "NOT_TYPE_NARROWED": FREE,
    "PATTERN_UNREADABLE": REFUSED,
    "FORMAT_CHANGED": DOUBTFUL,
    "KEYWORD_CHANGED": UNSEEN,
    "OBJECT_NOT_CLOSED": (OFF, OFF, WARN, OFF, BLOCK, BLOCK),
}

# Presets that speak of every format, then those of one: in the others they weigh what Confluent does.
_PROTOBUF = {
    "confluent:8.1": Protobuf(columns.CONFLUENT_8, profiles.CONFLUENT),
    "confluent:8.1:lenient": Protobuf(columns.CONFLUENT_8, profiles.CONFLUENT),
    "optional-friendly:1": Protobuf(columns.CONFLUENT_8, profiles.CONFLUENT),
    "accord:1": Protobuf(columns.ACCORD, profiles.CONFLUENT, beside=profiles.CONFLUENT_WHOLE),
    "accord:queue-safe:1": Protobuf(columns.QUEUE_SAFE, profiles.ACCORD),
    "accord:strict:1": Protobuf(columns.STRICT, profiles.ACCORD),
    "confluent:7.4": Protobuf(columns.CONFLUENT_7, profiles.CONFLUENT),
    "confluent:next": Protobuf(columns.CONFLUENT_NEXT, profiles.CONFLUENT_NEXT),
    "karapace:2026-06": Protobuf(columns.KARAPACE, profiles.KARAPACE),
    "karapace:protopace": Protobuf(columns.PROTOPACE, profiles.BUF),
    "redpanda:26.1": Protobuf(columns.REDPANDA, profiles.REDPANDA),
    "redpanda:24.2": Protobuf(columns.REDPANDA, profiles.REDPANDA_24),
    "protolock:2024-02": Protobuf(columns.PROTOLOCK, profiles.PROTOLOCK),
    "protolock:2024-02:not-strict": Protobuf(columns.PROTOLOCK_LAX, profiles.PROTOLOCK),
    "apicurio:3.3": Protobuf(columns.APICURIO, profiles.APICURIO),
    **{name: Protobuf(column, profiles.BUF) for name, column in columns.BUF.items()},
    "stencil:2025-03": Protobuf(columns.STENCIL, profiles.STENCIL, columns.STENCIL_FORWARD),
    "pulsar:pip-246": Protobuf(columns.PULSAR_PIP, profiles.PULSAR),
    "pulsar:root": Protobuf(columns.PULSAR_ROOT, profiles.PULSAR),
    "pulsar:2026": Protobuf(columns.PULSAR_2026, profiles.PULSAR),
    "protobuf.dev:binary": Protobuf(columns.GUIDANCE_BINARY, profiles.GUIDANCE),
    "protobuf.dev:json": Protobuf(columns.GUIDANCE_JSON, profiles.GUIDANCE_JSON),
}
_COLUMNS = {
    name: {rule: cells[column] for rule, cells in _CELLS.items()} for column, name in enumerate(_NAMES)
}
_EXACT = frozenset({QUEUE_SAFE_PRESET, STRICT_PRESET})
_OPENING = _EXACT | {OPTIONAL_FRIENDLY_PRESET}

PROTOBUF_PRESETS = frozenset(_PROTOBUF) - frozenset(_NAMES)
PRESETS: Mapping[str, Mapping[str, Severity]] = {
    name: {**_COLUMNS.get(name, _COLUMNS[DEFAULT_PRESET]), **cells.column}
    for name, cells in _PROTOBUF.items()
}
# Where looking forward weighs differently.
FORWARD: Mapping[str, Mapping[str, Severity]] = {
    name: {**PRESETS[name], **cells.forward} for name, cells in _PROTOBUF.items() if cells.forward
}
PROFILES: Mapping[str, Profile] = {
    name: Profile(
        opens_reader=name in _OPENING,
        is_exact=name in _EXACT,
        protobuf=cells.profile,
        protobuf_beside=cells.beside,
    )
    for name, cells in _PROTOBUF.items()
}


def presets_of(format_: Format | None) -> tuple[str, ...]:
    """Return the presets that speak of a format; those that know Protobuf alone are left out elsewhere."""
    return tuple(name for name in PRESETS if format_ is Format.PROTOBUF or name not in PROTOBUF_PRESETS)
