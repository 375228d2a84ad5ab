"""The walk over two schemas: it aligns their nodes and says what differs, without judgement.

A format takes part by one entry in `WALKS` and one in `SPELLINGS`. What a difference means is the rule
table's business (`accord.rules`), who reads whose data is the policy's (`accord.policy`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from accord.diff import avro, jsonschema, protobuf
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.changes import Spelling, Walk
    from accord.diff.protobuf_profile import ProtobufProfile

__all__ = ["SPELLINGS", "WALKS", "Walking"]


class Walking(Protocol):
    """What a format provides: the walk of one comparison."""

    def __call__(self, profile: ProtobufProfile, *, is_swapped: bool) -> Walk:
        """Return a walk; ``is_swapped`` where the reader is the older of the two schemas."""
        ...


def _plain(walk: Walk) -> Walking:
    """A walk that is the same for every preset and either way round."""
    return lambda profile, *, is_swapped: walk  # noqa: ARG005  # the port of the formats


WALKS: Mapping[Format, Walking] = {
    Format.AVRO: _plain(avro.walk),
    Format.JSON: _plain(jsonschema.walk),
    Format.PROTOBUF: protobuf.walk_under,
}
SPELLINGS: Mapping[Format, Spelling] = {
    Format.AVRO: avro.spelled,
    Format.JSON: jsonschema.spelled,
    Format.PROTOBUF: protobuf.spelled,
}
