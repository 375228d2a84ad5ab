"""The parameters that policies may set for a rule, one typed row each.

No rule has any yet; a policy that sets one is refused. A rule with a parameter gets a row here, by its
id and the parameter's name; document parser, JSON Schema and reference page follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Setting: TypeAlias = bool | int | str


class ParameterType(StrEnum):
    """What a parameter holds."""

    FLAG = "flag"
    COUNT = "count"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its type, what it does in a sentence, and what holds where nothing is set.

    ``largest`` bounds a count, or the characters of a text.
    """

    type: ParameterType
    words: str
    default: Setting
    largest: int = 1_000


PARAMETERS: Mapping[str, Mapping[str, Parameter]] = {}
