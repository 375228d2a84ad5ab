"""One call of the dialect as views see it: scope, variables of the path, query, body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord.formats.forms import Form
from accord.naming import split_subject, validate_subject
from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import read_object
from registry.errors import InvalidVersion
from registry.records import LATEST, Slice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope

LARGEST: Final = 2**31 - 1
# Of lists whose entries are large, or cost much.
LONGEST_PAGE: Final = 1000
NAMES_OF_LATEST: Final = frozenset({LATEST, "-1"})
# Members that Java and Python clients spell differently.
OTHER_SPELLINGS: Final[Mapping[str, str]] = {
    "deletedOnly": "deleted_only",
    "referenceFormat": "reference_format",
}


@dataclass(frozen=True, slots=True)
class RawText:
    """An answer that is a schema's own text instead of a JSON value."""

    text: str


class NoContent:
    """An answer that says nothing but that it is done."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a view is given; parsing is lenient where clients are, and names the place otherwise.

    ``target`` is the subject that the name in the path is an alias of.
    """

    scope: Scope
    values: Mapping[str, str]
    query: QueryDict
    body: bytes
    takes_new_members: bool = False
    target: SubjectName | None = None

    @property
    def subject(self) -> SubjectName:
        """The subject of the path, for reads: one that cannot exist is simply not there."""
        return self.target or split_subject(storable(self.values.get("subject", "")))

    @property
    def written_subject(self) -> SubjectName:
        """The subject of the path exactly as it was sent, for services that validate it in their turn."""
        return self.target or split_subject(self.values.get("subject", ""))

    @property
    def new_subject(self) -> SubjectName:
        """The subject of the path, for writes; an empty name is a context.

        Raises:
            InvalidSubject: The name can never exist.
        """
        validate_subject(self.written_subject)
        return self.written_subject

    @property
    def context(self) -> str:
        """The context of the path, which comes here as ``:.ctx:``."""
        return split_subject(storable(self.values["context"])).context

    @property
    def version(self) -> int | str:
        """The version of the path: a number or ``"latest"``.

        Raises:
            InvalidVersion: Anything else.
        """
        text = self.values["version"].strip()
        if text.lower() in NAMES_OF_LATEST:
            return LATEST
        number = _integer(text)
        if number is None or not 0 < number <= LARGEST:
            raise InvalidVersion(self.values["version"])
        return number

    @property
    def schema_id(self) -> int:
        """The schema id of the path.

        Raises:
            HttpError: 404, as for any path that does not exist.
        """
        number = _integer(self.values["id"])
        if number is None or abs(number) > LARGEST:
            raise HttpError(404)
        return number

    @property
    def page(self) -> Slice:
        """The part of a list that is asked for; a limit below one means all of it.

        Raises:
            HttpError: 404 where a number is expected and is none.
        """
        return self._page(None)

    @property
    def short_page(self) -> Slice:
        """The part of a list with an end of its own, which is the limit where none below it is given.

        Raises:
            HttpError: As above.
        """
        return self._page(LONGEST_PAGE)

    @property
    def form(self) -> Form | None:
        """The form that a text is wanted in; None for the stored one, as for a form nobody knows."""
        text = self.text("format")
        return next((form for form in Form if form == text), None)

    @property
    def wants_qualified(self) -> bool:
        """True when the subjects of references are to be shown with their context."""
        return self.text("referenceFormat") == "qualified"

    @property
    def properties(self) -> dict[str, str]:
        """The properties that are asked for: the n-th ``key`` with the n-th ``value``.

        Raises:
            HttpError: 400 where there are more of one than of the other.
        """
        keys, values = ([storable(str(one)) for one in self.query.getlist(name)] for name in ("key", "value"))
        if len(keys) != len(values):
            raise HttpError(400, f"{len(keys)} times key and {len(values)} times value are given; give pairs")
        return dict(zip(keys, values, strict=True))

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that are to be found in a text; none are asked for where it is empty."""
        return tuple(str(one) for one in self.query.getlist("findTags") if one)

    def flag(self, name: str) -> bool:
        """Tell whether a flag is set: *true* in any case, and nothing else."""
        return self.text(name).lower() == "true"

    def text(self, name: str, default: str = "") -> str:
        """Return a query parameter under either of its spellings, fit to be compared with stored text."""
        other = OTHER_SPELLINGS.get(name, name)
        return storable(str(self.query.get(name, self.query.get(other, default))))

    def json(self) -> dict[str, Any]:
        """Return the body, which must be an object.

        Raises:
            HttpError: 400 for what is not JSON or no object, 422 for nothing at all.
        """
        return read_object(self.body)

    def _page(self, most: int | None) -> Slice:
        limit = self._number("limit", -1)
        is_taken = limit > 0 and (most is None or limit <= most)
        return Slice(max(0, self._number("offset", 0)), limit if is_taken else most)

    def _number(self, name: str, default: int) -> int:
        text = self.text(name).strip()
        if not text:
            return default
        number = _integer(text)
        if number is None or abs(number) > LARGEST:
            raise HttpError(404)
        return number


def storable(text: str) -> str:
    """Return a text with the one character replaced that no text of the database can hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _integer(text: str) -> int | None:
    """Return a plain decimal number; digits beyond any integer of the protocol are none."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(LARGEST))):
        return None
    return int(text)
