"""What went wrong, in words for people and as JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from accord.cli.cases import Outcome, Status
from accord.cli.explaining import told
from accord.cli.judging import judged
from accord.cli.output import plain
from accord.cli.reporting.as_json import finding
from accord.cli.reporting.text import explained_lines
from accord.client import RegistryConflict, RegistryInvalid, RegistryRefusal
from accord.errors import AccordError, error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Case, Source
    from accord.cli.sides import RegistrySide


@error
class Incompatible(RegistryConflict):
    """A registry refused a schema; ``outcome`` explains it."""

    template: ClassVar[str] = (
        "the schema is incompatible with what is registered (HTTP {status}, code {error_code})"
    )
    outcome: Outcome = Outcome("", Status.BLOCKED)


@error
class Unfit(RegistryInvalid):
    """A registry's policy refused a schema for what it is; ``outcome`` explains it."""

    template: ClassVar[str] = (
        "the schema does not fulfil what the policy asks of every schema (HTTP {status}, code {error_code})"
    )
    outcome: Outcome = Outcome("", Status.BLOCKED)


def explained_refusal(
    refused: RegistryConflict | RegistryInvalid, side: RegistrySide, new: Source, subject: str
) -> RegistryRefusal:
    """The refusal explained by an Accord registry, or from the stored versions, else in its own words."""
    try:
        outcome = judged(_case(refused, side, new, subject))
    except AccordError:
        return refused
    if outcome.status is not Status.BLOCKED:
        return refused
    kind = Incompatible if isinstance(refused, RegistryConflict) else Unfit
    return kind(refused.status, refused.error_code, refused.details, refused.document, outcome)


def _case(refused: RegistryConflict | RegistryInvalid, side: RegistrySide, new: Source, subject: str) -> Case:
    """The case to explain; only Accord knows why a schema by itself is refused."""
    if isinstance(refused, RegistryConflict):
        return side.compared(new, subject)
    found = side.judge.case(new, subject)
    if found is None:
        raise refused
    return found


def lines(problem: AccordError) -> Iterator[str]:
    """The error for people: a sentence, then what differs with what to do about it."""
    yield plain(problem.message)
    if isinstance(problem, Incompatible | Unfit):
        yield from explained_lines(problem.outcome)


def as_json(problem: AccordError) -> dict[str, object]:
    """The error for programs."""
    made: dict[str, object] = {"code": problem.code, "message": problem.message}
    if isinstance(problem, RegistryRefusal):
        made |= {"status": problem.status, "error_code": problem.error_code, "details": problem.details}
    if isinstance(problem, Incompatible | Unfit):
        made["findings"] = [finding(one) for one in told(problem.outcome)]
    return made
