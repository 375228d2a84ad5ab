"""Replaying the registrations of a subject under two policies: the one in force, and one that is proposed.

Every live version is judged once more as its registration would be today: against the live versions before
it, by what is in force today. Modes and waivers take no part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord.model import Format, Severity, Verdict
from accord.policy.inheritance import Binding
from accord.policy.origins import INSTALLED, Valued
from registry.queries.bound_policies import bindings_of, effective_among
from registry.queries.contracts import contract_of_row
from registry.queries.policies import binding_place
from registry.services.candidates import Candidate
from registry.services.contracts import of_group
from registry.services.judging import Models, couples_of, trials_of
from registry.services.requirements import content_findings
from registry.services.situation import situation_of
from registry.services.verdict_changes import change_between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Comparison, Level, SubjectName
    from accord.policy.documents import PolicyDocument
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.dry_run_records import VerdictChange
    from registry.policy_records import PolicyPlace
    from registry.records import HistoryRow
    from registry.services.judging import Couple

# Texts of older versions that are read at a time, unless one alone is longer.
BYTES_AT_ONCE: Final = 4_000_000

# Told how many comparisons come next; raises to stop them.
Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is tried: a level, or a version of a policy; and where."""

    places: tuple[PolicyPlace, ...]
    level: Level | None = None
    document: PolicyDocument | None = None
    version: int = 0

    def beside(self, scope: Scope, bindings: Sequence[Binding], subject: SubjectName) -> list[Binding]:
        """Return what would be bound around a subject: the document instead of what its places have now."""
        if self.document is None:
            return list(bindings)
        places = [binding_place(scope, one) for one in self.places if covers(one, subject)]
        kept = [one for one in bindings if one.place not in places]
        return kept + [Binding(place, self.version, self.document) for place in places]


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two policies, for one subject and format; without bindings a schema is asked for nothing."""

    found: EffectivePolicy
    is_bound: bool

    def says_the_same(self, other: _Side) -> bool:
        mine, yours = ((side.found.policy, side.found.requirements) for side in (self, other))
        return mine == yours


def replay(
    scope: Scope, subject: SubjectName, proposal: Proposal, *, after: int, watch: Watch
) -> Iterator[tuple[int, VerdictChange | None]]:
    """Yield each live version above a number, oldest first, with what would change about its verdict.

    Raises:
        InvalidPolicy: A stored policy cannot be read by this release.
    """
    now = situation_of(scope, subject)
    bindings = bindings_of(scope, now.settings.bound)
    proposed = proposal.beside(scope, bindings, subject)
    sides: dict[Format, tuple[_Side, _Side]] = {}
    for format_ in Format:
        found = effective_among(bindings, subject, format_, now.config)
        other = effective_among(proposed, subject, format_, now.config)
        if proposal.level is not None:
            other = replace(other, values={**other.values, "level": Valued(proposal.level, INSTALLED)})
        sides[format_] = _Side(found, bool(bindings)), _Side(other, bool(proposed))
    if all(old.says_the_same(new) for old, new in sides.values()):
        return
    live = now.usable
    for age, row in enumerate(live):
        if row.number > after:
            carried = contract_of_row(scope, row)
            model = Models(scope, (row,)).of(row)
            candidate = Candidate(model, (), scope.tenant.id, row.content_key, contract=carried)
            either = sides[candidate.parsed.format]
            before = of_group(scope, carried, live[:age], either[0].found.group.value)
            old, new = (
                _verdict(scope, candidate, subject, side, before=before, watch=watch) for side in either
            )
            yield row.number, change_between(old, new)


def covers(place: PolicyPlace, subject: SubjectName) -> bool:
    """Tell whether a place counts for a subject of its namespace."""
    if place.subject is None:
        return True
    if place.subject.context != subject.context:
        return False
    return subject.name.startswith(place.subject.name) if place.is_prefix else subject == place.subject


def _verdict(
    scope: Scope,
    candidate: Candidate,
    subject: SubjectName,
    side: _Side,
    *,
    before: Sequence[HistoryRow],
    watch: Watch,
) -> Verdict:
    own = content_findings(candidate, side.found, subject) if side.is_bound else ()
    if any(finding.severity is Severity.BLOCK for finding in own):
        return Verdict(own=own)
    comparisons: list[Comparison] = []
    for part in parts_of(couples_of(side.found.level.value, before)):
        watch(len(part))
        with trials_of(scope, candidate, side.found.policy, [part]) as trials:
            comparisons += trials.verdict(part).comparisons
        if any(comparison.is_blocked for comparison in comparisons):
            break
    return Verdict(tuple(comparisons), own)


def parts_of(couples: Sequence[Couple]) -> Iterator[Sequence[Couple]]:
    """Cut a long history into parts whose texts fit into memory together; no version is cut in two."""
    first = size = 0
    for place, (row, _) in enumerate(couples):
        if place and row is couples[place - 1].row:
            continue
        if size and size + row.text_bytes > BYTES_AT_ONCE:
            yield couples[first:place]
            first, size = place, 0
        size += row.text_bytes
    yield couples[first:]
