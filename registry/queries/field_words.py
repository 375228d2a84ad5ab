"""The dictionary of a tenant's fields: its words by what is written in a search, and their keys."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from django.db import connection

from accord.discovery.words import Word, WordKind, pieces

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from accord_server.kit.scope import Scope

GRAM_BYTES: Final = 4
# Sorted, so that whoever adds the same words at the same time waits and does not stand in the way.
ADD: Final = """
INSERT INTO registry_fieldterm (tenant_id, kind, text, grams)
SELECT %s, given.kind, given.text, array(SELECT jsonb_array_elements_text(given.grams::jsonb)::int)
FROM unnest(%s::text[], %s::text[], %s::text[]) AS given (kind, text, grams)
ORDER BY given.kind COLLATE "C", given.text COLLATE "C"
ON CONFLICT (tenant_id, kind, text) DO NOTHING
"""
KNOWN: Final = """
SELECT term.kind, term.text, term.id FROM registry_fieldterm AS term
JOIN unnest(%s::text[], %s::text[]) AS given (kind, text)
    ON given.kind = term.kind AND given.text = term.text
WHERE term.tenant_id = %s
"""


def grams(tenant: UUID, text: str, *, is_whole: bool = True) -> list[int]:
    """Return the pieces of a text as numbers; those of two tenants have nothing to do with each other.

    Two pieces may have the same number. Whoever looks by them looks at the words as well.
    """
    return sorted({_gram(tenant, piece) for piece in pieces(text, is_whole=is_whole)})


def keys_of(scope: Scope, words: Collection[Word]) -> dict[Word, int]:
    """Return the keys of words, adding those that are new: two statements at most."""
    known = _known(scope, words)
    missing = [word for word in words if word not in known]
    if missing:
        _add(scope, missing)
        known |= _known(scope, missing)
    return known


def _known(scope: Scope, words: Collection[Word]) -> dict[Word, int]:
    with connection.cursor() as cursor:
        cursor.execute(KNOWN, [[one.kind for one in words], [one.text for one in words], scope.tenant.id])
        return {Word(WordKind(kind), text): key for kind, text, key in cursor.fetchall()}


def _add(scope: Scope, words: Collection[Word]) -> None:
    tenant = scope.tenant.id
    kinds, texts = [one.kind for one in words], [one.text for one in words]
    spelled = [str(grams(tenant, one.text)) for one in words]
    with connection.cursor() as cursor:
        cursor.execute(ADD, [tenant, kinds, texts, spelled])


def _gram(tenant: UUID, piece: str) -> int:
    found = hashlib.blake2b(piece.encode(), digest_size=GRAM_BYTES, key=tenant.bytes).digest()
    return int.from_bytes(found, signed=True)
