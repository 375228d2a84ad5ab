"""Levels as values of a policy document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.errors import InvalidPolicy
from accord.policy.documents.kinds import DIGITS, word
from accord.policy.documents.source import Mapped, Scalar
from accord.policy.level_names import NAMED, read_level

if TYPE_CHECKING:
    from accord.policy.documents.kinds import Plain
    from accord.policy.documents.model import Setting
    from accord.policy.documents.problems import Problems
    from accord.policy.documents.source import Value

SIDE: dict[str, Plain] = {
    "oneOf": [
        {"enum": ["latest", "all"]},
        {
            "type": "object",
            "properties": {"till": {"type": "integer", "minimum": 1}},
            "required": ["till"],
            "additionalProperties": False,
        },
    ]
}


@dataclass(frozen=True, slots=True)
class LevelName:
    """A level in any of its spellings."""

    def read(self, value: Value, problems: Problems) -> Setting | None:
        """Read a level."""
        written: str | dict[str, object] | None
        if isinstance(value, Mapped):
            written = {key: _side(side) for key, side in value.members.items()}
        elif isinstance(value, Scalar) and value.is_null:
            problems.add(value.place, "there is no level; write NONE to allow every change")
            return None
        else:
            written = word(value, problems, expected="a level")
        try:
            return None if written is None else read_level(written)
        except InvalidPolicy as error:
            problems.add(value.place, error.details)
            return None

    def schema(self) -> dict[str, Plain]:
        """Return the JSON Schema of a level."""
        names: dict[str, Plain] = {"type": "string", "examples": [*NAMED, "BACKWARD_TILL(3)"]}
        sides: dict[str, Plain] = {
            "type": "object",
            "properties": {"backward": SIDE, "forward": SIDE},
            "minProperties": 1,
            "additionalProperties": False,
        }
        return {"oneOf": [names, sides]}

    def words(self) -> str:
        """Return what may be written."""
        return (
            f"one of {', '.join(NAMED)}, BACKWARD_TILL(n), FORWARD_TILL(n), FULL_TILL(n), two sides joined"
            " by _AND_, or an object with the sides backward and forward"
        )


def _side(value: Value) -> object:
    """Return one side of a level as `read_level` takes it."""
    match value:
        case Mapped(_, {"till": Scalar(_, text, False)} as members) if DIGITS.fullmatch(text):
            return {"till": int(text), **{key: None for key in members if key != "till"}}
        case Scalar(is_literal=False, is_null=False):
            return value.text
    return [value]
