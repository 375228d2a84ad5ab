"""What lint says of one version: a row for each finding, or that there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from accord.model import Severity
from frontend.pages.choices import offer_versions
from frontend.pages.subjects import place_of
from frontend.pages.verdicts import BADGES, MAX_FINDINGS, SEVERITIES, rule_link

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord.policy.explanation import ExplainedFinding
    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.shell import Label
    from frontend.pages.subject import SubjectHead
    from frontend.pages.verdicts import RuleLink
    from registry.records import VersionRecord
    from registry.services.linting import VersionLint


@dataclass(frozen=True, slots=True)
class LintFindingRow:
    """One finding as the table prints it; ``url`` leads to its line."""

    finding: ExplainedFinding
    rule: RuleLink
    url: str

    @property
    def label(self) -> Label:
        """What the finding does."""
        return SEVERITIES[self.finding.severity]

    @property
    def badge(self) -> str:
        """The class that colours it."""
        return BADGES[self.finding.severity][0]

    @property
    def icon(self) -> str:
        """Its sign: colour is never alone."""
        return BADGES[self.finding.severity][1]


@dataclass(frozen=True, slots=True)
class LintPage:
    """The whole page; without a policy that asks for lint the findings are hints.

    ``lacks_comments`` is True of a version whose comments were not stored, ``is_certain`` where none of them
    could have silenced what is found.
    """

    head: SubjectHead
    version: VersionRecord
    choice: VersionChoice
    rows: tuple[LintFindingRow, ...]
    hidden: int
    is_asked: bool
    is_busy: bool
    lacks_comments: bool
    is_certain: bool

    @property
    def blocking(self) -> int:
        """How many of the findings would refuse the version today."""
        return sum(one.finding.severity is Severity.BLOCK for one in self.rows) if self.is_asked else 0


def lint_page(
    scope: Scope,
    head: SubjectHead,
    version: VersionRecord,
    *,
    numbers: Sequence[int],
    found: VersionLint | None,
) -> LintPage:
    """Make the page of one version; ``found`` is None where the server was too busy to look."""
    findings = () if found is None else found.found.own
    address = reverse("frontend:definition", args=[*place_of(scope), head.subject])
    return LintPage(
        head,
        version,
        offer_versions(scope, head, numbers, version.number),
        tuple(_row(one, f"{address}?v={version.number}") for one in findings[:MAX_FINDINGS]),
        hidden=max(0, len(findings) - MAX_FINDINGS),
        is_asked=found is not None and found.is_asked,
        is_busy=found is None,
        lacks_comments=found is not None and not found.has_comments,
        is_certain=found is not None and found.is_certain,
    )


def _row(finding: ExplainedFinding, address: str) -> LintFindingRow:
    line = "" if finding.new_at is None else f"{address}#L{finding.new_at.line}"
    return LintFindingRow(finding, rule_link(finding.rule), line)
