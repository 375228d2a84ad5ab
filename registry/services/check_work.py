"""What a worker does with a check: one version after the other, under a lease.

What was found is written down every second or so, so that a worker that is killed loses that much at most:
once its lease is over, the next worker goes on from there. Two workers on one run do no harm; the later
lease wins.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from accord.errors import AccordError
from accord.model import Format, SchemaText, SubjectName
from registry.models import CheckRun, CheckState
from registry.queries.rows import references_of
from registry.queries.standing import history_of
from registry.services.candidates import prepare
from registry.services.check_progress import (
    ENDS_EARLY,
    TARGETS,
    Progress,
    comparison_to_store,
    policy_of,
    question_in,
    room_left,
    sides_for,
)
from registry.services.explaining import verdict_document
from registry.services.judging import Couple, trials_of
from registry.services.leases import end_under, take_lease, write_under

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord_server.kit.scope import Scope
    from registry.records import HistoryRow
    from registry.services.candidates import Candidate
    from registry.services.leases import Lease

BETWEEN_NOTES_S: Final = 0.5
REPLACED: Final = {
    "error": "reference_replaced",
    "message": "a schema that it refers to was replaced meanwhile",
}


class LeaseLost(Exception):
    """Somebody else works on the run now, or it was cancelled."""


def run_check(scope: Scope, run_key: int) -> bool:
    """Work on a run until it is done; return False if somebody else holds it or it is over.

    Whatever breaks it for good is written down as its result.
    """
    lease = take_lease(scope, CheckRun, run_key)
    if lease is None:
        return False
    row = CheckRun.objects.scoped(scope).get(pk=run_key)
    try:
        _Work(scope, row, lease).do()
    except LeaseLost:
        return True
    except AccordError as error:
        end_under(scope, lease, CheckState.FAILED, {"error": error.code, "message": error.message})
    return True


class _Work:
    """One check in the hands of a worker; an errand is one whose verdict a registration waits for."""

    def __init__(self, scope: Scope, row: CheckRun, lease: Lease) -> None:
        self._scope = scope
        self._row = row
        self._lease = lease
        self._subject = SubjectName(row.name, row.context)
        self._source = SchemaText(Format(row.format), row.text, references_of(row.references))
        self._policy = policy_of(row)
        self._is_errand = TARGETS in row.policy
        self._ends_early = bool(row.policy.get(ENDS_EARLY))
        self._found: list[dict[str, Any]] = list(row.found)

    def do(self) -> None:
        """Compare, and write down the verdict.

        Raises:
            LeaseLost: The run is not ours any more.
        """
        candidate = prepare(self._scope, self._subject, self._source, strict=False)
        targets = [target.version_key for target in candidate.targets]
        if self._row.policy.get(TARGETS, targets) != targets:
            end_under(self._scope, self._lease, CheckState.FAILED, REPLACED)
            return
        rows = {one.version_key: one for one in history_of(self._scope, self._subject)}
        self._compare(candidate, rows)
        live = [rows[key] for key in reversed(self._row.version_keys) if key in rows]
        done = len(self._row.version_keys)
        end_under(self._scope, self._lease, CheckState.DONE, self._result(live), found=self._found, done=done)

    def _compare(self, candidate: Candidate, rows: Mapping[int, HistoryRow]) -> None:
        """Compare with what is left, newest first; most errands end with the version that blocks."""
        noted_at = time.monotonic()
        for age, key in enumerate(self._row.version_keys[self._row.done :], start=self._row.done):
            if key in rows and self._compare_one(candidate, rows[key], age) and self._ends_early:
                return
            if time.monotonic() - noted_at > BETWEEN_NOTES_S:
                noted_at = time.monotonic()
                if not write_under(self._scope, self._lease, done=age + 1, found=self._found):
                    raise LeaseLost

    def _compare_one(self, candidate: Candidate, row: HistoryRow, age: int) -> bool:
        """Note what is found about one version; True if it blocks."""
        sides = sides_for(self._policy.level, row.number, age=age, is_errand=self._is_errand)
        couples = [Couple(row, side) for side in sides]
        with trials_of(self._scope, candidate, self._policy, [couples]) as trials:
            made = [(couple, trials.comparison(couple)) for couple in couples]
        for couple, comparison in made:
            room = room_left(self._found, is_errand=self._is_errand)
            self._found.append(comparison_to_store(couple, comparison, room=room))
        return any(comparison.is_blocked for _, comparison in made)

    def _result(self, live: Sequence[HistoryRow]) -> dict[str, Any]:
        progress, asked = Progress(self._found, live), question_in(self._row, self._source)
        levels = {} if self._is_errand else progress.levels()
        verdict = progress.whole(asked.level)
        result = verdict_document(self._scope, asked, verdict, levels=levels, rows=live)
        for told, left_out in zip(result["comparisons"], progress.left_out(asked.level), strict=True):
            told["left_out"] += left_out
        return result
