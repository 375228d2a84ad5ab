"""Findings as the native API shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.model import Finding


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return a finding: which rule, how much it weighs, where, and in words."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "message": finding.message,
    }
