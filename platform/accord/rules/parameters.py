"""The parameters that policies may set for a rule, one typed row each.

Some hold for every rule. One of a single rule gets a row by the rule's id and the parameter's name; document
parser, JSON Schema and reference page follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Setting: TypeAlias = bool | int | str | tuple[str, ...]


class ParameterType(StrEnum):
    """What a parameter holds."""

    FLAG = "flag"
    COUNT = "count"
    TEXT = "text"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its type, what it does in a sentence, and what holds where nothing is set.

    ``largest`` bounds a count, the characters of a text, or the number of places.
    """

    type: ParameterType
    words: str
    default: Setting
    largest: int = 1_000


IGNORE = "ignore"
COMMON: Mapping[str, Parameter] = {
    IGNORE: Parameter(
        ParameterType.PLACES,
        "Where the rule does not count, by the paths that findings have. A step may hold `*` and `?`; the"
        " step `**` stands for any number of steps, none included.",
        default=(),
        largest=20,
    )
}
PARAMETERS: Mapping[str, Mapping[str, Parameter]] = {}


def parameters_of(rule_id: str) -> Mapping[str, Parameter]:
    """Return the parameters of a rule by name, those that every rule has first."""
    return {**COMMON, **PARAMETERS.get(rule_id, {})}
