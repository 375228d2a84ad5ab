"""What a finding about Protobuf means for data, whichever preset told it.

Which differences are told, and under which rule, is the preset's business; what the wire does is not. So a
finding is called readable only where neither the wire nor JSON can tell the two sides apart, and unreadable
only where the parser is sure to fail or to miss the value. Of all else nothing is said.
Source: the encoding of Protobuf, protobuf-rules 1.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_changes import Difference
from accord.diff.protobuf_kinds import FIXED32, FIXED64, VARINTS, ZIGZAGS
from accord.formats.protobuf.kinds import Kind, Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Finding

VARINT, LENGTH = "varint", "length"
WIRE_TYPES: Mapping[str, str] = {
    **{kind.spelled: VARINT for kind in (*VARINTS, *ZIGZAGS, Kind.BOOL)},
    **{kind.spelled: "32 bits" for kind in (*FIXED32, Kind.FLOAT)},
    **{kind.spelled: "64 bits" for kind in (*FIXED64, Kind.DOUBLE)},
    **{kind.spelled: LENGTH for kind in (Kind.STRING, Kind.BYTES)},
}
# What a name stands for: a message or an enum cannot be told by it, except where the rule says so.
NAMED: Mapping[str, str] = {
    Difference.FIELD_WIRE_COMPATIBLE_SCALAR: VARINT,
    Difference.FIELD_SAME_TYPE_CATEGORY: LENGTH,
}
TYPES = frozenset(
    {
        *NAMED,
        Difference.FIELD_SAME_TYPE,
        Difference.FIELD_WIRE_COMPATIBLE_TYPE,
        Difference.FIELD_WIRE_JSON_COMPATIBLE_TYPE,
        Difference.MAP_KEY_SAME_TYPE,
    }
)
LABELS = frozenset(
    {
        Difference.FIELD_SAME_CARDINALITY,
        Difference.FIELD_WIRE_COMPATIBLE_CARDINALITY,
        Difference.FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY,
        Difference.FIELD_SAME_LABEL,
    }
)
REQUIRED = frozenset({Difference.REQUIRED_FIELD_ADDED, Difference.FIELD_BECAME_REQUIRED})
# Neither bytes nor JSON of any message change with these.
HARMLESS = frozenset(
    {
        Difference.MESSAGE_ADDED,
        Difference.ENUM_ADDED,
        Difference.ENUM_VALUE_ADDED,
        Difference.FIELD_SAME_CPP_STRING_TYPE,
        Difference.FIELD_SAME_JSTYPE,
        Difference.MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR,
        Difference.RESERVED_MESSAGE_NO_DELETE,
        Difference.RESERVED_ENUM_NO_DELETE,
        Difference.SERVICE_NO_DELETE,
        Difference.PACKAGE_SERVICE_NO_DELETE,
        *(one for one in Difference if one.startswith("RPC_")),
        *(one for one in Difference if one.startswith("FILE_SAME_")),
    }
    - {Difference.FILE_SAME_PACKAGE, Difference.FILE_SAME_SYNTAX}
)


def is_harmless(finding: Finding) -> bool:
    """Tell whether neither the wire nor JSON shows the difference."""
    return finding.rule in HARMLESS


def is_unreadable(finding: Finding) -> bool:
    """Tell whether the reader is sure to fail on binary data, or to miss the value that was written."""
    if finding.rule in REQUIRED:
        return True
    if finding.rule in LABELS:
        return finding.reader == Label.REQUIRED
    if finding.rule not in TYPES:
        return False
    new, old = (_wire_type(finding.rule, one) for one in (finding.reader, finding.writer))
    return bool(new and old) and new != old


def _wire_type(rule: str, spelled: str) -> str:
    """Return how values are written, nothing where the name does not tell. A map is a list of messages."""
    if spelled.startswith("map<"):
        return LENGTH
    return WIRE_TYPES.get(spelled) or NAMED.get(rule, "")
