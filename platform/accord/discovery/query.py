"""What somebody searches for: words, and operators such as ``type:string`` or ``-tag:legacy``.

All parts must hold; of an operator that is given several times, one must. A word that stands alone is told by
its shape: a whole number is a schema id, 64 hexadecimal digits are a fingerprint, names joined by dots are a
way to a field, all else is text. Source: ui, section 3.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from accord.discovery.words import Having, folded
from accord.errors import Invalid, error
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# In characters, and parts of one search.
LONGEST_SEARCH: Final = 500
MOST_PARTS: Final = 20
LARGEST_ID: Final = 2**31 - 1
LONGEST_AGE: Final = 36_500
PART: Final = re.compile(r'(-?)(?:([a-z]+):)?(?:"([^"]*)"|([^\s"]+))(?=\s|\Z)')
AGE: Final = re.compile(r"([<>])(\d{1,5})d")
DIGITS: Final = re.compile("[0-9a-fA-F]{64}")
WAY: Final = re.compile(r"\w+(?:\.\w+)+")
SUBJECT_STATES: Final = ("live", "deleted")
LATEST, HISTORY = "latest", "history"
PLACES: Final = (LATEST, HISTORY)


class Operator(StrEnum):
    """What can be asked of a hit: of a field by itself, or of the subject that it belongs to."""

    FIELD = "field"
    TYPE = "type"
    LOGICAL = "logical"
    TAG = "tag"
    DOC = "doc"
    HAS = "has"
    NS = "ns"
    SUBJECT = "subject"
    OWNER = "owner"
    FORMAT = "format"
    STATE = "state"
    UPDATED = "updated"
    REFS = "refs"
    COMPAT = "compat"
    IN = "in"


OF_FIELDS: Final = frozenset(
    (Operator.FIELD, Operator.TYPE, Operator.LOGICAL, Operator.TAG, Operator.DOC, Operator.HAS)
)
MEANINGS: Final[Mapping[Operator, str]] = {
    Operator.FIELD: "the name of a field, or the end of its way: field:email, field:customer.email",
    Operator.TYPE: 'its type: type:string, type:"array of Line"',
    Operator.LOGICAL: "its logical type or format: logical:timestamp-millis",
    Operator.TAG: "a tag: tag:PII",
    Operator.DOC: 'words of its documentation: doc:"tax id"',
    Operator.HAS: f"what it has: has:{', has:'.join(Having)}",
    Operator.NS: "the namespace: ns:payments, ns:payments*",
    Operator.SUBJECT: "the subject: subject:orders-*",
    Operator.OWNER: "the owner that the metadata name: owner:orders, owner:@orders",
    Operator.FORMAT: "the format: format:avro, format:protobuf, format:json",
    Operator.STATE: "whether the subject is there: state:live, state:deleted",
    Operator.UPDATED: "the age of its latest version in days: updated:<30d, updated:>365d",
    Operator.REFS: "a subject that its schema refers to: refs:common.Address",
    Operator.COMPAT: "the level in force: compat:full, compat:backward*",
    Operator.IN: "which versions: in:history for fields that the latest has no more",
}
# What a value may be, where there are only some; a format goes by other names as well.
CHOICES: Final[Mapping[Operator, tuple[str, ...]]] = {
    Operator.HAS: tuple(Having),
    Operator.FORMAT: tuple(str(one).lower() for one in Format),
    Operator.STATE: SUBJECT_STATES,
    Operator.IN: PLACES,
}


@error
class InvalidSearch(Invalid):
    """A search that cannot be read; ``position`` counts its characters from one."""

    code: ClassVar[str] = "invalid_search"
    template: ClassVar[str] = "at character {position} of the search: {details}"
    position: int
    details: str


@dataclass(frozen=True, slots=True)
class Condition:
    """An operator with a value in lower case; ``-tag:legacy`` excludes."""

    operator: Operator
    value: str
    is_excluded: bool = False

    @property
    def spelled(self) -> str:
        """The condition as somebody could have typed it."""
        value = f'"{self.value}"' if re.search(r"\s", self.value) else self.value
        return f"{'-' if self.is_excluded else ''}{self.operator}:{value}"


@dataclass(frozen=True, slots=True)
class Search:
    """A search that was read. ``way`` is a way to a field, ``fingerprint`` in hexadecimal."""

    words: tuple[str, ...] = ()
    way: str = ""
    schema_id: int | None = None
    fingerprint: str = ""
    conditions: tuple[Condition, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return self == Search()

    @property
    def is_past(self) -> bool:
        """Whether older versions are asked about."""
        return HISTORY in self.of(Operator.IN) or LATEST in self.of(Operator.IN, is_excluded=True)

    def of(self, operator: Operator, *, is_excluded: bool = False) -> tuple[str, ...]:
        """Return the values of an operator."""
        return tuple(
            one.value
            for one in self.conditions
            if one.operator is operator and one.is_excluded is is_excluded
        )


def read_search(text: str) -> Search:
    """Return what a text asks for.

    Raises `InvalidSearch` for an operator that does not exist, naming the nearest one, for a value that it
    does not take, for a quotation mark without another, and for too long a text.
    """
    if len(text) > LONGEST_SEARCH:
        raise InvalidSearch(LONGEST_SEARCH + 1, f"shorten it to {LONGEST_SEARCH} characters")
    if "\0" in text:
        raise InvalidSearch(text.index("\0") + 1, "leave out the NUL character")
    conditions: list[Condition] = []
    plain: list[str] = []
    for number, part in enumerate(_parts(text)):
        if number >= MOST_PARTS:
            raise InvalidSearch(part.start() + 1, f"ask for {MOST_PARTS} things at most")
        minus, name, quoted, bare = part.groups()
        value = bare if quoted is None else quoted
        if name is not None:
            conditions.append(_condition(name, value, part.start() + 1, is_excluded=bool(minus)))
        else:
            plain.append(f"{minus}{value}")
    return _shaped(plain, tuple(dict.fromkeys(conditions)))


def _parts(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while rest := text[at:].strip():
        at = text.index(rest[0], at)
        found = PART.match(text, at)
        if found is None:
            raise InvalidSearch(
                at + 1, 'write a word, operator:value or operator:"some words" with both marks'
            )
        yield found
        at = found.end()


def _shaped(plain: list[str], conditions: tuple[Condition, ...]) -> Search:
    """Tell by their shape what words without an operator are; several of them are text."""
    if len(plain) == 1:
        (only,) = plain
        if (
            only.isascii()
            and only.isdecimal()
            and len(only) <= len(str(LARGEST_ID))
            and int(only) <= LARGEST_ID
        ):
            return Search(schema_id=int(only), conditions=conditions)
        if DIGITS.fullmatch(only):
            return Search(fingerprint=only.lower(), conditions=conditions)
        if WAY.fullmatch(only):
            return Search(way=folded(only), conditions=conditions)
    words = (folded(word) for one in plain for word in one.split())
    return Search(words=tuple(dict.fromkeys(words)), conditions=conditions)


def _condition(name: str, value: str, position: int, *, is_excluded: bool) -> Condition:
    if name not in set(Operator):
        near = get_close_matches(name, list(Operator), n=1, cutoff=0)[0]
        raise InvalidSearch(
            position,
            f'there is no operator {name}:, the nearest is {near}:; quote "{name}:..." to search for text',
        )
    operator = Operator(name)
    folded_value = folded(value.removeprefix("@")) if operator is Operator.OWNER else folded(value)
    _require_fit(operator, folded_value, position)
    if is_excluded and operator is Operator.FIELD and "." in folded_value:
        raise InvalidSearch(position, "-field: takes the name of a field, not a way to one")
    return Condition(operator, folded_value, is_excluded)


def _require_fit(operator: Operator, value: str, position: int) -> None:
    """Refuse a value that the operator does not take."""
    if not value.strip("* "):
        raise InvalidSearch(position, f"{operator}: wants a value: {MEANINGS[operator]}")
    if "*" in value.strip("*"):
        raise InvalidSearch(position, f"{operator}: takes * at the ends of a value and nowhere else")
    choices = CHOICES.get(operator, ())
    if choices and value not in choices:
        raise InvalidSearch(position, f"{operator}: is one of {', '.join(choices)}")
    if operator is Operator.UPDATED:
        age = AGE.fullmatch(value)
        if age is None or int(age[2]) > LONGEST_AGE:
            raise InvalidSearch(position, f"{operator}: wants an age in days, <30d or >30d")


def age_of(value: str) -> tuple[bool, int]:
    """Return what a value of ``updated:`` says: whether it must be older, and the days."""
    return value[0] == ">", int(value[1:-1])
