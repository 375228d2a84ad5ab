"""The texts of a JSON Schema: as it is stored, as it is normalised, and with references written out.

Source: json-compat, section 15. Stored is the JSON as given without spaces: the order of keys and the
spelling of decimals are kept, no default is added and no ``$ref`` is resolved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.formats.jsontext import write, write_sorted_as_java

if TYPE_CHECKING:
    from accord.formats.jsontext import Json


def canonical_text(value: Json, *, is_normalized: bool = False) -> str:
    """Return the compact text of a schema; normalised, keys stand in the order of UTF-16 code units."""
    return write_sorted_as_java(value) if is_normalized else write(value)
