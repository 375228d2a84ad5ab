"""The walk over two schemas: it aligns their nodes and says what differs, without judgement.

A format takes part by one entry in `WALKS`. What a difference means is the rule table's business
(`accord.rules`), who reads whose data is the policy's (`accord.policy`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.diff import avro
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.diff.changes import Walk

__all__ = ["WALKS"]

WALKS: Mapping[Format, Walk] = {Format.AVRO: avro.walk}
