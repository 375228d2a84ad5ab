"""How registries word a difference: ``{errorType:'...', description:'...', additionalInfo:'...'}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from accord.model.levels import CONFLUENT_LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import Level

_MEMBER: Final = re.compile(
    r"(errorType|description|additionalInfo):\s*(['\"])(.*?)\2(?=,\s*\w+:|\s*}$)", re.DOTALL
)

# What Confluent's registry sends after the differences: version and text of the old schema, the settings.
FOLLOWING: Final = ("{oldSchemaVersion:", "{oldSchema:", "{validateFields:", "{compatibility:")
_LEVEL: Final = re.compile(r"^\{(?:validateFields: '\w+', )?compatibility: '([A-Z_]+)'\}$")


def difference(message: str) -> tuple[str, str]:
    """The rule that a registry's message names (empty where it names none) and its sentence."""
    parts = {name: text for name, _, text in _MEMBER.findall(message)}
    said = (parts.get("description", message), parts.get("additionalInfo", ""))
    return parts.get("errorType", ""), "; ".join(filter(None, said))


def is_difference(message: str) -> bool:
    """Tell whether a message of a registry is about a difference, not one of the lines that follow them."""
    return not message.startswith(FOLLOWING)


def level_named(messages: Iterable[str]) -> Level | None:
    """The level that a registry says it judged by, if it says so."""
    found = [match for match in map(_LEVEL.search, messages) if match]
    return CONFLUENT_LEVELS.get(found[-1][1]) if found else None
