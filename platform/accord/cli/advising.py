"""Advice on a policy in words, as the library makes it and a registry sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord.cli.output import heading, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LISTS: Final = (
    ("May change", "allows"),
    ("With a warning", "warns"),
    ("Refused", "forbids"),
    ("Given up altogether", "gives_up"),
)


def advice_lines(advice: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What is advised for each format, by its name."""
    for format_, one in advice.items():
        yield heading(f"{format_}: {one['level']}")
        yield from map(one_line, _lines(one))


def _lines(advice: Mapping[str, Any]) -> Iterator[str]:
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
