"""The words by which fields are looked for, and their pieces.

A misspelt word shares most of its three-letter pieces with the right one, and a word holds all pieces of each
part of it. So both are found in a dictionary that knows the words by their pieces, whatever the database.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.listing import RowKind

if TYPE_CHECKING:
    from accord.formats.listing import Listed

# In characters, and words of one doc.
LONGEST_WORD: Final = 200
MOST_DOC_WORDS: Final = 40
PIECE: Final = 3
WORD: Final = re.compile(r"\w{2,}")
# What stands at the ends of a word: no name holds them.
START, END = "\x02", "\x03"


class WordKind(StrEnum):
    """What a word is of a field."""

    NAME = "name"
    DOC = "doc"
    TAG = "tag"
    TYPE = "type"
    LOGICAL = "logical"
    HAS = "has"


class Word(NamedTuple):
    """A word in lower case, and what it is."""

    kind: WordKind
    text: str


# The word of a row that only older versions have; nobody can ask for it with ``has:``.
PAST: Final = "past"


class Having(StrEnum):
    """What a field may have or be, as the word of kind HAS says."""

    DEFAULT = "default"
    DOC = "doc"
    TAG = "tag"
    REQUIRED = "required"
    NULLABLE = "nullable"


def folded(text: str) -> str:
    """Return a text as it is compared: in lower case, and no longer than a word."""
    return text.lower()[:LONGEST_WORD]


def doc_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in its order, each once."""
    return tuple(dict.fromkeys(map(folded, WORD.findall(text))))[:MOST_DOC_WORDS]


def words_of(row: Listed) -> tuple[Word, ...]:
    """Return the words by which a row is found, each once."""
    names = (row.name, row.path) if row.kind is RowKind.TYPE else (row.name,)
    words = [Word(WordKind.NAME, folded(name)) for name in names]
    words += [Word(WordKind.DOC, word) for word in doc_words(row.doc)]
    words += [Word(WordKind.TAG, folded(tag)) for tag in row.tags]
    words.append(Word(WordKind.TYPE, folded(row.type)))
    if row.logical:
        words.append(Word(WordKind.LOGICAL, folded(row.logical)))
    words += [Word(WordKind.HAS, one) for one in having(row)]
    return tuple(dict.fromkeys(words))


def having(row: Listed) -> tuple[Having, ...]:
    """Return what a row has."""
    found = {
        Having.DEFAULT: row.has_default,
        Having.DOC: bool(row.doc),
        Having.TAG: bool(row.tags),
        Having.REQUIRED: row.is_required,
        Having.NULLABLE: row.is_nullable,
    }
    return tuple(one for one, is_so in found.items() if is_so)


def pieces(text: str, *, is_whole: bool) -> frozenset[str]:
    """Return the three-letter pieces of a text; those of a whole word tell its ends."""
    given = f"{START}{text}{END}" if is_whole else text
    return frozenset(given[at : at + PIECE] for at in range(len(given) - PIECE + 1))
