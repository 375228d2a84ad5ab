"""The differences that the Protobuf walk emits: one class, and a kind for each row of the table.

Kinds that Buf knows have its names; the others are our own, one for each distinction that some system makes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING

from accord.diff.changes import Change, Facts, shortened

if TYPE_CHECKING:
    from accord.diff.changes import RowKey, Tokens


class Difference(StrEnum):
    """What can differ; a member's value is its rule's id."""

    @staticmethod
    def _generate_next_value_(
        name: str,
        start: int,  # noqa: ARG004  # the signature of enum
        count: int,  # noqa: ARG004  # the signature of enum
        last_values: list[str],  # noqa: ARG004  # the signature of enum
    ) -> str:
        return name

    FILE_NO_DELETE = auto()
    PACKAGE_NO_DELETE = auto()
    FILE_SAME_PACKAGE = auto()
    MESSAGE_NO_DELETE = auto()
    PACKAGE_MESSAGE_NO_DELETE = auto()
    SCOPED_MESSAGE_NO_DELETE = auto()
    MESSAGE_ADDED = auto()
    MESSAGE_NO_MOVE = auto()
    ENUM_NO_DELETE = auto()
    PACKAGE_ENUM_NO_DELETE = auto()
    SCOPED_ENUM_NO_DELETE = auto()
    ENUM_ADDED = auto()
    TYPE_SAME_KIND = auto()
    EXTENSION_NO_DELETE = auto()
    PACKAGE_EXTENSION_NO_DELETE = auto()
    EXTENSION_MESSAGE_NO_DELETE = auto()
    SERVICE_NO_DELETE = auto()
    PACKAGE_SERVICE_NO_DELETE = auto()
    ROOT_MESSAGE_SAME_NAME = auto()
    FILE_SAME_SYNTAX = auto()
    FIELD_ADDED = auto()
    FIELD_NO_DELETE = auto()
    FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED = auto()
    FIELD_NO_DELETE_UNLESS_NAME_RESERVED = auto()
    FIELD_NO_DELETE_UNLESS_NAME_AND_NUMBER_RESERVED = auto()
    REQUIRED_FIELD_ADDED = auto()
    REQUIRED_FIELD_REMOVED = auto()
    FIELD_BECAME_REQUIRED = auto()
    FIELD_NO_LONGER_REQUIRED = auto()
    MESSAGE_SAME_REQUIRED_FIELDS = auto()
    FIELD_SAME_NUMBER = auto()
    FIELD_SAME_NAME = auto()
    FIELD_SAME_JSON_NAME = auto()
    FIELD_NO_REUSE_OF_RESERVED = auto()
    FIELD_EXTENSION_CONVERSION = auto()
    FIELD_SAME_TYPE = auto()
    FIELD_SAME_TYPE_CATEGORY = auto()
    FIELD_WIRE_COMPATIBLE_SCALAR = auto()
    FIELD_WIRE_COMPATIBLE_TYPE = auto()
    FIELD_WIRE_JSON_COMPATIBLE_TYPE = auto()
    FIELD_SAME_MESSAGE_NAME = auto()
    FIELD_MESSAGE_CONTENT_COMPATIBLE = auto()
    FIELD_SAME_CARDINALITY = auto()
    FIELD_WIRE_COMPATIBLE_CARDINALITY = auto()
    FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY = auto()
    FIELD_SAME_LABEL = auto()
    FIELD_SINGULAR_TO_REPEATED = auto()
    FIELD_REPEATED_TO_SINGULAR = auto()
    FIELD_SAME_PACKED = auto()
    FIELD_MAP_SAME = auto()
    MAP_KEY_SAME_TYPE = auto()
    FIELD_SAME_DEFAULT = auto()
    FIELD_SAME_UTF8_VALIDATION = auto()
    FIELD_UTF8_VALIDATION_ADDED = auto()
    FIELD_SAME_JAVA_UTF8_VALIDATION = auto()
    FIELD_SAME_CPP_STRING_TYPE = auto()
    FIELD_SAME_JSTYPE = auto()
    ONEOF_ADDED = auto()
    ONEOF_NO_DELETE = auto()
    ONEOF_FIELD_ADDED = auto()
    ONEOF_FIELD_NO_DELETE = auto()
    ONEOF_MULTIPLE_FIELDS_MOVED_IN = auto()
    ONEOF_FIELD_MOVED_TO_EXISTING = auto()
    ONEOF_NEW_EXCLUSIVITY = auto()
    FIELD_SAME_ONEOF = auto()
    RESERVED_MESSAGE_NO_DELETE = auto()
    RESERVED_ENUM_NO_DELETE = auto()
    ENUM_VALUE_ADDED = auto()
    ENUM_VALUE_NO_DELETE = auto()
    ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED = auto()
    ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED = auto()
    ENUM_VALUE_SAME_NUMBER = auto()
    ENUM_VALUE_SAME_NAME = auto()
    ENUM_SAME_TYPE = auto()
    ENUM_READABLE = auto()
    ENUM_SAME_JSON_FORMAT = auto()
    MESSAGE_SAME_JSON_FORMAT = auto()
    RPC_NO_DELETE = auto()
    RPC_SAME_REQUEST_TYPE = auto()
    RPC_SAME_RESPONSE_TYPE = auto()
    RPC_SAME_CLIENT_STREAMING = auto()
    RPC_SAME_SERVER_STREAMING = auto()
    RPC_SAME_IDEMPOTENCY_LEVEL = auto()
    MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR = auto()
    FILE_SAME_CC_ENABLE_ARENAS = auto()
    FILE_SAME_CC_GENERIC_SERVICES = auto()
    FILE_SAME_CSHARP_NAMESPACE = auto()
    FILE_SAME_GO_PACKAGE = auto()
    FILE_SAME_JAVA_GENERIC_SERVICES = auto()
    FILE_SAME_JAVA_MULTIPLE_FILES = auto()
    FILE_SAME_JAVA_OUTER_CLASSNAME = auto()
    FILE_SAME_JAVA_PACKAGE = auto()
    FILE_SAME_OBJC_CLASS_PREFIX = auto()
    FILE_SAME_OPTIMIZE_FOR = auto()
    FILE_SAME_PHP_CLASS_PREFIX = auto()
    FILE_SAME_PHP_METADATA_NAMESPACE = auto()
    FILE_SAME_PHP_NAMESPACE = auto()
    FILE_SAME_PY_GENERIC_SERVICES = auto()
    FILE_SAME_RUBY_PACKAGE = auto()
    FILE_SAME_SWIFT_PREFIX = auto()
    METADATA_RESERVED_FIELD_REMOVED = auto()
    METADATA_RESERVED_FIELD_IN_USE = auto()
    UNSUPPORTED_FEATURE = auto()


@dataclass(frozen=True, slots=True)
class Differs(Change):
    """A difference of a kind: what it is about, and the two values as texts, where there are any.

    ``lost`` is the place in the writer's files of what is gone, or was elsewhere.
    """

    kind: Difference
    name: str = ""
    reader: str = ""
    writer: str = ""
    lost: Tokens = ()

    @property
    def row(self) -> RowKey:
        """The rule table has a row for each kind."""
        return self.kind

    @property
    def detail(self) -> str:
        """Both values; the name where there is none."""
        sides = (("reader", self.reader), ("writer", self.writer))
        values = [f"{side}: {shortened(value)}" for side, value in sides if value]
        return ", ".join(values) or shortened(self.name)

    @property
    def facts(self) -> Facts:
        """Name and values, cut to what a sentence can hold."""
        return Facts(shortened(self.name), shortened(self.reader), shortened(self.writer))
