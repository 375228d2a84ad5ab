"""Findings made ready to be told: where they are in both texts, against what, and what to do.

Every output renders what this module makes, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.model import Direction, Format
from accord.policy.places import FindingPlaces
from accord.policy.remedies import remedy
from accord.rules.table import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.cli.cases import Case, Older
    from accord.model import Finding, Severity, Verdict

SENTENCES = {Direction.BACKWARD: "new reads old", Direction.FORWARD: "old reads new"}


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a file or in what stands for one; line and column count from 1."""

    name: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        known = [str(one) for one in (self.line, self.column) if one is not None]
        return ":".join([self.name, *known])


@dataclass(frozen=True, slots=True)
class Told:
    """A finding as it is told. ``path`` is a pointer into the side that reads.

    ``direction``, ``version`` and ``old`` are missing where the finding is about the new schema by itself;
    ``against`` names the older version in a sentence. ``advice`` says what to do, with names and
    values filled in where the rule can.
    """

    rule: str
    severity: Severity
    path: str
    message: str
    new: Site
    old: Site | None = None
    direction: Direction | None = None
    version: int | None = None
    against: str = ""
    advice: str = ""
    reasons: tuple[Told, ...] = ()

    @property
    def reader(self) -> Site:
        """The place in the side that reads."""
        return self.old if self.old is not None and self.direction is Direction.FORWARD else self.new

    @property
    def writer(self) -> Site | None:
        """The place in the side that wrote."""
        return self.new if self.direction is Direction.FORWARD else self.old

    @property
    def couple(self) -> str:
        """Who reads whom, in words; empty for a finding about the new schema by itself."""
        return "" if self.direction is None else f"{SENTENCES[self.direction]}, {self.against}"


def tell(case: Case, verdict: Verdict, own: tuple[Finding, ...] = ()) -> Iterator[Told]:
    """Tell every finding of a verdict, and those about the new schema by itself."""
    telling = _Telling(case)
    for finding in (*own, *verdict.own):
        yield telling.alone(finding)
    older = {one.number: one for one in case.history}
    for comparison in verdict.comparisons:
        if comparison.findings:
            yield from telling.compared(comparison.findings, comparison.direction, older[comparison.version])


class _Telling:
    """The findings of one case; ``advice`` is what each rule advises whatever the finding."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.advice = {rule.id: " ".join(rule.explanation.split()) for rule in rules()}

    def alone(self, finding: Finding) -> Told:
        text = self.case.new.schema.text
        places = FindingPlaces(self.case.new.schema.format, reader=text, writer=text)
        return Told(
            finding.rule,
            finding.severity,
            finding.path,
            finding.message,
            new=_sites(places, finding.path, (self.case.new.name, ""))[0],
            advice=self.advice.get(finding.rule, ""),
        )

    def compared(self, findings: tuple[Finding, ...], direction: Direction, older: Older) -> Iterator[Told]:
        sides = (self.case.new, older.source)
        reader, writer = sides if direction is Direction.BACKWARD else sides[::-1]
        formats = {reader.schema.format, writer.schema.format}
        common = formats.pop() if len(formats) == 1 else Format.JSON
        places = FindingPlaces(common, reader=reader.schema.text, writer=writer.schema.text)
        for finding in findings:
            yield self._told(finding, direction, older, places)

    def _told(self, finding: Finding, direction: Direction, older: Older, places: FindingPlaces) -> Told:
        names = (self.case.new.name, older.source.name)
        if direction is Direction.BACKWARD:
            new, old = _sites(places, finding.path, names)
        else:
            old, new = _sites(places, finding.path, names[::-1])
        return Told(
            finding.rule,
            finding.severity,
            finding.path,
            finding.message,
            new=new,
            old=old,
            direction=direction,
            version=older.number,
            against=older.label,
            advice=remedy(finding, direction, older.label) or self.advice.get(finding.rule, ""),
            reasons=tuple(self._told(one, direction, older, places) for one in finding.reasons),
        )


def _sites(places: FindingPlaces, path: str, names: tuple[str, str]) -> tuple[Site, Site]:
    """The places of a path in reader and writer."""
    found = places.locate(path)
    if found is None:
        return Site(names[0]), Site(names[1])
    return Site(names[0], *found[0]), Site(names[1], *found[1])
