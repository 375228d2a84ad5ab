"""Advice on a policy in words, as the library makes it and a registry sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypedDict, cast

from accord.cli.output import heading, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_LISTS: Final[tuple[tuple[str, Literal["allows", "warns", "forbids", "gives_up"]], ...]] = (
    ("May change", "allows"),
    ("With a warning", "warns"),
    ("Refused", "forbids"),
    ("No change touches these any more", "gives_up"),
)


class _Told(TypedDict):
    """Advice as JSON; see `accord.policy.advice.advice_document`."""

    level: str
    shown_as: str
    upgrade: str
    allows: Sequence[str]
    warns: Sequence[str]
    forbids: Sequence[str]
    gives_up: Sequence[str]
    cautions: Sequence[str]
    recommends: Sequence[Mapping[str, str]]


def advice_lines(advice: object) -> Iterator[str]:
    """What is advised for each format, by its name: the document that a registry and the library make."""
    for format_, one in cast("Mapping[str, _Told]", advice).items():
        yield heading(f"{format_.upper()}: {one['level']}")
        yield from map(one_line, _lines(one))


def _lines(advice: _Told) -> Iterator[str]:
    if advice["shown_as"] != advice["level"]:
        yield f"Confluent clients see {advice['shown_as']}."
    yield advice["upgrade"]
    for words, member in _LISTS:
        if advice[member]:
            yield f"{words}:"
            yield from (f"  - {one}" for one in advice[member])
    for caution in advice["cautions"]:
        yield f"Mind: {caution}"
    for better in advice["recommends"]:
        yield f"Better: {better['level']}, {better['reason']}."
