"""The sentences of Confluent's registry for JSON Schema, string for string.

Source: json-compat, section 1 and the column Msg of section 8. The first placeholder of a sentence there is
the reader's side, the second the writer's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYWORD_ABSENT = "The keyword at path '{path}' in the {reader} schema is not present in the {writer} schema"
VALUE_MORE = "The value at path '{path}' in the {reader} schema is more than its value in the {writer} schema"
VALUE_LESS = "The value at path '{path}' in the {reader} schema is less than its value in the {writer} schema"
VALUE_DIFFERENT = "The value at path '{path}' is different between the {reader} and {writer} schema"
FEWER_ELEMENTS = (
    "An array or combined type at path '{path}' has fewer elements in the {reader} schema"
    " than the {writer} schema"
)
MORE_ELEMENTS = (
    "An array or combined type at path '{path}' has more elements in the {reader} schema"
    " than the {writer} schema"
)
TYPE_DIFFERENT = "A type at path '{path}' is different between the {reader} schema and the {writer} schema"
OPEN = (
    "The {reader} schema has an open content model and has a property or item at path"
    " '{path}' which is missing in the {writer} schema"
)
UNOPEN = (
    "The {reader} schema has an unopen content model and has a required property at path"
    " '{path}' which is missing in the {writer} schema"
)
CLOSED = (
    "The {reader} schema has a closed content model and is missing a property or item"
    " present at path '{path}' in the {writer} schema"
)
REMOVED_NOT_COVERED = (
    "A property or item is missing in the {reader} schema but present at path '{path}' in"
    " the {writer} schema and is not covered by its partially open content model"
)
ADDED_NOT_COVERED = (
    "The {reader} schema has a property or item at path '{path}' which is missing in the"
    " {writer} schema and is not covered by its partially open content model"
)
RESERVED_REMOVED = (
    "The {reader} schema has reserved property '{path}' removed from its metadata which is"
    " present in the {writer} schema."
)
RESERVED_CONFLICTS = (
    "The {reader} schema has property at path '{path}' that conflicts with the reserved"
    " properties which is missing in the {writer} schema."
)
NOTHING = ""

# rule id: sentence
JSON_DESCRIPTIONS: Mapping[str, str] = {
    "SCHEMA_ADDED": NOTHING,
    "TYPE_NARROWED": TYPE_DIFFERENT,
    "TYPE_CHANGED": TYPE_DIFFERENT,
    "MAX_LENGTH_ADDED": KEYWORD_ABSENT,
    "MAX_LENGTH_DECREASED": VALUE_LESS,
    "MIN_LENGTH_ADDED": KEYWORD_ABSENT,
    "MIN_LENGTH_INCREASED": VALUE_MORE,
    "PATTERN_ADDED": KEYWORD_ABSENT,
    "PATTERN_CHANGED": VALUE_DIFFERENT,
    "MAXIMUM_ADDED": KEYWORD_ABSENT,
    "MAXIMUM_DECREASED": VALUE_LESS,
    "MINIMUM_ADDED": KEYWORD_ABSENT,
    "MINIMUM_INCREASED": VALUE_MORE,
    "EXCLUSIVE_MAXIMUM_ADDED": KEYWORD_ABSENT,
    "EXCLUSIVE_MAXIMUM_DECREASED": VALUE_LESS,
    "EXCLUSIVE_MINIMUM_ADDED": KEYWORD_ABSENT,
    "EXCLUSIVE_MINIMUM_INCREASED": VALUE_MORE,
    "MULTIPLE_OF_ADDED": KEYWORD_ABSENT,
    "MULTIPLE_OF_EXPANDED": VALUE_MORE,
    "MULTIPLE_OF_CHANGED": VALUE_DIFFERENT,
    "REQUIRED_ATTRIBUTE_ADDED": KEYWORD_ABSENT,
    "MAX_PROPERTIES_ADDED": KEYWORD_ABSENT,
    "MAX_PROPERTIES_DECREASED": VALUE_LESS,
    "MIN_PROPERTIES_ADDED": KEYWORD_ABSENT,
    "MIN_PROPERTIES_INCREASED": VALUE_MORE,
    "ADDITIONAL_PROPERTIES_REMOVED": KEYWORD_ABSENT,
    "ADDITIONAL_PROPERTIES_NARROWED": FEWER_ELEMENTS,
    "DEPENDENCY_ARRAY_ADDED": KEYWORD_ABSENT,
    "DEPENDENCY_ARRAY_EXTENDED": MORE_ELEMENTS,
    "DEPENDENCY_ARRAY_CHANGED": VALUE_DIFFERENT,
    "DEPENDENCY_SCHEMA_ADDED": KEYWORD_ABSENT,
    "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": NOTHING,
    "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": OPEN,
    "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL": OPEN,
    "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL": OPEN,
    "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL": UNOPEN,
    "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL": CLOSED,
    "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": REMOVED_NOT_COVERED,
    "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": ADDED_NOT_COVERED,
    "RESERVED_PROPERTY_REMOVED": RESERVED_REMOVED,
    "RESERVED_PROPERTY_CONFLICTS_WITH_PROPERTY": RESERVED_CONFLICTS,
    "UNEVALUATED_PROPERTIES_REMOVED": KEYWORD_ABSENT,
    "UNEVALUATED_PROPERTIES_NARROWED": FEWER_ELEMENTS,
    "MAX_ITEMS_ADDED": KEYWORD_ABSENT,
    "MAX_ITEMS_DECREASED": VALUE_LESS,
    "MIN_ITEMS_ADDED": KEYWORD_ABSENT,
    "MIN_ITEMS_INCREASED": VALUE_MORE,
    "MAX_CONTAINS_ADDED": KEYWORD_ABSENT,
    "MAX_CONTAINS_DECREASED": VALUE_LESS,
    "MIN_CONTAINS_ADDED": KEYWORD_ABSENT,
    "MIN_CONTAINS_INCREASED": VALUE_MORE,
    "UNIQUE_ITEMS_ADDED": KEYWORD_ABSENT,
    "ADDITIONAL_ITEMS_REMOVED": KEYWORD_ABSENT,
    "ADDITIONAL_ITEMS_NARROWED": FEWER_ELEMENTS,
    "UNEVALUATED_ITEMS_REMOVED": KEYWORD_ABSENT,
    "UNEVALUATED_ITEMS_NARROWED": FEWER_ELEMENTS,
    "ITEM_ADDED_TO_OPEN_CONTENT_MODEL": OPEN,
    "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL": CLOSED,
    "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": REMOVED_NOT_COVERED,
    "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL": ADDED_NOT_COVERED,
    "ENUM_ARRAY_NARROWED": FEWER_ELEMENTS,
    "ENUM_ARRAY_CHANGED": TYPE_DIFFERENT,
    "COMBINED_TYPE_CHANGED": TYPE_DIFFERENT,
    "PRODUCT_TYPE_EXTENDED": MORE_ELEMENTS,
    "SUM_TYPE_NARROWED": FEWER_ELEMENTS,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED": TYPE_DIFFERENT,
    "NOT_TYPE_EXTENDED": MORE_ELEMENTS,
}
