"""Which kinds of fields are read as which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff.protobuf_profile import Groups
from accord.formats.protobuf.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

VARINTS = (Kind.INT32, Kind.INT64, Kind.UINT32, Kind.UINT64)
ZIGZAGS = (Kind.SINT32, Kind.SINT64)
FIXED32 = (Kind.FIXED32, Kind.SFIXED32)
FIXED64 = (Kind.FIXED64, Kind.SFIXED64)
WIDE = frozenset({Kind.INT64, Kind.UINT64, Kind.SINT64, *FIXED64})


def _grouped(*groups: tuple[Kind, ...]) -> Mapping[Kind, int]:
    """Return the number of each kind's group; a kind in no group stands alone."""
    alone = {kind: -kind for kind in Kind}
    return alone | {kind: place for place, group in enumerate(groups) for kind in group}


SCALARS = {
    Groups.CONFLUENT: _grouped(
        (*VARINTS, Kind.BOOL, Kind.ENUM), ZIGZAGS, (Kind.STRING, Kind.BYTES), FIXED32, FIXED64
    ),
    Groups.BINARY: _grouped(
        (*VARINTS, Kind.BOOL, Kind.ENUM),
        ZIGZAGS,
        (Kind.STRING, Kind.BYTES, Kind.MESSAGE),
        FIXED32,
        FIXED64,
    ),
    Groups.JSON: _grouped(
        (*VARINTS, *ZIGZAGS, *FIXED32, *FIXED64),
        (Kind.FLOAT, Kind.DOUBLE),
        (Kind.STRING, Kind.ENUM),
    ),
}
WIRE = _grouped((*VARINTS, Kind.BOOL), ZIGZAGS, FIXED32, FIXED64)
WIRE_JSON = _grouped((Kind.INT32, Kind.UINT32), (Kind.INT64, Kind.UINT64), FIXED32, FIXED64)


def are_scalars_alike(groups: Groups, reader: Kind, writer: Kind) -> bool:
    """Tell whether data of one scalar kind is read as another, as the system with these groups has it."""
    if groups is Groups.BINARY and {reader, writer} == {Kind.BOOL, Kind.ENUM}:
        return False
    return SCALARS[groups][reader] == SCALARS[groups][writer]
