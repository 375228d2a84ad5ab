"""Between bodies and commands, and between records and JSON values."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final

from accord.policy.explanation import sentence_of
from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import read_object
from registry.module_records import UploadSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.lint.hits import LintFinding
    from accord.model import Finding, Verdict
    from registry.api.descriptors.shapes import (
        JudgementShape,
        ModuleComparison,
        ModuleFinding,
        ModuleLintFinding,
        ModuleShape,
        ModuleVersionShape,
    )
    from registry.module_records import ModuleJudgement, ModuleRow, ModuleVersionRow

Json = dict[str, Any]
DEPENDENCY: Final = re.compile(r"(?P<name>[^@]+)(?:@(?P<number>[1-9][0-9]{0,8}))?")
DIGEST: Final = re.compile(r"[0-9a-f]{64}")
MOST_DEPENDENCIES: Final = 100
MEMBERS: Final = "set and digests, or texts"


def raw_upload(module: str, body: bytes, depends: list[str]) -> UploadSet:
    """Return the upload of a serialized set."""
    return UploadSet(module, body, depends=_dependencies(depends))


def json_upload(module: str, body: bytes, depends: list[str]) -> UploadSet:
    """Return an upload by digests or by texts.

    Raises:
        HttpError: 400 or 422, naming what is wrong and where.
    """
    given = read_object(body)
    unknown = given.keys() - {"set", "digests", "texts"}
    if unknown:
        raise HttpError(422, f"The member {min(unknown)!r} is not known here; there are {MEMBERS}")
    if ("texts" in given) == ("digests" in given):
        raise HttpError(422, f"The request body has either {MEMBERS}")
    texts = _texts(given["texts"]) if "texts" in given else {}
    digests = digests_of(given) if "digests" in given else None
    return UploadSet(module, _set(given.get("set", "")), digests, texts, _dependencies(depends))


def digests_of(given: Json) -> tuple[bytes, ...]:
    """Return the digests that a body names.

    Raises:
        HttpError: 422, naming what is wrong and where.
    """
    value = given.get("digests")
    if not isinstance(value, list) or not all(
        isinstance(one, str) and DIGEST.fullmatch(one) for one in value
    ):
        raise HttpError(422, "digests is a list of SHA-256 digests, each 64 small hexadecimal digits")
    return tuple(map(bytes.fromhex, value))


def module_data(row: ModuleRow) -> ModuleShape:
    """Return a module as JSON values."""
    updated = row.updated_at.isoformat()
    return {"name": row.name, "latest": row.latest, "versions": row.versions, "updated_at": updated}


def version_data(row: ModuleVersionRow) -> ModuleVersionShape:
    """Return a version as JSON values."""
    return {
        "module": row.module,
        "version": row.number,
        "digest": row.digest.hex(),
        "level": row.level,
        "created_at": row.created_at.isoformat(),
        "created_by": row.created_by,
        "properties": dict(row.properties),
        "state": row.life.state.value,
    }


def judgement_data(judgement: ModuleJudgement) -> JudgementShape:
    """Return what the policy says of a set as JSON values."""
    return {
        "is_allowed": judgement.is_allowed,
        "level": judgement.level,
        "preset": judgement.preset,
        "comparisons": verdict_data(judgement.verdict),
        "lint": [lint_data(one) for one in judgement.lint],
        "own": [finding_data(one) for one in judgement.own],
    }


def verdict_data(verdict: Verdict) -> list[ModuleComparison]:
    """Return the comparisons of a verdict as JSON values."""
    return [
        {
            "version": one.version,
            "direction": one.direction,
            "is_blocked": one.is_blocked,
            "findings": [
                {
                    "rule": finding.rule,
                    "severity": finding.severity,
                    "path": finding.path,
                    "sentence": sentence_of(finding, one.direction),
                }
                for finding in one.findings
            ],
        }
        for one in verdict.comparisons
    ]


def finding_data(one: Finding) -> ModuleFinding:
    """Return what a policy asks of a set, and one place lacks, as JSON values."""
    return {"rule": one.rule, "severity": one.severity, "path": one.path, "sentence": one.message}


def lint_data(one: LintFinding) -> ModuleLintFinding:
    """Return what lint says of one place as JSON values."""
    return {
        "file": one.file,
        "line": one.line,
        "column": one.column,
        "rule": one.rule,
        "message": one.message,
        "path": one.path,
        "severity": one.severity,
    }


def _dependencies(texts: list[str]) -> tuple[tuple[str, int | None], ...]:
    if len(texts) > MOST_DEPENDENCIES:
        raise HttpError(400, f"depends is given {len(texts)} times, {MOST_DEPENDENCIES} are allowed")
    found = []
    for text in texts:
        match = DEPENDENCY.fullmatch(text)
        if match is None:
            raise HttpError(400, f"depends is the name of a module or NAME@VERSION, not {text[:80]!r}")
        found.append((match["name"], int(match["number"]) if match["number"] else None))
    return tuple(found)


def _texts(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()) or not value:
        raise HttpError(422, "texts is an object: .proto texts by import path, at least one")
    return value


def _set(value: object) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else _refuse_set()
    except (binascii.Error, ValueError):
        return _refuse_set()


def _refuse_set() -> bytes:
    raise HttpError(422, "set is a serialized FileDescriptorSet in base64")
