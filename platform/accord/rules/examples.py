"""The example cases of the rules, as packaged data.

They are written as YAML beside the tests (``tests/accord/rules/*/cases``), where each one is run;
``python -m tests.accord.rules.cases`` copies them here for pages and the command line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Example:
    """Two schemas as text, reader and writer; ``is_accepted`` tells which way the case goes.

    A rule about one schema by itself has no writer; it is empty then.
    """

    rule: str
    title: str
    is_accepted: bool
    reader: str
    writer: str


def examples_of(rule_id: str) -> tuple[Example, ...]:
    """Return the cases of a rule, accepting ones first."""
    return _by_rule().get(rule_id, ())


@cache
def _by_rule() -> dict[str, tuple[Example, ...]]:
    text = files("accord.rules").joinpath("examples.json").read_text(encoding="utf-8")
    return {
        rule: tuple(Example(rule=rule, **case) for case in cases) for rule, cases in json.loads(text).items()
    }
