"""The six changes that people make to the properties of an object, judged under every content model.

Whether a property may come, go, or change between optional and required depends on what the object says about
properties it does not declare. The tables of the manual are what `judge` answers here, cell by cell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from accord.formats import parse
from accord.model import Format, SchemaText
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.judgement import HistoryEntry, judge
from accord.policy.policies import Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats import ParsedSchema

# The property that changes; its prefix is what the patterns below look at.
NAME = "s_note"
STATES = ("absent", "optional", "required")
# What people call the change: the state of the property before and after.
CHANGES: Mapping[str, tuple[str, str]] = {
    "add a required property": ("absent", "required"),
    "add an optional property": ("absent", "optional"),
    "remove a required property": ("required", "absent"),
    "remove an optional property": ("optional", "absent"),
    "make an optional property required": ("optional", "required"),
    "make a required property optional": ("required", "optional"),
}
# What the object says about undeclared properties; the changing one is a string.
MODELS: Mapping[str, Mapping[str, object]] = {
    "open": {},
    "closed": {"additionalProperties": False},
    "a schema for the rest, same type": {"additionalProperties": {"type": "string"}},
    "a schema for the rest, other type": {"additionalProperties": {"type": "integer"}},
    "a pattern for the name, same type": {
        "patternProperties": {"^s_": {"type": "string"}},
        "additionalProperties": False,
    },
    "a pattern for the name, other type": {
        "patternProperties": {"^s_": {"type": "integer"}},
        "additionalProperties": False,
    },
    "a pattern for other names": {
        "patternProperties": {"^i_": {"type": "integer"}},
        "additionalProperties": False,
    },
}
LEVELS = ("BACKWARD", "FORWARD", "FULL")


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether one change under one model is allowed, by level."""

    backward: bool
    forward: bool
    full: bool

    def __str__(self) -> str:
        return " / ".join("yes" if one else "no" for one in (self.backward, self.forward, self.full))


def table(preset: str, *, has_default: bool = False) -> dict[str, dict[str, Cell]]:
    """Return what a preset says of every change, by model: ``has_default`` gives the property a default."""
    return {
        change: {model: _cell(preset, model, states, has_default=has_default) for model in MODELS}
        for change, states in CHANGES.items()
    }


def _cell(preset: str, model: str, states: tuple[str, str], *, has_default: bool) -> Cell:
    old, new = (_schema(model, state, has_default=has_default) for state in states)
    allowed = [
        judge(new, [HistoryEntry(1, old)], Policy(CONFLUENT_LEVELS[level], preset)).is_allowed
        for level in LEVELS
    ]
    return Cell(*allowed)


@cache
def _schema(model: str, state: str, *, has_default: bool) -> ParsedSchema:
    changing: dict[str, Any] = {"type": "string"} | ({"default": ""} if has_default else {})
    declared = {} if state == "absent" else {NAME: changing}
    required = [NAME] if state == "required" else []
    members = {"type": "object", "properties": declared, "required": required, **MODELS[model]}
    return parse(SchemaText(Format.JSON, json.dumps(members)))
