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

    def __call__(self, profile: ProtobufProfile, *, is_swapped: bool, ignores_formats: bool) -> Walk:
        """Return a walk; ``is_swapped`` where the reader is the older of the two schemas.

        ``ignores_formats``: ``format`` of JSON Schema makes no combination with what is no text.
        """
        ...


def _avro(profile: ProtobufProfile, *, is_swapped: bool, ignores_formats: bool) -> Walk:  # noqa: ARG001  # the port
    return avro.walk


def _json(profile: ProtobufProfile, *, is_swapped: bool, ignores_formats: bool) -> Walk:  # noqa: ARG001  # the port
    return jsonschema.walk_without_formats if ignores_formats else jsonschema.walk


def _protobuf(profile: ProtobufProfile, *, is_swapped: bool, ignores_formats: bool) -> Walk:  # noqa: ARG001  # the port
    return protobuf.walk_under(profile, is_swapped=is_swapped)


WALKS: Mapping[Format, Walking] = {
    Format.AVRO: _avro,
    Format.JSON: _json,
    Format.PROTOBUF: _protobuf,
}
SPELLINGS: Mapping[Format, Spelling] = {
    Format.AVRO: avro.spelled,
    Format.JSON: jsonschema.spelled,
    Format.PROTOBUF: protobuf.spelled,
}
