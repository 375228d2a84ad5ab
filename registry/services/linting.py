"""Lint of candidates and of stored versions, by the policy in force or by rules that the caller names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from accord.lint.profile import LintProfile
from accord.lint.protobuf.comments import without_comments
from accord.lint.schemas import lint_schema
from accord.lint.table import Category
from accord.model import Format, Verdict
from accord.policy.explanation import Explanation, Texts, explain, finding_data
from registry.errors import VersionNotFound
from registry.queries.visibility import admit
from registry.services.compatibility import candidate_for, policy_for
from registry.services.explaining import tried_binding
from registry.services.heavy import length_of, turn_for
from registry.services.judging import Models
from registry.services.situation import situation_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.formats import ParsedSchema
    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from registry.records import CheckCandidate

Json = dict[str, Any]
# What counts where no policy names rules: hints, which refuse nothing.
HINTS: Final = (Category.STANDARD.value,)


@dataclass(frozen=True, slots=True)
class VersionLint:
    """What lint says of a stored version.

    ``is_asked`` is False where no policy asks for lint and the findings are hints. ``has_comments`` is False
    of a version that was stored without; then ``is_certain`` tells whether comments had no say anyway.
    """

    found: Explanation
    is_asked: bool
    has_comments: bool
    is_certain: bool


def lint_candidate(scope: Scope, command: CheckCandidate, *, use: Sequence[str] = ()) -> Json:
    """Lint a schema as a registration would, by another policy, or by the rules in ``use``; store nothing.

    Raises:
        RightMissing, SubjectNotFound: ``compat.check`` is missing, or the subject may not be seen.
        EmptySchema, InvalidSchema and what else parsing raises: The schema is wrong.
        PolicyNotFound, PolicyVersionNotFound, PolicyFlawed: A policy to try is missing or wrong.
        TooBusy: The schema is large, and so are others just now.
    """
    subject = command.subject
    admit(scope, subject, "compat.check")
    with turn_for(length_of(command.schema)):
        now = situation_of(scope, subject)
        candidate = candidate_for(scope, command, now)
        tried = None if command.tried is None else tried_binding(scope, subject, command.tried)
        profile = policy_for(scope, candidate, now, instead=tried).lint
        if use:
            profile = replace(profile, use=tuple(use), without=())
        text = "" if command.schema is None else command.schema.text
        found = _found(candidate.sent, text, or_hints(profile), subject)
    findings = [finding_data(one) for one in found.own]
    return {
        "subject": subject.qualified,
        "use": list(profile.use or HINTS),
        "is_asked": bool(profile.use),
        "is_allowed": found.is_allowed or not profile.use,
        "findings": [_lint_data(one) for one in findings],
    }


def lint_version(scope: Scope, subject: SubjectName, number: int, *, text: str) -> VersionLint:
    """Lint a stored version; lines are those of ``text``, the version as it is shown.

    Protobuf is stored without comments: rules that ask for them do not count, and nothing is silenced.

    Raises:
        SubjectNotFound: No such subject, or none that may be seen.
        VersionNotFound: There is no such version.
        TooBusy: The schema is large, and so are others just now.
    """
    admit(scope, subject, "subject.read")
    now = situation_of(scope, subject)
    row = next((one for one in now.rows if one.number == number), None)
    if row is None:
        raise VersionNotFound(number)
    with turn_for(row.text_bytes):
        parsed = Models(scope, (row,)).of(row)
        profile = now.policy(scope, parsed.format).lint
        has_comments = parsed.format is not Format.PROTOBUF
        counting = or_hints(profile)
        found = _found(parsed, text, counting if has_comments else without_comments(counting), subject)
    is_certain = has_comments or counting.disallow_comment_ignores
    return VersionLint(found, bool(profile.use), has_comments, is_certain)


def or_hints(profile: LintProfile) -> LintProfile:
    """Return what counts: the rules that a policy names, or hints where it names none."""
    return profile if profile.use else LintProfile(HINTS)


def _found(parsed: ParsedSchema, text: str, profile: LintProfile, subject: SubjectName) -> Explanation:
    found = lint_schema(parsed, profile, name=subject.name)
    return explain(Verdict((), found), Texts(parsed.format, text))


def _lint_data(one: Json) -> Json:
    return {name: one[name] for name in ("rule", "severity", "summary", "path", "sentence", "advice")} | {
        "at": one["new"]
    }
