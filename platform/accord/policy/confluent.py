"""Verdicts in the words of Confluent's registry, string for string.

Source: avro-compat, section 6 (templates, order, the lines that follow them); json-compat, section 1, for
the templates of JSON Schema, whose unbalanced closing quote upstream mended meanwhile; confluent-api, section
5.3, for those of Protobuf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.places import shown_pointer
from accord.model import Direction, Severity
from accord.policy.besides import looking
from accord.policy.confluent_json import JSON_DESCRIPTIONS
from accord.policy.confluent_protobuf import PROTOBUF_DESCRIPTIONS
from accord.policy.explanation import LONGEST_PATH, OLD, sentence_of
from accord.policy.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from accord.model import Finding, Verdict

LONGEST_SCHEMA = 10_240
# Confluent quotes without end. Nobody reads further than this, and a refusal must not weigh more than the
# schemas it is about: one difference can be met in thousands of places and list thousands of names each time.
MOST_FINDINGS = 1_000
ENOUGH_CHARACTERS = 1_000_000
LABELS = {Direction.BACKWARD: ("new", "old"), Direction.FORWARD: ("old", "new")}

# rule id: description; {reader} and {writer} are the labels of the two sides.
DESCRIPTIONS = {
    "FIXED_SIZE_MISMATCH": "The size of FIXED type field at path '{path}' in the {reader} schema"
    " does not match with the {writer} schema",
    "TYPE_MISMATCH": "The type (path '{path}') of a field in the {reader} schema"
    " does not match with the {writer} schema",
    "NAME_MISMATCH": "The name of the schema has changed (path '{path}')",
    "MISSING_ENUM_SYMBOLS": "The {reader} schema is missing enum symbols '{detail}'"
    " at path '{path}' in the {writer} schema",
    "MISSING_UNION_BRANCH": "The {reader} schema is missing a type inside a union field"
    " at path '{path}' in the {writer} schema",
    "READER_FIELD_MISSING_DEFAULT_VALUE": "The field '{detail}' at path '{path}' in the {reader}"
    " schema has no default value and is missing in the {writer} schema",
}


def _unexpected(finding: Finding) -> str:
    return f"Unexpected exception during compatibility check: {finding.detail}"


def _different_type(_finding: Finding) -> str:
    return "Incompatible because of different schema type"


# What a candidate is told about itself among what differs from older versions.
_REMOVED = (
    "The new schema has reserved field {name} removed from its metadata which is present in the old schema's"
    " metadata."
)
_USED = "The new schema has field that conflicts with the reserved field {name}."
RESERVED: Mapping[str, str] = {
    "RESERVED_NAME_REMOVED": _REMOVED,
    "RESERVED_NAME_USED": _USED,
    "METADATA_RESERVED_FIELD_REMOVED": _REMOVED,
    "METADATA_RESERVED_FIELD_IN_USE": _USED,
}
# Findings that upstream reports as a bare sentence.
SENTENCES: Mapping[str, Callable[[Finding], str]] = {
    "AMBIGUOUS_FIELD_ALIAS": _unexpected,
    "DIFFERENT_SCHEMA_TYPE": _different_type,
}


def messages(
    verdict: Verdict,
    *,
    old_texts: Mapping[int | None, str],
    level_name: str,
    validate_fields: bool = False,
    asked_by: Callable[[str], str] | None = None,
) -> list[str]:
    """Return the messages of a verdict as Confluent's registry sends them; none if it allows.

    Rules that Confluent does not know say in the same shape where, what, and what to do; ``asked_by``
    returns who asks for what a rule demands.

    ``old_texts`` are the canonical texts by version number. Blocking findings only, in order, what the
    candidate does to reserved names first; after those of a failing version follow its number and its
    text. With two directions these two lines stand after the backward half and only if that half failed.
    The last line names the settings. After `MOST_FINDINGS` findings, or `ENOUGH_CHARACTERS` of them, one
    line counts the rest.
    """
    quoted = _quoted(verdict, asked_by)
    reserved = [RESERVED[one.rule].format(name=one.detail) for one in verdict.own if one.rule in RESERVED]
    lines = reserved[:MOST_FINDINGS] + [
        line
        for position, comparison in enumerate(verdict.comparisons)
        if comparison.is_blocked
        for line in (*quoted[position], *_old_version(verdict, position, old_texts))
    ]
    if lines:
        flag = "true" if validate_fields else "false"
        lines.append(f"{{validateFields: '{flag}', compatibility: '{level_name}'}}")
    return lines


def _quoted(verdict: Verdict, asked_by: Callable[[str], str] | None) -> list[list[str]]:
    """Return the findings in words for each comparison, and after enough of them how many are left."""
    blocking = [
        (position, finding, looking(finding, comparison.direction))
        for position, comparison in enumerate(verdict.comparisons)
        for finding in comparison.findings
        if finding.severity is Severity.BLOCK
    ]
    lines: list[list[str]] = [[] for _ in verdict.comparisons]
    room = ENOUGH_CHARACTERS
    for count, (position, finding, direction) in enumerate(blocking):
        if count == MOST_FINDINGS or room <= 0:
            lines[position].append(f"... and {len(blocking) - count} more")
            break
        lines[position].append(_message(finding, direction, asked_by))
        room -= len(lines[position][-1])
    return lines


def _old_version(verdict: Verdict, position: int, old_texts: Mapping[int | None, str]) -> Iterator[str]:
    version = verdict.comparisons[position].version
    if _has_second_half(verdict, position):
        return
    if version is not None:
        yield f"{{oldSchemaVersion: {version}}}"
    if version in old_texts:
        yield _old_schema(old_texts[version])


def _has_second_half(verdict: Verdict, position: int) -> bool:
    following = verdict.comparisons[position + 1 : position + 2]
    this = verdict.comparisons[position]
    return this.direction is Direction.FORWARD and any(
        other.direction is Direction.BACKWARD and other.version == this.version for other in following
    )


def _message(finding: Finding, direction: Direction, asked_by: Callable[[str], str] | None) -> str:
    if finding.rule in SENTENCES:
        return SENTENCES[finding.rule](finding)
    reader, writer = LABELS[direction]
    # One place in a chain of thousands of types; what upstream's own examples hold is far shorter.
    path = shown_pointer(finding.location, LONGEST_PATH)
    if finding.rule in JSON_DESCRIPTIONS:
        words = JSON_DESCRIPTIONS[finding.rule].format(path=path, reader=reader, writer=writer)
        return f'{{errorType:"{finding.rule}", description:"{words}"}}'
    if finding.rule in PROTOBUF_DESCRIPTIONS:
        kind, template = PROTOBUF_DESCRIPTIONS[finding.rule]
        words = template.format(path=path, reader=reader, writer=writer)
        return f'{{errorType:"{kind}", description:"{words}"}}'
    template = DESCRIPTIONS.get(finding.rule, "")
    if not template:
        words = _own(finding, direction, path, asked_by)
    else:
        words = template.format(path=path, reader=reader, writer=writer, detail=finding.detail)
    return f"{{errorType:'{finding.rule}', description:'{words}', additionalInfo:'{finding.detail}'}}"


def _own(finding: Finding, direction: Direction, path: str, asked_by: Callable[[str], str] | None) -> str:
    """Describe a difference that upstream has no words for, so that it can be acted on."""
    advice = remedy(finding, direction, OLD)
    what_to_do = f"; what to do: {advice}" if advice else ""
    who = f" (asked by {asked_by(finding.rule)})" if asked_by is not None else ""
    return f"At path '{path}': {sentence_of(finding, direction)}{what_to_do}{who}"


def _old_schema(text: str) -> str:
    if len(text) <= LONGEST_SCHEMA:
        return f"{{oldSchema: '{text}'}}"
    return f"{{oldSchema: <truncated> '{text[:LONGEST_SCHEMA]}...'}}"
