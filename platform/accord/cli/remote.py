"""The word of an Accord registry: its verdict on a schema, under the policy in force there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from accord.cli.cases import Case, Older, Outcome, Source, Status
from accord.cli.deciding import Decision
from accord.cli.output import progress
from accord.client import RegistryDenied, RegistryNotFound, RegistryRefusal, RegistryUnreadable
from accord.client.checks import PATIENCE_S, Patience
from accord.client.verdicts import RemoteVerdict, ask_verdict, await_verdict
from accord.naming import parse_subject
from accord.policy import Policy
from accord.policy.level_names import read_level
from accord.policy.verdict_words import VerdictWord

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from accord.client import RegistryClient
    from accord.model import SchemaText

NEW_SUBJECT = "new: the registry shows no subject {subject}"


@dataclass(slots=True)
class Judge:
    """An Accord registry that is asked for verdicts; one that turns out to be another is asked once.

    ``patience`` is how many seconds it may take over one of them.
    """

    client: RegistryClient
    patience: float = PATIENCE_S
    is_foreign: bool = field(default=False, init=False)

    def case(self, new: Source, subject: str, *, level: str = "") -> Case | None:
        """The case of a schema with its verdict, or None where the registry is none of Accord's.

        Raises `accord.client.RegistryRefusal` where it does not take the schema or the question, and what
        else `accord.client.RegistryClient` and `accord.client.checks.await_check` raise.
        """
        if self.is_foreign or not self.client.is_namespace:
            return None
        found = self._asked(new, subject, level)
        if found is None:
            return None
        # Who left a check to a worker is Accord, so whatever goes wrong from here on is told.
        verdict = found if isinstance(found, RemoteVerdict) else self._awaited(found, subject)
        return self._case(new, subject, verdict)

    def _asked(self, new: Source, subject: str, level: str) -> RemoteVerdict | UUID | None:
        try:
            return ask_verdict(self.client, parse_subject(subject), new.schema, level=level)
        except RegistryUnreadable:
            self.is_foreign = True
        except RegistryRefusal as problem:
            # Accord's own interface names each of its refusals by a word.
            self.is_foreign = not isinstance(problem.error_code, str)
            if not self.is_foreign:
                raise
        return None

    def _awaited(self, check: UUID, subject: str) -> RemoteVerdict:
        with progress(subject, "versions are compared") as tell:
            return await_verdict(self.client, check, Patience(self.patience, tell))

    def _case(self, new: Source, subject: str, verdict: RemoteVerdict) -> Case:
        compared = {one.version for one in verdict.explanation.comparisons if one.version is not None}
        numbers = compared or self._versions(subject)
        notes = () if numbers is None or numbers else (NEW_SUBJECT.format(subject=subject),)
        named = ", ".join(verdict.policies)
        decision = Decision(
            Policy(read_level(verdict.level), verdict.preset),
            document=f"policy {named}" if named else "",
            origins=dict(verdict.origins),
        )
        history = tuple(older(new.schema, subject, number) for number in sorted(numbers or ()))
        return Case(new, history, decision, subject, notes, verdict=verdict)

    def _versions(self, subject: str) -> Iterable[int] | None:
        """The live versions, none where there is no such subject; None where they may not be seen."""
        try:
            return self.client.versions(parse_subject(subject))
        except RegistryNotFound:
            return ()
        except RegistryDenied:
            return None


def older(schema: SchemaText, subject: str, number: int) -> Older:
    """A version whose text only the registry read."""
    source = Source(f"{subject} version {number}", replace(schema, text="", references=()))
    return Older(source, f"version {number}", number)


def remote_outcome(case: Case, verdict: RemoteVerdict) -> Outcome:
    """The outcome of a case on which the registry gave its verdict."""
    return Outcome(
        case.new.name,
        Status.ALLOWED if verdict.explanation.is_allowed else Status.BLOCKED,
        case,
        verdict.explanation,
        case.notes,
        has_warnings=verdict.word is VerdictWord.WARNED,
        levels=lambda: verdict.levels,
    )
