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
from accord.formats.elements import ElementKind
from accord.formats.limits import Limits
from accord.model import Contract, Finding, Format, Level, Metadata, SchemaText, Verdict
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy import HistoryEntry, Policy, judge
from accord.policy.comparison import Budget
from accord.policy.requirements import Requirements, check_content
from accord.policy.reserved import RESERVED, reserved_findings
from tests.accord.protobuf_texts import schema_of as protobuf_schema
from tests.accord.stand_ins import ForeignSchema

HERE = Path(__file__).parent
PACKAGED = HERE.parents[2] / "platform" / "accord" / "rules" / "examples.json"
LEVELS = {"reads": CONFLUENT_LEVELS["BACKWARD"], "frozen": Level(frozen=True)}
FORMATS = {"jsonschema": Format.JSON, "protobuf": Format.PROTOBUF}
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
        if self.format is Format.PROTOBUF:
            given = self.data[side]
            return protobuf_schema(given if isinstance(given, dict) else {"a.proto": given})
        text = json.dumps(self.data[side])
        if f"{side}_format" in self.data:
            return ForeignSchema(text, Format(self.data[f"{side}_format"]))
        return parse(SchemaText(self.format, text), strict=False)

    def verdict(self) -> Verdict:
        """Judge with every rule of the table on."""
        if "asked" in self.data:
            return Verdict((), self._own())
        if "reserved" in self.data:
            sent, latest = map(reserving, self.data["reserved"])
            return Verdict((), reserved_findings(self.side("reader"), sent, latest))
        steps = self.data.get("steps", 10_000)
        policy = Policy(LEVELS[self.data.get("level", "reads")], preset=self.data.get("preset", "accord:1"))
        history = [HistoryEntry(1, self.side("writer"))]
        return judge(self.side("reader"), history, policy, budget=Budget(steps, steps))

    def _own(self) -> tuple[Finding, ...]:
        """What a policy that asks something of every schema finds in the one there is."""
        asked = self.data["asked"]
        requirements = Requirements(
            patterns=asked.get("naming", {}),
            docs=frozenset(map(ElementKind, asked.get("docs", ()))),
            owners=tuple(asked.get("owners", ())),
            limits=Limits(**asked.get("limits", {})),
        )
        sent = self.data.get("metadata", {})
        return check_content(self.side("reader"), requirements, subject="orders-value", metadata=sent)

    def example(self) -> dict[str, Any]:
        """What pages and the command line show."""
        texts = {
            side: self._shown(self.data[side]) if side in self.data else "" for side in ("reader", "writer")
        }
        return {"title": self.data["title"], "is_accepted": self.is_accepted, **texts}

    def _shown(self, given: Any) -> str:
        if self.format is not Format.PROTOBUF:
            return json.dumps(given, ensure_ascii=False)
        if isinstance(given, str):
            return given
        return "\n".join(f"// {path}\n{text}" for path, text in given.items())


def reserving(names: str) -> Contract:
    """A contract whose metadata reserve names."""
    return Contract(Metadata(properties=((RESERVED, names),)))


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
