"""What went wrong, in words for people and as JSON for programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from accord.cli.output import plain
from accord.client import RegistryConflict, RegistryRefusal
from accord.errors import AccordError, error
from accord.model.levels import CONFLUENT_LEVELS
from accord.rules.table import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.client import RegistryClient
    from accord.model import Level, SchemaText, SubjectName

# How registries word a difference: {errorType:'...', description:'...', additionalInfo:'...'}
_MEMBER: Final = re.compile(
    r"(errorType|description|additionalInfo):\s*(['\"])(.*?)\2(?=,\s*\w+:|\s*}$)", re.DOTALL
)

# What Confluent's registry sends after the differences: version and text of the old schema, the settings.
FOLLOWING: Final = ("{oldSchemaVersion:", "{oldSchema:", "{validateFields:", "{compatibility:")
_LEVEL: Final = re.compile(r"^\{(?:validateFields: '\w+', )?compatibility: '([A-Z_]+)'\}$")


@error
class Incompatible(RegistryConflict):
    """A registry refused a schema; ``messages`` are its own, one for each difference."""

    template: ClassVar[str] = (
        "the schema is incompatible with what is registered (HTTP {status}, code {error_code})"
    )
    messages: tuple[str, ...] = ()


def with_differences(
    refused: RegistryConflict, client: RegistryClient, name: SubjectName, schema: SchemaText
) -> RegistryConflict:
    """The refusal with each difference by itself, as far as the registry tells them."""
    try:
        messages = client.check(name, schema).messages
    except AccordError:
        messages = ()
    if not messages:
        return refused
    return Incompatible(refused.status, refused.error_code, refused.details, messages)


def lines(problem: AccordError) -> Iterator[str]:
    """The error for people: a sentence, then the differences with what to do about each."""
    yield plain(problem.message)
    for message in problem.messages if isinstance(problem, Incompatible) else ():
        parts = _parts(message)
        if "errorType" not in parts:
            yield f"  {plain(message)}"
            continue
        rule = parts["errorType"]
        place = f" ({parts['additionalInfo']})" if parts.get("additionalInfo") else ""
        yield plain(f"  {rule}: {parts.get('description', '')}{place}")
        if rule in _advice():
            yield f"    {_advice()[rule]}"
            yield f"    More: accord rules explain {rule}"


def as_json(problem: AccordError) -> dict[str, object]:
    """The error for programs."""
    made: dict[str, object] = {"code": problem.code, "message": problem.message}
    if isinstance(problem, RegistryRefusal):
        made |= {"status": problem.status, "error_code": problem.error_code, "details": problem.details}
    if isinstance(problem, Incompatible):
        made["findings"] = [_finding(message) for message in problem.messages]
    return made


def _finding(message: str) -> dict[str, str]:
    parts = _parts(message)
    if "errorType" not in parts:
        return {"message": message}
    return {
        "rule": parts["errorType"],
        "message": parts.get("description", ""),
        "details": parts.get("additionalInfo", ""),
    }


def difference(message: str) -> tuple[str, str]:
    """The rule that a registry's message names (empty where it names none) and its sentence."""
    parts = _parts(message)
    return parts.get("errorType", ""), parts.get("description", message)


def is_difference(message: str) -> bool:
    """Tell whether a message of a registry is about a difference, not one of the lines that follow them."""
    return not message.startswith(FOLLOWING)


def level_named(messages: Iterable[str]) -> Level | None:
    """The level that a registry says it judged by, if it says so."""
    found = [match for match in map(_LEVEL.search, messages) if match]
    return CONFLUENT_LEVELS.get(found[-1][1]) if found else None


def _parts(message: str) -> dict[str, str]:
    return {name: text for name, _, text in _MEMBER.findall(message)}


def _advice() -> dict[str, str]:
    """What to change, by rule: the table's own explanation on one line."""
    return {rule.id: " ".join(rule.explanation.split()) for rule in rules()}
