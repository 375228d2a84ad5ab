"""May a consumer with a schema of its own read a subject? The check of Optional-friendly.

Source: json-compat, section 13.2, in the order recommended there. Only producers' schemas are registered;
what a consumer uses is held against them when it is asked about, and never stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from accord.formats import opened
from accord.formats.jsonschema.content import closed
from accord.formats.jsonschema.schema import JsonSchema
from accord.model import Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.comparison import Budget
from accord.policy.judgement import HistoryEntry, judge
from accord.policy.policies import Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats import ParsedSchema

READS_ALL = Policy(CONFLUENT_LEVELS["BACKWARD_TRANSITIVE"])


NOTHING_JUDGED = Verdict()


class Grounds(StrEnum):
    """What shows that a consumer can read a subject."""

    LOOKUP = "lookup"
    ALL_VERSIONS = "all versions"
    SOME_CONSUMER = "some consumer"


@dataclass(frozen=True, slots=True)
class Consumption:
    """The answer: the grounds and the version it found, or None and why not.

    ``verdict`` is that of reading every version as it is registered.
    """

    grounds: Grounds | None
    version: int | None = None
    verdict: Verdict = NOTHING_JUDGED

    @property
    def is_allowed(self) -> bool:
        """True when one of the tests succeeded."""
        return self.grounds is not None


def check_consumer(
    consumer: ParsedSchema, versions: Sequence[HistoryEntry], *, budget: Budget | None = None
) -> Consumption:
    """Tell whether a consumer's schema can read what was written with any of the versions.

    Closed, it may be a registered version; else it must read every version, or be a reduced view of what
    a consumer of some version reads. The last two rest on the subject's being fully transitive.
    """
    shared = budget or Budget()
    registered = _registered(consumer, versions)
    if registered is not None:
        return Consumption(Grounds.LOOKUP, registered.number)
    verdict = judge(consumer, versions, READS_ALL, budget=shared)
    if verdict.is_allowed and versions:
        return Consumption(Grounds.ALL_VERSIONS, verdict=verdict)
    for entry in reversed(versions):
        if shared.left < 0:
            break  # nothing more can be judged
        view = HistoryEntry(entry.number, opened(entry.schema))
        if judge(consumer, [view], READS_ALL, budget=shared).is_allowed:
            return Consumption(Grounds.SOME_CONSUMER, entry.number, verdict)
    return Consumption(None, verdict=verdict)


def _registered(consumer: ParsedSchema, versions: Sequence[HistoryEntry]) -> HistoryEntry | None:
    """Return the newest version that is the consumer's schema with its objects closed."""
    if not isinstance(consumer, JsonSchema):
        return None
    shut = closed(consumer)
    length, wanted = len(shut.comparable()), shut.sorted_text()
    return next((one for one in reversed(versions) if _is_same(one.schema, length, wanted)), None)


def _is_same(schema: ParsedSchema, length: int, wanted: str) -> bool:
    if not isinstance(schema, JsonSchema) or len(schema.comparable()) != length:
        return False  # another order of keys is no other length, which is told at once
    return schema.sorted_text() == wanted
