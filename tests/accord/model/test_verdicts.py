from __future__ import annotations

from accord.model import Comparison, Direction, Finding, Severity, Verdict


def finding(severity: Severity) -> Finding:
    return Finding("RULE", severity, "/", "detail", "message")


def test_a_verdict_without_comparisons_allows() -> None:
    assert Verdict().is_allowed
    assert Verdict().findings == ()


def test_only_blocking_findings_refuse() -> None:
    warned = Comparison(Direction.BACKWARD, 2, (finding(Severity.WARN), finding(Severity.INFO)))
    blocked = Comparison(Direction.BACKWARD, 1, (finding(Severity.WARN), finding(Severity.BLOCK)))
    assert Verdict((warned,)).is_allowed
    assert not Verdict((warned, blocked)).is_allowed
    assert (warned.is_blocked, blocked.is_blocked) == (False, True)
    assert len(Verdict((warned, blocked)).findings) == 4
