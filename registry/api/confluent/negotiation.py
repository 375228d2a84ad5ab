"""Content negotiation of the dialect: a table of three types, and lenient reading of headers.

Pure functions from header texts to types; clients in the field send every variety of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

# In order of preference where the caller has none.
PRODUCED: Final = (
    "application/vnd.schemaregistry.v1+json",
    "application/vnd.schemaregistry+json",
    "application/json",
)
FALLBACK_TYPE: Final = PRODUCED[0]
CONSUMED: Final = frozenset({*PRODUCED, "application/octet-stream"})
ANYTHING: Final = "*/*"
# More ranges than this are not preferences but an attack on the reader.
MOST_RANGES: Final = 50


class MediaRange(NamedTuple):
    """One entry of an Accept header."""

    type: str
    quality: float

    def covers(self, produced: str) -> bool:
        """Tell whether the range includes a type."""
        if self.type == ANYTHING:
            return True
        return self.type == produced or (self.type.endswith("/*") and produced.startswith(self.type[:-1]))

    @property
    def precision(self) -> int:
        """How exactly the range names a type: the most exact one decides about it."""
        return 0 if self.type == ANYTHING else 1 if self.type.endswith("/*") else 2


def answer_type(accept: str) -> str | None:
    """Return the type to answer in, or None when nothing we have is acceptable."""
    ranges = parse_accept(accept)
    if not ranges:
        return FALLBACK_TYPE
    rated = [(_quality(ranges, produced), produced) for produced in PRODUCED]
    best, chosen = max(rated, key=lambda pair: pair[0])
    return chosen if best > 0 else None


def is_consumed(content_type: str) -> bool:
    """Tell whether a body of this type is read; none at all counts as octets."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind in CONSUMED


def parse_accept(accept: str) -> list[MediaRange]:
    """Read an Accept header; entries that cannot be read are left out."""
    entries = (entry.strip().lower() for entry in accept.split(",", MOST_RANGES)[:MOST_RANGES])
    return [_range(entry) for entry in entries if entry]


def _range(entry: str) -> MediaRange:
    kind, *parameters = (part.strip() for part in entry.split(";"))
    quality = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            quality = _number(value.strip())
    # Java's own client says "*" where it means anything.
    return MediaRange(ANYTHING if kind == "*" else kind, quality)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 <= value <= 1 else 0.0


def _quality(ranges: list[MediaRange], produced: str) -> float:
    covering = [one for one in ranges if one.covers(produced)]
    if not covering:
        return 0.0
    exact = max(one.precision for one in covering)
    return max(one.quality for one in covering if one.precision == exact)
