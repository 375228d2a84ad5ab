"""The example cases of the rules: read from YAML for the tests, copied into the library for pages.

``python -m tests.accord.rules.cases`` copies them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from accord.formats import ParsedSchema, parse
from accord.model import Finding, Format, Level, SchemaText, Verdict
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from accord.policy.levels import CONFLUENT_LEVELS
from tests.accord.stand_ins import ForeignSchema

HERE = Path(__file__).parent
PACKAGED = HERE.parents[2] / "platform" / "accord" / "rules" / "examples.json"
LEVELS = {"reads": CONFLUENT_LEVELS["BACKWARD"], "frozen": Level(frozen=True)}
FORMATS = {"jsonschema": Format.JSON}
SIDES = {"accepts": True, "breaks": False}


@dataclass(frozen=True)
class Case:
    """One case: two schemas, and the findings that the whole table gives for them."""

    rule: str
    is_accepted: bool
    data: dict[str, Any]
    format: Format = Format.AVRO

    @property
    def name(self) -> str:
        """What a failing test is called."""
        return f"{self.rule}: {self.data['title']}"

    def side(self, side: str) -> ParsedSchema:
        """Parse the reader or the writer as a stored schema."""
        text = json.dumps(self.data[side])
        if f"{side}_format" in self.data:
            return ForeignSchema(text, Format(self.data[f"{side}_format"]))
        return parse(SchemaText(self.format, text), strict=False)

    def verdict(self) -> Verdict:
        """Judge with every rule of the table on."""
        steps = self.data.get("steps", 10_000)
        policy = Policy(LEVELS[self.data.get("level", "reads")], preset=self.data.get("preset", "accord:1"))
        history = [HistoryEntry(1, self.side("writer"))]
        return judge(self.side("reader"), history, policy, budget=Budget(steps, steps))

    def example(self) -> dict[str, Any]:
        """What pages and the command line show."""
        texts = {side: json.dumps(self.data[side], ensure_ascii=False) for side in ("reader", "writer")}
        return {"title": self.data["title"], "is_accepted": self.is_accepted, **texts}


def short(finding: Finding) -> dict[str, Any]:
    """A finding as a case spells it."""
    reasons = [short(reason) for reason in finding.reasons]
    bare = {"rule": finding.rule, "path": finding.path, "detail": finding.detail}
    return bare | ({"reasons": reasons} if reasons else {})


def all_cases() -> list[Case]:
    """Every case of every rule, accepting ones first."""
    return [
        Case(path.stem, is_accepted, data, FORMATS.get(path.parts[-3], Format.AVRO))
        for path in sorted(HERE.glob("*/cases/*.yaml"))
        for side, is_accepted in SIDES.items()
        for data in yaml.safe_load(path.read_text(encoding="utf-8"))[side]
    ]


def packaged_text() -> str:
    """The cases as the library carries them."""
    by_rule: dict[str, list[dict[str, Any]]] = {}
    for case in all_cases():
        by_rule.setdefault(case.rule, []).append(case.example())
    return json.dumps(dict(sorted(by_rule.items())), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PACKAGED.write_text(packaged_text(), encoding="utf-8")
