"""The drafts of JSON Schema, and which one a text is written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.formats.jsontext import Json


@dataclass(frozen=True, slots=True)
class Draft:
    """What differs between drafts; ``is_modern`` chooses the loader (2019-09 is read like 2020-12)."""

    name: str
    id_keyword: str = "$id"
    has_values: bool = True
    has_conditions: bool = False
    is_modern: bool = False

    @property
    def definitions(self) -> str:
        """Where this draft keeps schemas that are used elsewhere."""
        return "$defs" if self.is_modern else "definitions"


DRAFT_4 = Draft("draft-04", id_keyword="id", has_values=False)
DRAFT_6 = Draft("draft-06")
DRAFT_7 = Draft("draft-07", has_conditions=True)
DRAFT_2020 = Draft("2020-12", has_conditions=True, is_modern=True)

BY_ADDRESS = {
    "json-schema.org/draft-04/schema": DRAFT_4,
    "json-schema.org/schema": DRAFT_4,
    "json-schema.org/draft-06/schema": DRAFT_6,
    "json-schema.org/draft-07/schema": DRAFT_7,
    "json-schema.org/draft/2019-09/schema": DRAFT_2020,
    "json-schema.org/draft/2020-12/schema": DRAFT_2020,
}


def draft_of(value: Json) -> Draft:
    """Return the draft that a root names in ``$schema``; draft 7 where it names none or an unknown one."""
    named = value.get("$schema") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return DRAFT_7
    address = named.removesuffix("#").removeprefix("http://").removeprefix("https://")
    return BY_ADDRESS.get(address, DRAFT_7)
