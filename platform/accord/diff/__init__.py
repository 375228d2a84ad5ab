"""The walk over two schemas: it aligns their nodes and says what differs, without judgement.

A format takes part by one entry in `WALKS` and one in `SPELLINGS`. What a difference means is the rule
table's business (`accord.rules`), who reads whose data is the policy's (`accord.policy`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff import avro, jsonschema
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.changes import Spelling, Walk

__all__ = ["SPELLINGS", "WALKS"]

WALKS: Mapping[Format, Walk] = {Format.AVRO: avro.walk, Format.JSON: jsonschema.walk}
SPELLINGS: Mapping[Format, Spelling] = {Format.AVRO: avro.spelled, Format.JSON: jsonschema.spelled}
