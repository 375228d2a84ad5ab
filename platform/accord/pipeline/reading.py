"""How the records of one format are read: three expressions, the rest is the same for all formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import Column

FRAMED: Final = "__accord_framed"
"""The column of the bytes with their prefix in front; between the steps, never seen outside."""
READ: Final = "__accord_read"
"""The column that a `Reading` fills: a struct with the field `VALUE`."""
VALUE: Final = "value"


class Reading(NamedTuple):
    """Expressions over `FRAMED` (``column``) and over `READ` (the others).

    ``column`` is null for records of no known writer; ``is_whole`` is never null; ``fault`` is the reason
    for the others that are not whole.
    """

    column: Column
    is_whole: Column
    fault: Column
