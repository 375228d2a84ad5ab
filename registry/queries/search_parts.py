"""Of the words of a search, the rows that answer all of them, part by part and the nearest first.

A name answers a word that it holds, and a field has one name. So names are held against all words before any
row is looked at; what a name does not answer, the tags and the documentation beside it must.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from registry.discovery_records import Nearness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TIERS: Final = tuple(Nearness)


class Term(NamedTuple):
    """A word of the dictionary."""

    key: int
    kind: str
    text: str


class Part(NamedTuple):
    """Rows that have one of ``words`` and one of each of ``others``; ``rank`` is their place in `TIERS`."""

    rank: int
    words: tuple[int, ...]
    others: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Meant:
    """A word of a search, and what answers it.

    Those are names that hold it, tags and words of documentation that begin so, names that are spelled alike.
    """

    text: str
    names: list[Term]
    tags: list[Term]
    docs: list[Term]
    similar: list[Term]

    @property
    def aside(self) -> tuple[int, ...]:
        """Return what answers the word in a row whose name does not."""
        return keys(*self.tags, *self.docs)

    def is_held_by(self, name: str) -> bool:
        """Tell whether a name answers as it is spelled."""
        return self.text in name

    def is_like(self, key: int) -> bool:
        """Tell whether a name is spelled alike."""
        return any(term.key == key for term in self.similar)


def keys(*terms: Term) -> tuple[int, ...]:
    """Return the keys of words of the dictionary."""
    return tuple(term.key for term in terms)


def parts_of(words: tuple[Meant, ...], together: Iterable[Term], named: list[Term]) -> tuple[Part, ...]:
    """Return the parts of what answers all words, the nearest first.

    ``together`` are names that hold all of them, ``named`` those that ``field:`` allows, if it is there.
    """
    names = {term.key: term.text for term in chain(together, named)}
    names |= {term.key: term.text for one in words for term in (*one.names, *one.similar)}
    sorted_out: dict[tuple[int, tuple[tuple[int, ...], ...]], list[int]] = {}
    for key, rank, others in _answering(words, names, frozenset(keys(*named))):
        sorted_out.setdefault((rank, others), []).append(key)
    # What is beside names takes few looks: before those for many names that are as near.
    found = [] if named else list(_beside(words))
    found += (Part(rank, tuple(led), others) for (rank, others), led in sorted_out.items())
    return tuple(sorted(found, key=lambda part: (part.rank, len(part.others))))


def _answering(
    words: tuple[Meant, ...], names: Mapping[int, str], named: frozenset[int]
) -> Iterator[tuple[int, int, tuple[tuple[int, ...], ...]]]:
    """Yield names, how near they are, and what must be beside them."""
    for key, text in names.items():
        misspelt = [one for one in words if not one.is_held_by(text)]
        unmet = [one for one in misspelt if not one.is_like(key)]
        others = [one.aside for one in unmet]
        if named and key not in named:
            # Types alone have two names; the longer one, with dots, holds the other.
            others.append(tuple(named) if "." in text else ())
        if all(others):
            yield key, TIERS.index(_nearness(words, text, misspelt, unmet)), tuple(others)


def _nearness(words: tuple[Meant, ...], text: str, misspelt: list[Meant], unmet: list[Meant]) -> Nearness:
    if len(misspelt) > len(unmet):
        return Nearness.SIMILAR
    if unmet:
        return Nearness.DOC
    if any(text == one.text for one in words):
        return Nearness.EXACT
    return Nearness.BEGINNING if any(text.startswith(one.text) for one in words) else Nearness.PART


def _beside(words: tuple[Meant, ...]) -> Iterator[Part]:
    """Yield what has all words beside its name."""
    if len(words) == 1:
        (only,) = words
        for nearness, terms in ((Nearness.TAG, only.tags), (Nearness.DOC, only.docs)):
            if terms:
                yield Part(TIERS.index(nearness), keys(*terms))
        return
    asides = sorted((one.aside for one in words), key=len)
    if all(asides):
        yield Part(TIERS.index(Nearness.DOC), asides[0], tuple(asides[1:]))
