"""What the words and operators of a search lead to in the dictionary: keys of words, the nearest first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import connection

from accord.discovery.query import OF_FIELDS, Operator
from accord.discovery.words import END, PAST, WordKind, doc_words
from accord_server.kit.scope import EVERY_SUBJECT
from registry.queries.field_words import grams
from registry.queries.search_parts import Meant, Part, Term, keys, parts_of
from registry.queries.visibility import READ

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.discovery.query import Condition, Search
    from accord_server.kit.scope import Scope

# Of the words that one part of a search may mean.
MOST_TERMS: Final = 300
# Each part is a look of its own.
MOST_PARTS: Final = 40
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
NAMED: Final = (Operator.FIELD, "")
# The second costs less where many names begin with the word, and is for those alone who may read all of them.
ALIKE: Final = "like"
ALIKE_UNLESS_BEGUN: Final = "like unless begun"
# Of one word of a text.
LOOKS: Final = 4
ASKED: Final = """
SELECT ask.number, term.term_id, term.term_kind, term.term_text
FROM jsonb_to_recordset(%s::jsonb) AS ask(number int, kinds text[], how text, wanted text, pieces int[],
    most int)
CROSS JOIN LATERAL registry_field_terms(ask.kinds, ask.how, ask.wanted, ask.pieces, ask.most) AS term
"""


class _Ask(NamedTuple):
    """One look into the dictionary."""

    kind: WordKind
    how: str
    wanted: str
    pieces: list[int]
    most: int = MOST_TERMS


@dataclass(frozen=True, slots=True)
class Terms:
    """Keys of words: hits are in one of ``parts``, have all ``singles`` and none of ``excluded``.

    Without parts the singles alone lead to them. ``is_nothing`` tells that nothing can meet all of it.
    """

    parts: tuple[Part, ...]
    singles: tuple[int, ...]
    excluded: tuple[int, ...]
    is_nothing: bool = False
    is_capped: bool = False


def terms_of(scope: Scope, search: Search) -> Terms:
    """Return what a search leads to: one statement."""
    words = (search.way.rpartition(".")[2],) if search.way else search.words
    kept = [(one, word) for one in search.conditions if one.operator in OF_FIELDS for word in _values(one)]
    asks = [look for word in words for look in _looks(scope, word, MOST_TERMS // len(words))]
    asks += [_together(scope, words)] if len(words) > 1 else []
    asks += [_asked(scope, one, word) for one, word in kept]
    asks += [_Ask(WordKind.HAS, "is", PAST, [])] if search.is_past else []
    answers = _find(asks)
    found = iter(answers)
    meant = tuple(Meant(word, *(next(found) for _ in range(LOOKS))) for word in words)
    together = next(found) if len(words) > 1 else []
    rest = [(one, word, _fitting(one, next(found))) for one, word in kept]
    wanted = _wanted(rest)
    named = wanted.pop(NAMED) if words and len(wanted.get(NAMED, ())) > 1 else []
    needed = [*(keys(*terms) for terms in wanted.values()), *(keys(*terms) for terms in found)]
    several = sorted((one for one in needed if len(one) > 1), key=len)
    parts = parts_of(meant, _of_all(together, words), named) if words else _widest(several)
    return Terms(
        parts=tuple(
            one._replace(others=(*one.others, *(two for two in several if two != one.words)))
            for one in parts[:MOST_PARTS]
        ),
        singles=tuple(one[0] for one in needed if len(one) == 1),
        excluded=tuple(key for one, _, terms in rest if one.is_excluded for key in keys(*terms)),
        is_nothing=not all(needed) or bool(words and not parts),
        is_capped=len(parts) > MOST_PARTS
        or any(
            len(terms) >= ask.most
            for ask, terms in zip(asks, answers, strict=True)
            if ask.how not in {ALIKE, ALIKE_UNLESS_BEGUN}
        ),
    )


def _wanted(rest: Iterable[tuple[Condition, str, list[Term]]]) -> dict[tuple[Operator, str], list[Term]]:
    """Return words of which a hit has one each: of every word of a doc, of each other operator."""
    wanted: dict[tuple[Operator, str], list[Term]] = {}
    for one, word, terms in rest:
        if not one.is_excluded:
            group = word if one.operator is Operator.DOC else ""
            wanted.setdefault((one.operator, group), []).extend(terms)
    return wanted


def _widest(several: list[tuple[int, ...]]) -> tuple[Part, ...]:
    """Return the part that most words lead to: without a text they come one after the other."""
    return (Part(0, several[-1]),) if several else ()


def _fitting(one: Condition, terms: list[Term]) -> list[Term]:
    """Return the words that fit a value; with * at its beginning alone, they must end so."""
    is_ending = one.value.startswith("*") and not one.value.endswith("*")
    return [term for term in terms if not is_ending or term.text.endswith(one.value.strip("*"))]


def _together(scope: Scope, words: tuple[str, ...]) -> _Ask:
    """Return the look for names that have the pieces of all words."""
    pieces = {piece for word in words for piece in grams(scope.tenant.id, word, is_whole=False)}
    return _Ask(WordKind.NAME, "has", max(words, key=len), sorted(pieces))


def _of_all(terms: Iterable[Term], words: tuple[str, ...]) -> list[Term]:
    """Return the names that hold all words: pieces alone do not say that."""
    return [term for term in terms if all(word in term.text for word in words)]


def _looks(scope: Scope, word: str, most: int) -> Iterator[_Ask]:
    """Yield the `LOOKS` for a word of a text; the last one is for those that are spelled alike."""
    tenant = scope.tenant.id
    if len(word) >= SHORTEST_PART:
        yield _Ask(WordKind.NAME, "has", word, grams(tenant, word, is_whole=False), most)
    else:
        yield _Ask(WordKind.NAME, "starts", word, [], most)
    yield _Ask(WordKind.TAG, "starts", word, [])
    yield _Ask(WordKind.DOC, "starts", word, [])
    few = MOST_SIMILAR if len(word) >= SHORTEST_MISSPELT else 0
    yield _Ask(WordKind.NAME, _alike(scope), word, grams(tenant, word), few)


def _alike(scope: Scope) -> str:
    """Return how the caller looks for names that are spelled alike."""
    reads_all = any(
        EVERY_SUBJECT in one.subjects and one.namespaces is None and not one.rights.isdisjoint(READ)
        for one in scope.grants
    )
    return ALIKE_UNLESS_BEGUN if reads_all else ALIKE


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


def _find(asks: list[_Ask]) -> list[list[Term]]:
    """Return what each look found, in the order of the looks."""
    rows = [{"number": number, "kinds": [one.kind], **one._asdict()} for number, one in enumerate(asks)]
    found: list[list[Term]] = [[] for _ in rows]
    with connection.cursor() as cursor:
        cursor.execute(ASKED, [json.dumps(rows)])
        for number, *term in cursor.fetchall():
            found[number].append(Term(*term))
    return found
