"""What a policy says under ``lint``, as lint takes it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from accord.lint.profile import LintOptions, LintProfile
from accord.lint.table import rules_named
from accord.model import Severity
from accord.policy.documents.model import Pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.policy.documents.model import Setting

OPTIONS = frozenset(one.name for one in fields(LintOptions))


def lint_profile(said: Mapping[str, Setting]) -> LintProfile:
    """Return the profile of what a policy sets under ``lint``, by member.

    A severity of a category counts for all its rules; one of a rule comes before it.
    """
    options = cast("dict[str, Any]", {name: value for name, value in said.items() if name in OPTIONS})
    severity = said.get("severity")
    return LintProfile(
        use=_names(said.get("use")),
        without=_names(said.get("except")),
        severity=None if severity is None else Severity(str(severity)),
        severities=_severities(said.get("severities")),
        ignore=_names(said.get("ignore")),
        ignore_only={name: _names(paths) for name, paths in _pairs(said.get("ignore_only"))},
        disallow_comment_ignores=bool(said.get("disallow_comment_ignores", False)),
        options=LintOptions(**options),
    )


def _names(value: Setting | None) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _pairs(value: Setting | None) -> tuple[tuple[str, tuple[str, ...] | Severity], ...]:
    return value.items if isinstance(value, Pairs) else ()


def _severities(value: Setting | None) -> dict[str, Severity]:
    said = [(rules_named(name), name, Severity(str(weight))) for name, weight in _pairs(value)]
    said.sort(key=lambda one: -len(one[0]))
    return {row.id: weight for rows, _, weight in said for row in rows}
