"""What a copy asks a registry, and what it makes of registries that lack a call.

``/contexts``, ``/schemas`` and ``/mode`` are optional; so are paging, the flag ``deleted`` of answers, and
settings of places above subjects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.client import RegistryDenied, RegistryNotFound, RegistryRefusal, RegistryUnreadable
from accord.client.transport import Request
from accord.naming import WILDCARD_CONTEXT, quote_subject, split_subject
from accord.transfer.lines import Unfit, sendable, text, version_of
from accord.transfer.records import TOP_LEVEL, CopiedVersion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from accord.client import RegistryClient
    from accord.client.answers import Answer
    from accord.client.transport import Json
    from accord.model import SubjectName

NAMES_A_PAGE: Final = 1000
SCHEMAS_A_PAGE: Final = 100
# Far above what any registry holds; whoever never comes to an end is stopped.
MOST_PAGES: Final = 20_000
# What a registry answers that cannot say now: to go on without would lose what it has.
PASSING: Final = frozenset({408, 429, 500, 502, 503, 504})
# What says without a word of JSON that there is no such call, as servers do for paths they do not know.
UNKNOWN: Final = frozenset({404, 405, 501})
DELETED_TOO: Final = {"deleted": "true"}


def is_lacking(problem: RegistryRefusal | RegistryUnreadable) -> bool:
    """True where an answer says that the registry has no such thing, not that it cannot answer now."""
    if isinstance(problem, RegistryUnreadable):
        return problem.status in UNKNOWN
    return not isinstance(problem, RegistryDenied) and problem.status not in PASSING


class Found(NamedTuple):
    """A version as it was told, and whether that says if it is deleted."""

    version: CopiedVersion
    is_told: bool


class Asker:
    """Asks one registry. Every method raises what `accord.client.RegistryClient` raises."""

    def __init__(self, client: RegistryClient) -> None:
        self._client = client

    def contexts(self) -> list[str] | None:
        """The names of the contexts; None where the registry does not know the word."""
        try:
            return self._get("/contexts").strings()
        except (RegistryRefusal, RegistryUnreadable) as problem:
            if is_lacking(problem):
                return None
            raise

    def has_modes(self) -> bool:
        """Whether places have modes here."""
        return self.mode(TOP_LEVEL) is not None

    def subjects(self) -> Iterator[SubjectName]:
        """Every subject, also those of which all is deleted."""
        for page in self._pages("/subjects", DELETED_TOO, NAMES_A_PAGE):
            yield from (split_subject(sendable(one.text())) for one in page)

    def listed(self, *, has_contexts: bool) -> Iterator[Found]:
        """The versions that the list of all schemas tells.

        Where there is no such list, or it breaks off, the others are to be read one by one.
        """
        query = DELETED_TOO | ({"subjectPrefix": f":{WILDCARD_CONTEXT}:"} if has_contexts else {})
        try:
            for page in self._pages("/schemas", query, SCHEMAS_A_PAGE):
                yield from (self._found(one.document()) for one in page)
        except RegistryDenied:
            raise
        except (RegistryRefusal, RegistryUnreadable):
            return

    def numbers(self, subject: SubjectName, *, deleted: bool) -> list[int]:
        """The numbers of a subject's live versions, or of all; none where it is not there."""
        query = DELETED_TOO if deleted else {}
        try:
            return self._get(f"{_path(subject)}/versions", query).integers()
        except RegistryNotFound:
            return []

    def version(self, subject: SubjectName, number: int) -> Found | None:
        """One version; None where it is gone."""
        try:
            answer = self._get(f"{_path(subject)}/versions/{number}", DELETED_TOO)
        except RegistryNotFound:
            return None
        found = self._found(answer.document())
        if found.version.key != (subject, number):
            raise self._unreadable(f"asked for {subject} version {number}, it tells {found.version.key}")
        return found

    def config(self, place: SubjectName) -> Mapping[str, Json] | None:
        """The config that a place has itself."""
        answer = self._setting("/config", place)
        return None if answer is None else answer.document()

    def mode(self, place: SubjectName) -> str | None:
        """The mode that a place has itself."""
        answer = self._setting("/mode", place)
        return None if answer is None else answer.string("mode")

    def _setting(self, kind: str, place: SubjectName) -> Answer | None:
        try:
            return self._get(place_path(kind, place))
        except (RegistryRefusal, RegistryUnreadable) as problem:
            if is_lacking(problem):
                return None
            raise

    def _found(self, document: dict[str, Json]) -> Found:
        deleted = document.get("deleted")
        try:
            subject = split_subject(sendable(text(document, "subject")))
            version = version_of(document, subject, is_deleted=deleted is True)
        except Unfit as problem:
            raise self._unreadable(str(problem)) from problem
        return Found(version, is_told=isinstance(deleted, bool))

    def _pages(self, path: str, query: Mapping[str, str], size: int) -> Iterator[list[Answer]]:
        """The items of a list page by page; a registry that knows no pages tells the first one once more."""
        first: Json = None
        told = 0
        for _ in range(MOST_PAGES):
            # A registry may tell less than it is asked for, so the next page begins where this one ended.
            asked = {**query, "offset": str(told), "limit": str(size)}
            items = self._get(path, asked).each()
            if not items or items[0].body == first:
                return
            first = first or items[0].body
            told += len(items)
            yield items
        raise self._unreadable(f"the list {path} does not come to an end")

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        return self._client.send(Request("GET", path, query or {}))

    def _unreadable(self, details: str) -> RegistryUnreadable:
        return RegistryUnreadable(address=self._client.address, details=details)


def place_path(kind: str, place: SubjectName) -> str:
    """The path of a setting, ``/config`` or ``/mode``, of a place."""
    return kind if place == TOP_LEVEL else f"{kind}/{quote_subject(place)}"


def _path(subject: SubjectName) -> str:
    return f"/subjects/{quote_subject(subject)}"
