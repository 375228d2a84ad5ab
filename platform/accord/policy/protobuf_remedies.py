"""What to do about a finding in Protobuf files, one line for each rule and direction.

Looking backward the candidate reads and something of it is gone; looking forward it wrote, and what the
reader lacks was added. Presets that hold new against old either way look backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_changes import Difference
from accord.diff.protobuf_files import OPTIONS
from accord.policy.words import Remedy, both

if TYPE_CHECKING:
    from collections.abc import Mapping

LATER = "leave {name} out until every reader has it"
PUT_BACK = Remedy("put {name} back", LATER)
NEW_FIELD = both("leave field {name} as it was in {stored}, and add a field of the new type beside it")
KEEP_FIELD = both("leave field {name} as it was in {stored}")
RESERVE_NUMBER = Remedy("add `reserved` with the number of {name}", LATER)
RESERVE_NAME = Remedy("add `reserved` with the name of {name}, in quotes", LATER)
KEEP_RESERVED = Remedy("reserve again what {stored} reserves", "reserve no more than {stored} does")
SAME_REQUIRED = both("give the label required to the fields that have it in {stored}, and to no others")
ONEOF = both("leave each field in the oneof where {stored} has it, or outside")
KEEP_METHOD = both("leave method {name} as it was in {stored}, and add a new method beside it")
ALLOW_JSON = Remedy(
    "set the feature json_format of {name} back to ALLOW",
    "leave the feature json_format of {name} as {stored} has it",
)

PROTOBUF: Mapping[str, Remedy] = {
    Difference.FILE_NO_DELETE: Remedy("put the file {name} back", LATER),
    Difference.PACKAGE_NO_DELETE: Remedy("keep a file of package {name}", LATER),
    Difference.FILE_SAME_PACKAGE: both("set the package back to {kept}"),
    Difference.FILE_SAME_SYNTAX: both("write the file in {kept} again"),
    Difference.MESSAGE_NO_DELETE: PUT_BACK,
    Difference.PACKAGE_MESSAGE_NO_DELETE: PUT_BACK,
    Difference.SCOPED_MESSAGE_NO_DELETE: PUT_BACK,
    Difference.ENUM_NO_DELETE: PUT_BACK,
    Difference.PACKAGE_ENUM_NO_DELETE: PUT_BACK,
    Difference.SCOPED_ENUM_NO_DELETE: PUT_BACK,
    Difference.EXTENSION_NO_DELETE: PUT_BACK,
    Difference.PACKAGE_EXTENSION_NO_DELETE: PUT_BACK,
    Difference.SERVICE_NO_DELETE: PUT_BACK,
    Difference.PACKAGE_SERVICE_NO_DELETE: PUT_BACK,
    Difference.TYPE_SAME_KIND: both("give the new type another name than {name}"),
    Difference.ROOT_MESSAGE_SAME_NAME: both("set the name of the first message back to {kept}"),
    Difference.EXTENSION_MESSAGE_NO_DELETE: both("leave the same numbers to extensions as {stored}"),
    Difference.FIELD_NO_DELETE: Remedy("put field {name} back, and mark it deprecated", LATER),
    Difference.FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED: RESERVE_NUMBER,
    Difference.FIELD_NO_DELETE_UNLESS_NAME_RESERVED: RESERVE_NAME,
    Difference.FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED: Remedy(
        "add `reserved` with the number of {name}, and again with its name in quotes", LATER
    ),
    Difference.REQUIRED_FIELD_ADDED: Remedy("make field {name} optional", "keep the required field {name}"),
    Difference.REQUIRED_FIELD_REMOVED: Remedy("keep the required field {name}", "make field {name} optional"),
    Difference.FIELD_BECAME_REQUIRED: Remedy(
        "make field {name} optional", "keep the label required of {name}"
    ),
    Difference.FIELD_NO_LONGER_REQUIRED: Remedy(
        "keep the label required of {name}", "make field {name} optional"
    ),
    Difference.MESSAGE_SAME_REQUIRED_FIELDS: SAME_REQUIRED,
    Difference.FIELD_SAME_NUMBER: both("set the number of {name} back to {kept}"),
    Difference.FIELD_SAME_NAME: both("set the name of field {name} back to {kept}"),
    Difference.FIELD_SAME_JSON_NAME: both('set [json_name = "{kept}"] on field {name}'),
    Difference.FIELD_NO_REUSE_OF_RESERVED: Remedy(
        "give {name} a number and a name that were never used", "reserve nothing that {stored} uses"
    ),
    Difference.FIELD_EXTENSION_CONVERSION: both("declare {name} as {stored} does"),
    Difference.FIELD_SAME_TYPE: NEW_FIELD,
    Difference.FIELD_SAME_TYPE_CATEGORY: NEW_FIELD,
    Difference.FIELD_WIRE_COMPATIBLE_SCALAR: NEW_FIELD,
    Difference.FIELD_WIRE_COMPATIBLE_TYPE: NEW_FIELD,
    Difference.FIELD_WIRE_JSON_COMPATIBLE_TYPE: NEW_FIELD,
    Difference.FIELD_SAME_MESSAGE_NAME: NEW_FIELD,
    Difference.FIELD_MESSAGE_CONTENT_COMPATIBLE: both("see what is said of {reader}"),
    Difference.FIELD_MAP_SAME: NEW_FIELD,
    Difference.MAP_KEY_SAME_TYPE: NEW_FIELD,
    Difference.FIELD_SAME_CARDINALITY: KEEP_FIELD,
    Difference.FIELD_WIRE_COMPATIBLE_CARDINALITY: KEEP_FIELD,
    Difference.FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY: KEEP_FIELD,
    Difference.FIELD_SAME_LABEL: KEEP_FIELD,
    Difference.FIELD_SINGULAR_TO_REPEATED: NEW_FIELD,
    Difference.FIELD_REPEATED_TO_SINGULAR: NEW_FIELD,
    Difference.FIELD_SAME_PACKED: Remedy(
        "set [packed = true] on field {name}", "set [packed = false] on field {name}"
    ),
    Difference.FIELD_SAME_DEFAULT: both("set the default of field {name} back to {kept}"),
    Difference.FIELD_SAME_UTF8_VALIDATION: both("set the check of field {name} back to {kept}"),
    Difference.FIELD_UTF8_VALIDATION_ADDED: Remedy(
        "leave the text of field {name} unchecked", "keep the text of field {name} checked"
    ),
    Difference.FIELD_SAME_JAVA_UTF8_VALIDATION: KEEP_FIELD,
    Difference.FIELD_SAME_CPP_STRING_TYPE: KEEP_FIELD,
    Difference.FIELD_SAME_JSTYPE: both("set [jstype = {kept}] on field {name}"),
    Difference.ONEOF_NO_DELETE: PUT_BACK,
    Difference.ONEOF_FIELD_ADDED: Remedy(LATER, "put {name} back into its oneof"),
    Difference.ONEOF_FIELD_NO_DELETE: Remedy(
        "put {name} back into its oneof", "leave {name} out of the oneof until every reader has it"
    ),
    Difference.ONEOF_MULTIPLE_FIELDS_MOVED_IN: ONEOF,
    Difference.ONEOF_FIELD_MOVED_TO_EXISTING: ONEOF,
    Difference.ONEOF_NEW_EXCLUSIVITY: ONEOF,
    Difference.FIELD_SAME_ONEOF: ONEOF,
    Difference.RESERVED_MESSAGE_NO_DELETE: KEEP_RESERVED,
    Difference.RESERVED_ENUM_NO_DELETE: KEEP_RESERVED,
    Difference.ENUM_VALUE_ADDED: Remedy(LATER, "put value {name} back, and mark it deprecated"),
    Difference.ENUM_VALUE_NO_DELETE: Remedy("put value {name} back, and mark it deprecated", LATER),
    Difference.ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED: RESERVE_NUMBER,
    Difference.ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED: RESERVE_NAME,
    Difference.ENUM_VALUE_SAME_NUMBER: both("set the number of {name} back to {kept}"),
    Difference.ENUM_VALUE_SAME_NAME: both("set the names of number {name} back to {kept}, others as aliases"),
    Difference.ENUM_SAME_TYPE: both("set the feature enum_type of {name} back to {kept}"),
    Difference.ENUM_READABLE: Remedy(
        "keep every value of enum {name}, or leave it open",
        "add no value to enum {name}, and leave it closed",
    ),
    Difference.ENUM_SAME_JSON_FORMAT: ALLOW_JSON,
    Difference.MESSAGE_SAME_JSON_FORMAT: ALLOW_JSON,
    Difference.RPC_NO_DELETE: Remedy("put method {name} back, and mark it deprecated", LATER),
    Difference.RPC_SAME_REQUEST_TYPE: KEEP_METHOD,
    Difference.RPC_SAME_RESPONSE_TYPE: KEEP_METHOD,
    Difference.RPC_SAME_CLIENT_STREAMING: KEEP_METHOD,
    Difference.RPC_SAME_SERVER_STREAMING: KEEP_METHOD,
    Difference.RPC_SAME_IDEMPOTENCY_LEVEL: both("set idempotency_level back to {kept}"),
    Difference.MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR: Remedy(
        "leave no_standard_descriptor_accessor off in {name}",
        "leave no_standard_descriptor_accessor on in {name}",
    ),
    Difference.UNSUPPORTED_FEATURE: Remedy(
        "use fields or a map instead of the {reader} of {name}",
        "register under another subject: {name} has {reader} in {stored}",
    ),
    **{kind: both("set the option {name} back to {kept}") for kind in OPTIONS.values()},
}
