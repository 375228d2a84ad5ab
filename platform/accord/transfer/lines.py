"""The lines of an export, as docs/reference/export-format.md describes them.

Written in one spelling only, so that equal registries give equal bytes: members in a fixed order, those of
inner objects sorted, nothing between them, and nothing but ASCII.
"""

from __future__ import annotations

import hashlib
import json
from math import isfinite
from typing import TYPE_CHECKING, Final

from accord.model import Reference, SubjectName
from accord.naming import spell_subject, split_subject
from accord.transfer.records import CopiedPlace, CopiedVersion, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from accord.client.transport import Json

FORMAT: Final = "accord-export"
FORMAT_VERSION: Final = 1
LONGEST_LINE: Final = 32 * 1024 * 1024
LARGEST: Final = 2**31 - 1
DEEPEST: Final = 100


class Unfit(ValueError):
    """A value that is no line of an export; the message says why."""


def line_of(value: Mapping[str, Json]) -> bytes:
    """The line of an object, with its line end; raises `Unfit` for numbers that JSON does not have."""
    try:
        text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError as problem:
        raise Unfit(str(problem)) from problem
    return text.encode() + b"\n"


def header(source: str, lacks: Iterable[str]) -> dict[str, Json]:
    """The first line: what this is, where it comes from, and what could not be asked there."""
    return {"kind": FORMAT, "formatVersion": FORMAT_VERSION, "source": source, "lacks": [*sorted(lacks)]}


def footer(*, lines: int, versions: int, sha256: str) -> dict[str, Json]:
    """The last line: how much there is between it and the first, and the checksum of that."""
    return {"kind": "end", "lines": lines, "versions": versions, "sha256": sha256}


def extra(name: str, body: Json) -> dict[str, Json]:
    """The line of something that only one product has, as it told it."""
    return {"kind": "extra", "name": name, "body": ordered(body)}


def of_version(version: CopiedVersion) -> dict[str, Json]:
    """The line of a version."""
    subject = version.key.subject
    line: dict[str, Json] = {
        "kind": "version",
        "context": subject.context,
        "subject": subject.name,
        "version": version.key.number,
        "id": version.id,
        "guid": version.guid,
        "schemaType": version.format,
        "schema": version.text,
        "references": [_reference(one, subject.context) for one in version.references] or None,
        "metadata": ordered(dict(version.metadata or {})) or None,
        "ruleSet": ordered(dict(version.rule_set or {})) or None,
        "deleted": version.is_deleted,
    }
    return {name: value for name, value in line.items() if value is not None}


def of_place(place: CopiedPlace) -> dict[str, Json]:
    """The line of a context or a subject."""
    name = place.place.name
    line: dict[str, Json] = {
        "kind": "subject" if name else "context",
        "context": place.place.context,
        "subject": name or None,
        "config": None if place.config is None else ordered(dict(place.config)),
        "mode": place.mode,
    }
    return {name: value for name, value in line.items() if value is not None}


def version_of(line: Mapping[str, Json], subject: SubjectName, *, is_deleted: bool) -> CopiedVersion:
    """The version that a line or an answer of a registry describes; raises `Unfit`.

    Both have the same members; where the version is, and whether it is deleted, they say in their own ways.
    """
    return CopiedVersion(
        key=Key(subject, number(line, "version")),
        id=number(line, "id", 0),
        guid=None if line.get("guid") is None else text(line, "guid"),
        format=text(line, "schemaType") if line.get("schemaType") else "AVRO",
        text=text(line, "schema"),
        references=tuple(_read_reference(one) for one in _listed(line, "references")),
        metadata=_object(line, "metadata"),
        rule_set=_object(line, "ruleSet"),
        is_deleted=is_deleted,
    )


def place_of(line: Mapping[str, Json]) -> CopiedPlace:
    """The place that a line describes; raises `Unfit`."""
    mode = None if line.get("mode") is None else text(line, "mode")
    return CopiedPlace(subject_of(line), _object(line, "config"), mode)


def subject_of(line: Mapping[str, Json]) -> SubjectName:
    """The subject that a line names, or its context; raises `Unfit`."""
    context = text(line, "context")
    if not context.startswith(".") or ":" in context:
        raise Unfit(f"{context[:60]!a} is no context; a context begins with a dot and holds no colon")
    name = "" if line.get("subject") is None else text(line, "subject")
    return SubjectName(sendable(name), sendable(context))


def sendable(name: str) -> str:
    """A name that can stand in an address; raises `Unfit` for lone surrogates, which UTF-8 does not have."""
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise Unfit(f"{name[:60]!a} is no name: it holds half a character")
    return name


def content_of(version: CopiedVersion) -> bytes:
    """The digest of what makes a version the schema it is, as it is spelled."""
    told = of_version(version)
    for name in ("kind", "context", "subject", "version", "id", "guid", "deleted"):
        told.pop(name, None)
    return hashlib.sha256(line_of(told)).digest()


def ordered(value: Json, depth: int = 0) -> Json:
    """A JSON value with the members of its objects sorted.

    Raises `Unfit` above `DEEPEST` levels, and for numbers that JSON does not have.
    """
    if depth > DEEPEST:
        raise Unfit(f"nested deeper than {DEEPEST} levels")
    if isinstance(value, float) and not isfinite(value):
        raise Unfit(f"{value} is not JSON compliant")
    if isinstance(value, dict):
        return {name: ordered(value[name], depth + 1) for name in sorted(value)}
    return [ordered(one, depth + 1) for one in value] if isinstance(value, list) else value


def text(line: Mapping[str, Json], name: str) -> str:
    """A member that must be a text; raises `Unfit`."""
    value = line.get(name)
    if not isinstance(value, str):
        raise Unfit(f"{name!r} must be a string")
    return value


def number(line: Mapping[str, Json], name: str, least: int = 1) -> int:
    """A member that must be a whole number; raises `Unfit`."""
    value = line.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LARGEST:
        raise Unfit(f"{name!r} must be a whole number from {least} to {LARGEST}")
    return value


def _reference(one: Reference, home: str) -> dict[str, Json]:
    """A reference, its subject spelled the shortest way that means the same."""
    subject = spell_subject(split_subject(one.subject, context=home), context=home)
    return {"name": one.name, "subject": subject, "version": one.version}


def _read_reference(value: Json) -> Reference:
    if not isinstance(value, dict):
        raise Unfit("'references' must be a list of objects")
    return Reference(text(value, "name"), text(value, "subject"), number(value, "version"))


def _listed(line: Mapping[str, Json], name: str) -> list[Json]:
    value = line.get(name)
    if value is not None and not isinstance(value, list):
        raise Unfit(f"{name!r} must be a list")
    return value or []


def _object(line: Mapping[str, Json], name: str) -> Mapping[str, Json] | None:
    value = line.get(name)
    if value is not None and not isinstance(value, dict):
        raise Unfit(f"{name!r} must be an object")
    return value
