"""A transitive check over a long history inside one process: what its memory of verdicts saves.

The same check as in `benchmarks.transitive`, by the registry's own service but without server and database.
The yardstick is a candidate that nobody has seen, held against versions that are parsed already. Against it
stand the same check once more, and the check after one more version came, which alone is to be judged.
"""

from __future__ import annotations

import itertools
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from accord.formats import parse
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import Policy
from accord_server.kit.scope import Principal, PrincipalKind, Scope, TenantRef
from benchmarks.harness import Result, Side, compare
from benchmarks.transitive import MOST_OF_COLD, VERSIONS, schema
from registry.queries.standing import History
from registry.records import HistoryRow
from registry.services.candidates import Candidate
from registry.services.judging import judge_history
from registry.services.memory import keep_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TENANT = UUID(int=1)
SCOPE = Scope(TenantRef(TENANT, "bench"), None, Principal(PrincipalKind.OPERATOR, "bench", "bench"))
POLICY = Policy(CONFLUENT_LEVELS["FULL_TRANSITIVE"])
BORN = datetime(2026, 1, 1, tzinfo=UTC)


def candidate(number: int) -> Candidate:
    """The parsed schema of a number."""
    return Candidate(parse(SchemaText(Format.AVRO, schema(number))), (), TENANT)


def version(number: int) -> HistoryRow:
    """A stored version whose schema was parsed before."""
    made = candidate(number)
    keep_model(made.key, made.parsed, ())
    return HistoryRow(
        version_key=number,
        number=number,
        is_deleted=False,
        schema_key=number,
        schema_id=number,
        contract_key=None,
        identity=made.identity,
        equivalence=made.equivalence,
        references=(),
        guid=made.guid,
        born=(BORN, BORN),
        created_by="bench",
        level="NONE",
        text_bytes=len(made.parsed.canonical),
        content_key=made.key[1:],
    )


def history(rows: tuple[HistoryRow, ...]) -> History:
    """The history of these versions, under a stamp that no other one has."""
    return History(rows, rows[-1].version_key, f"{len(rows)} {rows[-1].version_key}")


def costs(candidates: Iterator[Candidate], histories: Iterator[History]) -> Callable[[], float]:
    """Make a run that costs the microseconds of one check of the next candidate."""

    def run() -> float:
        asked, stored = next(candidates), next(histories)
        started = time.perf_counter()
        assert judge_history(SCOPE, asked, POLICY, stored).is_allowed
        return (time.perf_counter() - started) * 1e6

    return run


def results(versions: int = VERSIONS) -> list[Result]:
    """Measure both against checks of candidates that nobody has seen."""
    rows = tuple(version(number) for number in range(1, versions + 1))
    first = itertools.count(2 * versions)
    grown = (history((*rows, version(number))) for number in itertools.count(versions + 1))
    seen = candidate(next(first))
    cold = Side("never seen", costs(map(candidate, first), itertools.repeat(history(rows))))
    known = Side("seen before", costs(itertools.repeat(seen), itertools.repeat(history(rows))))
    newer = Side("one version came since", costs(itertools.repeat(seen), grown))
    title = f"Transitive check over {versions} versions, in process"
    return [
        compare(title, "µs a check", ours=one, yardstick=cold, bar=MOST_OF_COLD) for one in (known, newer)
    ]
