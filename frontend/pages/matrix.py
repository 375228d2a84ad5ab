"""A change under every preset: who accepts it, who refuses it, and the rules that decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.model import Direction
from accord.policy.level_names import spell_level
from accord.policy.verdict_words import VerdictWord
from accord.rules.presets import presets_of
from frontend.pages.choices import offer_versions
from frontend.pages.subjects import place_of
from frontend.pages.verdicts import Outcome, PlaceLink, rule_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.model import Format
    from accord.policy.explanation import ExplainedFinding
    from accord.policy.preset_matrix import DecidingRule, PresetMatrix
    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.shell import Label
    from frontend.pages.subject import SubjectHead
    from frontend.pages.verdicts import ComparedPair, RuleLink

# Of one pair, levels with more depth say the same.
LEVELS: Final = ("BACKWARD", "FORWARD", "FULL")
OUTCOMES: Final = {
    VerdictWord.ALLOWED: Outcome.PASS,
    VerdictWord.WARNED: Outcome.WARN,
    VerdictWord.BLOCKED: Outcome.FAIL,
}
LABELS: Final[dict[VerdictWord, Label]] = {
    VerdictWord.ALLOWED: gettext_lazy("Accepted"),
    VerdictWord.WARNED: gettext_lazy("Warned of"),
    VerdictWord.BLOCKED: gettext_lazy("Refused"),
}
ALONE: Final[dict[VerdictWord, Label]] = {
    VerdictWord.ALLOWED: gettext_lazy(
        "%(preset)s lets version %(new)s replace version %(old)s under %(level)s."
    ),
    VerdictWord.WARNED: gettext_lazy(
        "%(preset)s lets version %(new)s replace version %(old)s under %(level)s, with warnings."
    ),
    VerdictWord.BLOCKED: gettext_lazy(
        "%(preset)s refuses that version %(new)s replaces version %(old)s under %(level)s."
    ),
}
ICONS: Final = {Outcome.PASS: "check", Outcome.WARN: "alert", Outcome.FAIL: "cross"}
READERS: Final[dict[Direction, Label]] = {
    Direction.BACKWARD: gettext_lazy("new reads old"),
    Direction.FORWARD: gettext_lazy("old reads new"),
}


@dataclass(frozen=True, slots=True)
class WordBadge:
    """What comes of a change, as a coloured badge."""

    outcome: Outcome
    label: Label
    icon: str


@dataclass(frozen=True, slots=True)
class PresetLink:
    """A preset and the address under which it judges the change alone."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Presets that say the same for the same reasons."""

    badge: WordBadge
    presets: tuple[PresetLink, ...]
    rules: tuple[RuleLink, ...]


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """What a rule finds, and where; ``reads`` says who reads, if anybody."""

    sentence: str
    path: str
    reads: Label
    advice: str
    places: tuple[PlaceLink, ...]


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule that decides for some preset, with what it finds."""

    rule: RuleLink
    summary: str
    findings: tuple[PlacedFinding, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class MatrixPanel:
    """All presets on one change."""

    summary: str
    groups: tuple[GroupRow, ...]
    rules: tuple[RuleRow, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the presets say, if they were asked; ``refusal`` says why they never are.

    ``preset`` is the one that was asked alone.
    """

    found: PresetMatrix | None = None
    refusal: str = ""
    preset: str = ""


@dataclass(frozen=True, slots=True)
class MatrixPage:
    """The whole page; without a panel nothing was judged, for good where there is a refusal."""

    head: SubjectHead
    old: int
    new: int
    level: str
    levels: tuple[str, ...]
    choice: VersionChoice
    panel: MatrixPanel | None
    is_busy: bool
    refusal: str
    address: str
    preset: str
    all_url: str
    diff_url: str


def read_preset_choice(text: str | None, format_: Format) -> str:
    """Return the preset that an address asks for alone; nothing unless it is one for that format."""
    return text if text is not None and text in presets_of(format_) else ""


def read_level_choice(text: str | None, in_force: str) -> str:
    """Return the level that an address asks for: that in force, without its depth, unless it names one."""
    if text in LEVELS:
        return text
    short = in_force.removesuffix("_TRANSITIVE")
    return short if short in LEVELS else LEVELS[0]


def matrix_page(
    scope: Scope,
    head: SubjectHead,
    pair: ComparedPair,
    numbers: Sequence[int],
    judged: Judged,
    *,
    level: str,
) -> MatrixPage:
    """Make the page of one pair of versions."""
    place = [*place_of(scope), head.subject]
    sides = {"from": pair.old, "to": pair.new}
    address = "?" + urlencode({**sides, "level": level})
    return MatrixPage(
        head=head,
        old=pair.old,
        new=pair.new,
        level=level,
        levels=LEVELS,
        choice=offer_versions(scope, head, numbers, pair.old, pair.new),
        panel=None if judged.found is None else _panel(judged.found, pair, address),
        is_busy=judged.found is None and not judged.refusal and pair.old != pair.new,
        refusal=judged.refusal,
        address=f"{address}&{urlencode({'preset': judged.preset})}" if judged.preset else address,
        preset=judged.preset,
        all_url=address,
        diff_url=f"{reverse('frontend:comparison', args=place)}?{urlencode(sides)}",
    )


def _panel(found: PresetMatrix, pair: ComparedPair, address: str) -> MatrixPanel:
    return MatrixPanel(
        summary=_sentence(found, pair),
        groups=tuple(
            GroupRow(
                _badge(one.word),
                tuple(PresetLink(name, f"{address}&{urlencode({'preset': name})}") for name in one.presets),
                tuple(map(rule_link, one.rules)),
            )
            for one in reversed(found.groups)
        ),
        rules=tuple(_rule(one, pair) for one in found.rules),
    )


def _sentence(found: PresetMatrix, pair: ComparedPair) -> str:
    values = {
        "new": pair.new,
        "old": pair.old,
        "level": spell_level(found.level),
        "refused": found.count(VerdictWord.BLOCKED),
        "total": len(found.rows),
    }
    if len(found.rows) == 1:
        (one,) = found.rows
        return ALONE[one.word] % {**values, "preset": one.preset}
    if values["refused"]:
        return (
            _(
                "%(refused)s of %(total)s presets refuse that version %(new)s replaces version %(old)s under"
                " %(level)s."
            )
            % values
        )
    return (
        _("None of %(total)s presets refuses that version %(new)s replaces version %(old)s under %(level)s.")
        % values
    )


def _badge(word: VerdictWord) -> WordBadge:
    outcome = OUTCOMES[word]
    return WordBadge(outcome, LABELS[word], ICONS[outcome])


def _rule(rule: DecidingRule, pair: ComparedPair) -> RuleRow:
    findings = tuple(
        PlacedFinding(
            one.sentence,
            one.path,
            "" if direction is None else READERS[direction],
            one.advice,
            tuple(_places(one, pair)),
        )
        for direction, one in rule.findings
    )
    return RuleRow(rule_link(rule.rule), rule.summary, findings, rule.left_out)


def _places(finding: ExplainedFinding, pair: ComparedPair) -> Iterator[PlaceLink]:
    for version, at in ((pair.old, finding.old_at), (pair.new, finding.new_at)):
        if at is not None:
            yield PlaceLink(version, at.line, pair.url(version, at))
