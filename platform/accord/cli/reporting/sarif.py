"""A report as SARIF 2.1.0 (OASIS), for code scanning."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from accord.cli.cases import Status
from accord.model import Severity
from accord.rules.table import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.explaining import Site, Told
    from accord.cli.reporting.summary import Report

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: Final = {Severity.BLOCK: "error", Severity.WARN: "warning", Severity.INFO: "note"}


def sarif_lines(report: Report) -> Iterator[str]:
    """The log as one JSON object."""
    told = [told for outcome in report.outcomes for told in outcome.findings]
    ids = sorted({one.rule for one in told})
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
        "results": [_result(report, one, ids.index(one.rule)) for one in told],
    }
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(ids: list[str]) -> dict[str, Any]:
    known = {rule.id: rule for rule in rules()}
    described = [
        {
            "id": one,
            "shortDescription": {"text": known[one].summary if one in known else one},
            "help": {"text": known[one].explanation or known[one].summary if one in known else one},
        }
        for one in ids
    ]
    return {"name": "accord", **_version(), "rules": described}


def _version() -> dict[str, str]:
    try:
        return {"version": version("accord")}
    except PackageNotFoundError:  # run from a checkout
        return {}


def _result(report: Report, told: Told, index: int) -> dict[str, Any]:
    couple = f" ({told.couple})" if told.couple else ""
    made = {
        "ruleId": told.rule,
        "ruleIndex": index,
        "level": "error" if report.refuses(told) else LEVELS.get(told.severity, "none"),
        "message": {"text": f"{told.message}{couple}"},
        "locations": [_location(told.new, told.path)],
        "partialFingerprints": {"accord/v1": _fingerprint(told)},
    }
    if told.old is not None:
        made["properties"] = {"old": str(told.old), "direction": str(told.direction)}
    return made


def _location(site: Site, path: str) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(site.name)}}
    if site.line is not None:
        physical["region"] = {"startLine": site.line, "startColumn": site.column}
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": path}]}


def _uri(name: str) -> str:
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")


def _fingerprint(told: Told) -> str:
    """What stays the same when lines move."""
    facts = (told.rule, told.new.name, told.path, str(told.direction))
    return sha256("\0".join(facts).encode(errors="replace")).hexdigest()
