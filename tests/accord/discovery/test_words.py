"""The words by which rows are found, and their pieces."""

from __future__ import annotations

from accord.discovery.words import Having, WordKind, doc_words, folded, pieces, words_of
from accord.formats.listing import Listed, RowKind


def test_words_of_a_field() -> None:
    row = Listed(
        RowKind.FIELD,
        "a.Email",
        "Email",
        "string",
        logical="email",
        doc="Where to write, where",
        tags=("PII",),
        is_required=True,
        is_nullable=True,
        has_default=True,
    )
    assert [(one.kind, one.text) for one in words_of(row)] == [
        (WordKind.NAME, "email"),
        (WordKind.DOC, "where"),
        (WordKind.DOC, "to"),
        (WordKind.DOC, "write"),
        (WordKind.TAG, "pii"),
        (WordKind.TYPE, "string"),
        (WordKind.LOGICAL, "email"),
        *((WordKind.HAS, one) for one in Having),
    ]


def test_a_type_is_found_by_its_full_name_too() -> None:
    words = words_of(Listed(RowKind.TYPE, "shop.Order", "Order", "record"))
    assert [one.text for one in words] == ["order", "shop.order", "record"]


def test_pieces() -> None:
    assert pieces("abcd", is_whole=False) == {"abc", "bcd"}
    assert pieces("ab", is_whole=False) == frozenset()
    assert len(pieces("ab", is_whole=True)) == 2


def test_long_words_are_cut() -> None:
    assert len(folded("X" * 1_000)) == 200
    assert len(doc_words(" ".join(f"word{at}" for at in range(100)))) == 40
