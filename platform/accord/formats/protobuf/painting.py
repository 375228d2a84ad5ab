"""Options painted over with spaces, so that every other place in the text stays where it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.nesting import option_lists, option_statements

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from accord.formats.protobuf.source import Option, SourceFile

SEEN: Final = re.compile(r"\S")
# What may stand between the last option and its closing bracket.
BEFORE_CLOSING: Final = re.compile(r"(?:\s++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")


def painted_over(text: str, file: SourceFile, names: Container[str] | None) -> str:
    """Return a text without its custom options: those whose first name is in ``names``, or all.

    The statement of one that is painted over becomes empty.
    """
    spans: list[tuple[int, int]] = []
    for options in option_statements(file):
        spans += ((one.start, one.end) for one in options if _is_meant(one, names))
    for options in option_lists(file):
        spans += _bracket_spans(text, options, names)
    return painted(text, spans)


def painted(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with spaces in the place of what stands from one offset to another."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        pieces += (text[done:start], SEEN.sub(" ", text[start:end]))
        done = end
    return "".join((*pieces, text[done:]))


def _is_meant(option: Option, names: Container[str] | None) -> bool:
    if not option.is_custom:
        return False
    return names is None or option.name[0].text in names


def _bracket_spans(
    text: str, options: tuple[Option, ...], names: Container[str] | None
) -> Iterator[tuple[int, int]]:
    """Yield what to paint over in one pair of brackets; each option begins with its bracket or comma."""
    kept = [one for one in options if not _is_meant(one, names)]
    if len(kept) == len(options):
        return
    if not kept:
        last = options[-1].end
        closing = BEFORE_CLOSING.match(text, last)
        yield options[0].start, last
        yield from [(closing.end(), closing.end() + 1)] if closing else []
        return
    for one in options:
        if one not in kept:
            # The opening bracket stays for those behind it.
            yield one.start + (one is options[0]), one.end
    if kept[0] is not options[0]:
        yield kept[0].start, kept[0].start + 1
