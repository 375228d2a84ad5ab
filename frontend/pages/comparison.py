"""The comparison of two versions: which two, how it is shown, the verdict, the coloured rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from frontend.diff import Row, RowKind, SideBySide, compare_texts, unified
from frontend.highlight import Line, Token, highlight, paint
from frontend.pages.choices import offer_versions
from frontend.pages.subjects import place_of
from frontend.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from accord.model import Format
    from accord_server.kit.scope import Scope
    from frontend.diff.rows import Side
    from frontend.pages.choices import VersionChoice
    from frontend.pages.subject import SubjectHead
    from frontend.pages.verdicts import VerdictPanel
    from registry.records import VersionRecord

# Texts above this many lines are compared without colours: the lexer would take most of the time.
COLOURED_LINES: Final = 6_000
MAX_DIGITS: Final = 9


class View(StrEnum):
    """How the text difference is laid out."""

    SPLIT = "split"
    UNIFIED = "unified"


@dataclass(frozen=True, slots=True)
class ComparisonQuery:
    """What the address asks for, already one of what exists."""

    old: int
    new: int
    view: View = View.SPLIT
    is_unfolded: bool = False

    def address(self, **changes: str | int) -> str:
        """Return the query part of the address of this comparison with something changed."""
        wanted: dict[str, str | int] = {"from": self.old, "to": self.new, "view": self.view}
        if self.is_unfolded:
            wanted["context"] = "all"
        return "?" + urlencode({name: value for name, value in {**wanted, **changes}.items() if value})


@dataclass(frozen=True, slots=True)
class DiffCell:
    """One side of a row: number and painted text."""

    number: int
    text: SafeString


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row of the table; ``folded`` counts the equal lines that it stands for."""

    kind: RowKind
    old: DiffCell | None
    new: DiffCell | None
    folded: int


@dataclass(frozen=True, slots=True)
class Links:
    """Where else one can go from a comparison; empty where there is nothing."""

    swap: str
    split: str
    unified: str
    unfold: str
    previous: str
    following: str


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """The whole page."""

    head: SubjectHead
    query: ComparisonQuery
    choice: VersionChoice
    verdict: VerdictPanel | None
    rows: tuple[DiffRow, ...]
    removed: int
    added: int
    is_cut: bool
    is_busy: bool
    awaited: str
    links: Links
    old_url: str
    new_url: str
    matrix_url: str


@dataclass(frozen=True, slots=True)
class ComparedSides:
    """Two versions with their texts as the page shows them, and the verdict if there is one.

    ``awaited`` says what stands in its way where a worker is to give it.
    """

    head: SubjectHead
    sides: tuple[VersionRecord, VersionRecord]
    texts: tuple[str, str]
    verdict: VerdictPanel | None
    awaited: str = ""


def read_comparison(values: dict[str, str], numbers: Sequence[int]) -> ComparisonQuery | None:
    """Read the address; by default the latest version beside the one before. None: no such version."""
    latest, before = numbers[-1], numbers[-2] if len(numbers) > 1 else numbers[-1]
    new = _number(values.get("to"), default=latest)
    old = _number(values.get("from"), default=before if new == latest else _before(numbers, new))
    if old not in numbers or new not in numbers:
        return None
    view = View.UNIFIED if values.get("view") == View.UNIFIED else View.SPLIT
    return ComparisonQuery(old, new, view, is_unfolded=values.get("context") == "all")


def pretty_sides(sides: tuple[VersionRecord, VersionRecord]) -> tuple[str, str]:
    """Return both texts as the page shows them, to whose lines findings point."""
    old, new = (pretty(side.schema.text, side.schema.format) for side in sides)
    return old, new


def comparison_page(
    scope: Scope, compared: ComparedSides, query: ComparisonQuery, numbers: tuple[int, ...]
) -> ComparisonPage:
    """Make the page of one pair; without a verdict only the texts are shown."""
    head, sides, (old, new) = compared.head, compared.sides, compared.texts
    found = compare_texts(old, new, context=None) if query.is_unfolded else compare_texts(old, new)
    place = [*place_of(scope), head.subject]
    definition = reverse("frontend:definition", args=place)
    sides_asked = urlencode({"from": query.old, "to": query.new})
    return ComparisonPage(
        head=head,
        query=query,
        choice=offer_versions(scope, head, numbers, query.old, query.new),
        verdict=compared.verdict,
        rows=tuple(painted(found, query.view, lines=(_lines(old, sides[0]), _lines(new, sides[1])))),
        removed=found.removed,
        added=found.added,
        is_cut=found.is_cut,
        is_busy=compared.verdict is None and not compared.awaited and query.old != query.new,
        awaited=compared.awaited,
        links=neighbours(query, numbers),
        old_url=f"{definition}?v={query.old}",
        new_url=f"{definition}?v={query.new}",
        matrix_url=f"{reverse('frontend:matrix', args=place)}?{sides_asked}",
    )


def _number(text: str | None, *, default: int) -> int:
    if text is None or text == "":
        return default
    return read_number(text)


def read_number(text: str) -> int:
    """Return the version number that a text means; 0, which no version has, for nonsense."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0


def _before(numbers: Sequence[int], number: int) -> int:
    return max((one for one in numbers if one < number), default=number)


def neighbours(query: ComparisonQuery, numbers: Sequence[int]) -> Links:
    """Return where one can go from a comparison of two of the versions, given oldest first."""
    place = numbers.index(query.new)
    return Links(
        swap=query.address(**{"from": query.new, "to": query.old}),
        split=query.address(view=View.SPLIT),
        unified=query.address(view=View.UNIFIED),
        unfold=query.address(context="" if query.is_unfolded else "all"),
        previous=_change(query, numbers, place - 1),
        following=_change(query, numbers, place + 1),
    )


def _change(query: ComparisonQuery, numbers: Sequence[int], place: int) -> str:
    """Return the address of what the version at a place changed; there is none for the first."""
    if not 0 < place < len(numbers):
        return ""
    return query.address(**{"from": numbers[place - 1], "to": numbers[place]})


def _lines(text: str, side: VersionRecord) -> list[Line]:
    return diff_lines(text, side.schema.format)


def diff_lines(text: str, schema_format: Format) -> list[Line]:
    """Return the lines of one side, coloured unless that would take too long."""
    lines = text.split("\n")
    if len(lines) > COLOURED_LINES:
        return [(Token("", line),) for line in lines]
    return highlight(text, schema_format)


def painted(found: SideBySide, view: View, *, lines: tuple[list[Line], list[Line]]) -> Iterator[DiffRow]:
    """Yield the rows of a layout with the lines of both texts painted into them."""
    rows: Iterator[Row] = iter(found.rows) if view is View.SPLIT else unified(found.rows)
    for row in rows:
        yield DiffRow(row.kind, _cell(row.old, lines[0]), _cell(row.new, lines[1]), row.folded)


def _cell(side: Side | None, lines: list[Line]) -> DiffCell | None:
    return DiffCell(side.number, paint(lines[side.number - 1], side.marks)) if side is not None else None
