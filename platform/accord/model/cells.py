"""Lines of CSV that a spreadsheet takes for text alone, whatever strangers have written into them."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# What a spreadsheet takes for the beginning of a formula, wide forms and what it may skip included.
_RISKY: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def csv_line(values: Iterable[object]) -> str:
    """One line (RFC 4180) with its end: None is an empty cell, objects and lists are JSON."""
    written = StringIO()
    csv.writer(written).writerow([safe_cell(value) for value in values])
    return written.getvalue()


def safe_cell(value: object) -> str:
    """A value as the text of a cell; what might be a formula has an apostrophe before it."""
    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return f"'{text}" if text.lstrip(" ").startswith(_RISKY) else text
