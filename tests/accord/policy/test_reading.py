"""May a reader read a subject? Every version by itself, and one answer."""

from __future__ import annotations

from accord.model import Level, Severity
from accord.policy import HistoryEntry, Policy
from accord.policy.consumers import Grounds
from accord.policy.reading import can_read
from tests.accord.avro_texts import avro, record
from tests.accord.json_texts import json_schema

AVRO = [HistoryEntry(1, avro(record(("a", "string")))), HistoryEntry(2, avro(record(("a", "int"))))]


def test_a_reader_of_avro_must_read_every_version() -> None:
    both = can_read(avro(record()), AVRO)
    assert (both.grounds, both.is_allowed, both.unread) == (Grounds.ALL_VERSIONS, True, ())
    one = can_read(avro(record(("a", "long"))), AVRO)
    assert (one.is_allowed, one.unread) == (False, (1,))
    assert [comparison.version for comparison in one.versions] == [1, 2]


def test_nothing_to_read_proves_nothing() -> None:
    assert not can_read(avro(record()), []).is_allowed


def test_the_policy_weighs_what_is_found() -> None:
    lax = Policy(Level(), overrides={"TYPE_MISMATCH": Severity.WARN})
    assert can_read(avro(record(("a", "int"))), AVRO, policy=lax).is_allowed


def test_a_consumer_of_json_schema_may_be_a_registered_version_opened() -> None:
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    found = can_read(
        json_schema({**closed, "additionalProperties": True}), [HistoryEntry(7, json_schema(closed))]
    )
    assert (found.grounds, found.version, found.unread) == (Grounds.LOOKUP, 7, ())
