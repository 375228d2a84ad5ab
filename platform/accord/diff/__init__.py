"""The walk over two schemas: it aligns their nodes and says what differs, without judgement.

A format takes part by one entry in `WALKS` and one in `SPELLINGS`. What a difference means is the rule
table's business (`accord.rules`), who reads whose data is the policy's (`accord.policy`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from accord.diff import avro, jsonschema, jsonschema_exact, protobuf
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.changes import Spelling, Walk
    from accord.diff.protobuf_profile import ProtobufProfile

__all__ = ["SPELLINGS", "WALKS", "Manner", "Walking"]


@dataclass(frozen=True, slots=True)
class Manner:
    """How two schemas are compared; ``is_swapped`` where the reader is the older of the two.

    ``ignores_formats``: ``format`` of JSON Schema makes no combination with what is no text. ``is_exact``:
    nothing that a JSON Schema says about data is passed over, and branches are not crossed.
    """

    protobuf: ProtobufProfile
    is_swapped: bool = False
    ignores_formats: bool = False
    is_exact: bool = False


class Walking(Protocol):
    """What a format provides: the walk of one comparison."""

    def __call__(self, how: Manner) -> Walk:
        """Return a walk."""
        ...


def _avro(how: Manner) -> Walk:  # noqa: ARG001  # the port
    return avro.walk


def _json(how: Manner) -> Walk:
    walk = jsonschema_exact.walk if how.is_exact else jsonschema.walk
    return jsonschema.without_formats(walk) if how.ignores_formats else walk


def _protobuf(how: Manner) -> Walk:
    return protobuf.walk_under(how.protobuf, is_swapped=how.is_swapped)


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
