"""A report as SARIF 2.1.0 (OASIS), for code scanning."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from accord.cli.cases import Status
from accord.cli.explaining import told
from accord.lint.table import LINT
from accord.model import Severity
from accord.policy.explanation import summary_of
from accord.rules.table import TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.explaining import Site, Told
    from accord.cli.reporting.summary import Report

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: Final = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "note"}


def sarif_lines(report: Report) -> Iterator[str]:
    """The log as one JSON object."""
    found = [one for outcome in report.outcomes for one in told(outcome)]
    ids = sorted({one.finding.rule for one in found})
    problems = [one for one in report.outcomes if one.status is Status.UNREADABLE]
    run = {
        "tool": {"driver": _driver(ids)},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": f"{one.file}: {one.problem}"}} for one in problems
                ],
            }
        ],
        "results": [_result(report, one, ids.index(one.finding.rule)) for one in found],
    }
    levels = {one.file: dict(report.levels(one)) for one in report.outcomes} if report.has_levels else {}
    if levels:
        run["properties"] = {"levels": levels}
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(ids: list[str]) -> dict[str, Any]:
    described = [
        {"id": one, "shortDescription": {"text": summary_of(one) or one}, "help": {"text": _help(one)}}
        for one in ids
    ]
    return {"name": "accord", **_version(), "rules": described}


def _help(rule: str) -> str:
    if rule in LINT.rows:
        return LINT.rows[rule].advice
    row = TABLE.rows.get(rule)
    return rule if row is None else row.explanation or row.summary


def _version() -> dict[str, str]:
    try:
        return {"version": version("accord")}
    except PackageNotFoundError:  # run from a checkout
        return {}


def _result(report: Report, one: Told, index: int) -> dict[str, Any]:
    couple = f" ({one.couple})" if one.couple else ""
    advice = f". What to do: {one.finding.advice}" if one.finding.advice else ""
    made = {
        "ruleId": one.finding.rule,
        "ruleIndex": index,
        "level": "error" if report.refuses(one) else LEVELS.get(one.severity, "none"),
        "message": {"text": f"{one.finding.sentence}{couple}{advice}"},
        "locations": [_location(one.new, one.finding.path)],
        "partialFingerprints": {"accord/v1": _fingerprint(one)},
    }
    if one.old is not None:
        made["properties"] = {"old": str(one.old), "direction": str(one.direction)}
    return made


def _location(site: Site, path: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(site.name)}}
    if site.line is not None:
        physical["region"] = {"startLine": site.line, "startColumn": site.column}
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": path}]}


def _uri(name: str) -> str:
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")


def _fingerprint(one: Told) -> str:
    """What stays the same when lines move."""
    facts = (one.finding.rule, one.new_name, one.finding.path, str(one.direction))
    return sha256("\0".join(facts).encode(errors="replace")).hexdigest()
