"""What the words and operators of a search lead to in the dictionary: keys of words, the nearest first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import connection

from accord.discovery.query import OF_FIELDS, Operator
from accord.discovery.words import END, PAST, WordKind, doc_words
from registry.discovery_records import Nearness
from registry.queries.field_words import grams

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.discovery.query import Condition, Search
    from accord_server.kit.scope import Scope

# Of the words that one part of a search may mean.
MOST_TERMS: Final = 300
MOST_SIMILAR: Final = 20
SHORTEST_PART: Final = 3
SHORTEST_MISSPELT: Final = 4
KINDS: Final = {
    Operator.FIELD: WordKind.NAME,
    Operator.TYPE: WordKind.TYPE,
    Operator.LOGICAL: WordKind.LOGICAL,
    Operator.TAG: WordKind.TAG,
    Operator.DOC: WordKind.DOC,
    Operator.HAS: WordKind.HAS,
}
TIERS: Final = tuple(Nearness)
ASKED: Final = """
SELECT ask.number, term.term_id, term.term_kind, term.term_text
FROM jsonb_to_recordset(%s::jsonb) AS ask(number int, kinds text[], how text, wanted text, pieces int[],
    most int)
CROSS JOIN LATERAL registry_field_terms(ask.kinds, ask.how, ask.wanted, ask.pieces, ask.most) AS term
"""


class Term(NamedTuple):
    """A word of the dictionary."""

    key: int
    kind: str
    text: str


class _Ask(NamedTuple):
    """One look into the dictionary."""

    kind: WordKind
    how: str
    wanted: str
    pieces: list[int]
    most: int = MOST_TERMS


@dataclass(frozen=True, slots=True)
class Terms:
    """Keys of words: hits have all ``singles``, one of each of ``conditions``, none of ``excluded``.

    And they have one of a tier: ``tiers`` are those of `Nearness` for the words that are text. Where there is
    no text, the condition that may be met by most words is the only tier, if there is one. ``is_nothing``
    tells that nothing can meet all of them.
    """

    tiers: tuple[tuple[int, ...], ...]
    conditions: tuple[tuple[int, ...], ...]
    singles: tuple[int, ...]
    excluded: tuple[int, ...]
    is_nothing: bool = False
    is_capped: bool = False


def terms_of(scope: Scope, search: Search) -> Terms:
    """Return what a search leads to: one statement."""
    words = (search.way.rpartition(".")[2],) if search.way else search.words
    of_fields = [one for one in search.conditions if one.operator in OF_FIELDS]
    kept = [(one, word) for one in of_fields for word in _values(one)]
    looks = [list(_looks(scope, word)) for word in words]
    past = [_Ask(WordKind.HAS, "is", PAST, [])] if search.is_past else []
    asked = (_asked(scope, one, word) for one, word in kept)
    found = _find([*chain.from_iterable(looks), *asked, *past])
    texts = [[next(found) for _ in asked] for asked in looks]
    rest = [(one, word, next(found)) for one, word in kept]
    of_past = [tuple(term.key for term in next(found)) for _ in past]
    # The word that means the fewest leads: it is in the fewest rows.
    tiered = sorted((_tiers(word, answer) for word, answer in zip(words, texts, strict=True)), key=_width)
    others = [tuple(_in_turn(tiers)) for tiers in tiered[1:]]
    answers = [*chain.from_iterable(texts), *(terms for _, _, terms in rest)]
    wanted = [*_wanted(rest), *others, *of_past]
    several = sorted((one for one in wanted if len(one) != 1), key=len)
    tiers = tiered[0] if tiered else tuple([several.pop()] if several else ())
    return Terms(
        tiers=tiers,
        conditions=tuple(several),
        singles=tuple(one[0] for one in wanted if len(one) == 1),
        excluded=tuple(key for one, _, terms in rest if one.is_excluded for key in _keys(one, terms)),
        is_nothing=not all(wanted) or bool(words and not any(tiers)),
        is_capped=any(len(terms) >= MOST_TERMS for terms in answers),
    )


def _wanted(rest: Iterable[tuple[Condition, str, list[Term]]]) -> Iterator[tuple[int, ...]]:
    """Yield keys of which a hit has one each: of every word of a doc, of each other operator."""
    wanted: dict[tuple[Operator, str], list[int]] = {}
    for one, word, terms in rest:
        if not one.is_excluded:
            group = word if one.operator is Operator.DOC else ""
            wanted.setdefault((one.operator, group), []).extend(_keys(one, terms))
    return map(tuple, wanted.values())


def _keys(one: Condition, terms: Iterable[Term]) -> list[int]:
    """Return the keys of the words that fit a value; with * at its beginning alone, they must end so."""
    is_ending = one.value.startswith("*") and not one.value.endswith("*")
    return [term.key for term in terms if not is_ending or term.text.endswith(one.value.strip("*"))]


def _looks(scope: Scope, word: str) -> Iterator[_Ask]:
    """Yield the looks for a word of a text; the last one is for those that are spelled alike."""
    tenant = scope.tenant.id
    if len(word) >= SHORTEST_PART:
        yield _Ask(WordKind.NAME, "has", word, grams(tenant, word, is_whole=False))
    else:
        yield _Ask(WordKind.NAME, "starts", word, [])
    yield _Ask(WordKind.TAG, "starts", word, [])
    yield _Ask(WordKind.DOC, "starts", word, [])
    most = MOST_SIMILAR if len(word) >= SHORTEST_MISSPELT else 0
    yield _Ask(WordKind.NAME, "like", word, grams(tenant, word), most)


def _values(one: Condition) -> tuple[str, ...]:
    if one.operator is Operator.DOC:
        return doc_words(one.value) or (one.value,)
    # A way is looked for by the name at its end; the way itself is looked at in the rows.
    return (one.value.rpartition(".")[2],) if one.operator is Operator.FIELD else (one.value,)


def _asked(scope: Scope, one: Condition, word: str) -> _Ask:
    kind, bare, tenant = KINDS[one.operator], word.strip("*"), scope.tenant.id
    if one.operator is Operator.DOC:
        return _Ask(kind, "starts", bare, [])
    if word.startswith("*"):
        text = bare if word.endswith("*") else f"{bare}{END}"
        return _Ask(kind, "has", bare, grams(tenant, text, is_whole=False))
    if word.endswith("*"):
        return _Ask(kind, "starts", bare, [])
    return _Ask(kind, "is", bare, [])


def _tiers(word: str, answer: list[list[Term]]) -> tuple[tuple[int, ...], ...]:
    """Sort the keys of what a word was found as by how near it is; each key is in one tier."""
    names, tags, docs, similar = answer
    tiers: dict[Nearness, list[int]] = {one: [] for one in TIERS}
    for term in names:
        if term.text == word:
            tiers[Nearness.EXACT].append(term.key)
        else:
            is_beginning = term.text.startswith(word)
            tiers[Nearness.BEGINNING if is_beginning else Nearness.PART].append(term.key)
    tiers[Nearness.TAG] = [term.key for term in tags]
    tiers[Nearness.DOC] = [term.key for term in docs]
    known = {term.key for term in names}
    tiers[Nearness.SIMILAR] = [term.key for term in similar if term.key not in known]
    return tuple(tuple(tiers[one]) for one in TIERS)


def _in_turn(tiers: Iterable[Iterable[int]]) -> Iterator[int]:
    """Yield the first of each tier, then the second ones: the first few are looked for before all others."""
    for keys in zip_longest(*tiers):
        yield from (key for key in keys if key is not None)


def _width(tiers: tuple[tuple[int, ...], ...]) -> int:
    return sum(map(len, tiers))


def _find(asks: Iterable[_Ask]) -> Iterator[list[Term]]:
    """Yield what each look found, in the order of the looks."""
    numbered = list(asks)
    rows = [{"number": number, "kinds": [one.kind], **one._asdict()} for number, one in enumerate(numbered)]
    found: list[list[Term]] = [[] for _ in rows]
    with connection.cursor() as cursor:
        cursor.execute(ASKED, [json.dumps(rows)])
        for number, *term in cursor.fetchall():
            found[number].append(Term(*term))
    return iter(found)
