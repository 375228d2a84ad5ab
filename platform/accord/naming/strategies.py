"""Subject-name strategies: which subject the schema of a record belongs to."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from accord.errors import Invalid, error
from accord.model import SubjectName


class Part(StrEnum):
    """The two halves of a Kafka record."""

    KEY = "key"
    VALUE = "value"


class Strategy(StrEnum):
    """The three strategies every Confluent client knows, by their usual short names."""

    TOPIC_NAME = "TopicName"
    RECORD_NAME = "RecordName"
    TOPIC_RECORD_NAME = "TopicRecordName"


@error
class MissingRecordName(Invalid):
    """A strategy needs the record's full name and the schema has none (a primitive, an array, ...)."""

    code: ClassVar[str] = "missing_record_name"
    template: ClassVar[str] = (
        "strategy {strategy} needs a named record and the schema of topic {topic!r} has no name"
    )
    strategy: Strategy
    topic: str


def subject_for(strategy: Strategy, *, topic: str, part: Part, record: str | None = None) -> SubjectName:
    """The subject, in the default context, for one half of a topic's records.

    ``record`` is the full name of the schema (Avro: namespace and name, Protobuf: package and message);
    `MissingRecordName` is raised when the strategy needs it and it is missing.
    """
    if strategy is Strategy.TOPIC_NAME:
        return SubjectName(f"{topic}-{part}")
    if not record:
        raise MissingRecordName(strategy=strategy, topic=topic)
    return SubjectName(record if strategy is Strategy.RECORD_NAME else f"{topic}-{record}")
