"""What a policy asks of a new schema by itself: names, docs, owners, size, closed objects."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from accord.formats.places import shown_pointer
from accord.model import Direction, Severity
from accord.policy import judge
from accord.policy.confluent import RESERVED
from accord.policy.places import FindingPlaces
from accord.policy.remedies import remedy
from accord.policy.requirements import check_content, check_files, of_stored
from accord.policy.reserved import reserved_findings
from registry.policy_errors import ContentRefused
from registry.services.contracts import latest_contract
from registry.services.heavy import turn_for
from registry.services.judging import asked_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from accord.formats.protobuf.model import FileSet
    from accord.model import Finding, SchemaText, SubjectName
    from accord.policy.effective import EffectivePolicy
    from accord_server.kit.scope import Scope
    from registry.services.candidates import Candidate
    from registry.services.situation import Situation

MOST_SENTENCES = 20


def own_findings(
    scope: Scope,
    candidate: Candidate,
    policy: EffectivePolicy,
    now: Situation,
    *,
    is_bound: bool | None = None,
) -> tuple[Finding, ...]:
    """Return what is found in a candidate that is compared with nothing but what the latest version reserves.

    ``is_bound`` says whether a policy is in force, where that is not what the situation says.

    Names, docs and lint are those of the text as it was sent, comments included; of a stored text they are
    what can be told without the comments, which are not stored.

    Raises:
        TooBusy: It is large, and so are others just now.
    """
    reserved: tuple[Finding, ...] = ()
    if policy.validate_fields.value:
        reserved = reserved_findings(candidate.parsed, candidate.contract, latest_contract(scope, now))
    asks = bool(now.settings.bound) if is_bound is None else is_bound
    return (*reserved, *(content_findings(candidate, policy, now.subject) if asks else ()))


def content_findings(
    candidate: Candidate, policy: EffectivePolicy, subject: SubjectName
) -> tuple[Finding, ...]:
    """Return what a policy finds in a candidate by itself; raises as `own_findings`."""
    asked = policy.requirements
    if candidate.stored_key is not None:
        asked = of_stored(asked, candidate.parsed.format)
    carried = candidate.contract.properties
    with turn_for(len(candidate.parsed.canonical)):
        about_objects = judge(candidate.parsed, (), policy.policy).own
        about_content = check_content(candidate.sent, asked, subject=subject.name, metadata=carried)
    return (*about_objects, *about_content)


def module_findings(
    files: FileSet, policy: EffectivePolicy, subject: SubjectName, properties: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Return what a policy finds in the own files of a module by themselves, beside lint."""
    return check_files(files.own, policy.requirements, subject=subject.name, metadata=properties)


def require_module_content(subject: SubjectName, found: Sequence[Finding], policy: EffectivePolicy) -> None:
    """Refuse the files of a module for what blocks them by themselves.

    Raises:
        ContentRefused: With the findings.
    """
    blocking = _refusing(found)
    if blocking:
        raise ContentRefused(subject.qualified, _worded(blocking, policy, _at_path), tuple(found))


def require_content(
    subject: SubjectName, found: Sequence[Finding], policy: EffectivePolicy, source: SchemaText
) -> None:
    """Refuse a candidate, whose text is ``source``, for what blocks it by itself.

    What it does to reserved names makes it incompatible, and is told with what else does.

    Raises:
        ContentRefused: With the findings.
    """
    blocking = _refusing(found)
    if blocking:
        raise ContentRefused(subject.qualified, sentences(blocking, policy, source), tuple(found))


def sentences(found: Sequence[Finding], policy: EffectivePolicy, source: SchemaText) -> tuple[str, ...]:
    """Return what blocks in words, the first so many; who mends those sees the others."""
    blocking = _refusing(found)
    if not blocking:
        return ()
    with turn_for(len(source.text)):
        places = FindingPlaces(source.format, reader=source.text, writer="")
        return _worded(blocking, policy, partial(_at_place, places))


def _worded(
    blocking: Sequence[Finding], policy: EffectivePolicy, where: Callable[[Finding], str]
) -> tuple[str, ...]:
    asked = cache(partial(asked_by, policy))
    words = [_sentence(one, asked(one.rule), where(one)) for one in blocking[:MOST_SENTENCES]]
    left = len(blocking) - len(words)
    return (*words, f"and {left} more") if left else tuple(words)


def _refusing(found: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(one for one in found if one.severity is Severity.BLOCK and one.rule not in RESERVED)


def _at_path(found: Finding) -> str:
    return shown_pointer(found.path)


def _at_place(places: FindingPlaces, found: Finding) -> str:
    at = places.locate(found.path)[0].position
    return f"{_at_path(found)} (line {at.line}, column {at.column})"


def _sentence(found: Finding, asked: str, where: str) -> str:
    advice = remedy(found, Direction.BACKWARD, "")
    return f"{found.rule} at {where}: {found.message}; {advice} (asked by {asked})"
