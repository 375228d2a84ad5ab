"""How names, tags and documentation answer several words together."""

from __future__ import annotations

from registry.discovery_records import Nearness
from registry.queries.search_parts import TIERS, Meant, Term, parts_of

ORDER = Meant(
    "order", [Term(1, "name", "order_id")], [Term(2, "tag", "orders")], [Term(3, "doc", "order")], []
)
TOTAL = Meant("total", [Term(4, "name", "total")], [], [Term(5, "doc", "total")], [Term(6, "name", "totl")])
BOTH = Term(7, "name", "order_total")


def told(*words: Meant, together: tuple[Term, ...] = (), named: tuple[Term, ...] = ()) -> list[object]:
    """Return the parts with their ranks as words."""
    return [(TIERS[one.rank], *one[1:]) for one in parts_of(words, together, list(named))]


def test_one_word_is_answered_by_names_then_tags_then_docs() -> None:
    assert told(ORDER) == [
        (Nearness.BEGINNING, (1,), ()),
        (Nearness.TAG, (2,), ()),
        (Nearness.DOC, (3,), ()),
    ]
    assert told(TOTAL) == [
        (Nearness.EXACT, (4,), ()),
        (Nearness.DOC, (5,), ()),
        (Nearness.SIMILAR, (6,), ()),
    ]


def test_what_a_name_does_not_answer_is_looked_for_beside_it() -> None:
    assert told(ORDER, TOTAL, together=(BOTH,)) == [
        (Nearness.BEGINNING, (7,), ()),
        (Nearness.DOC, (5,), ((2, 3),)),
        (Nearness.DOC, (1,), ((5,),)),
        (Nearness.DOC, (4,), ((2, 3),)),
        (Nearness.SIMILAR, (6,), ((2, 3),)),
    ]


def test_a_word_that_nothing_beside_a_name_answers_is_in_the_name() -> None:
    bare = Meant("total", [Term(4, "name", "total")], [], [], [])
    assert told(ORDER, bare, together=(BOTH,)) == [
        (Nearness.BEGINNING, (7,), ()),
        (Nearness.DOC, (4,), ((2, 3),)),
    ]


def test_names_that_an_operator_allows_lead_and_types_have_two() -> None:
    path = Term(8, "name", "shop.order")
    shop = Meant("shop", [path], [], [], [])
    assert told(shop, named=(Term(9, "name", "order"), BOTH)) == [(Nearness.BEGINNING, (8,), ((9, 7),))]
    assert told(TOTAL, named=(Term(9, "name", "order"), BOTH)) == [
        (Nearness.PART, (7,), ()),
        (Nearness.DOC, (9,), ((5,),)),
    ]
