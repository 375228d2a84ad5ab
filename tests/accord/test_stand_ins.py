"""The stand-ins do what the ports ask of them."""

from __future__ import annotations

from accord.model import Format
from tests.accord.stand_ins import ForeignSchema


def test_a_foreign_schema_stands_for_its_text() -> None:
    foreign = ForeignSchema("text", Format.PROTOBUF)
    assert foreign.normalized() is foreign
    assert foreign.resolved() == foreign.comparable() == "text"
