"""A registry of a few hundred lines that keeps everything in memory, and lacks what a test takes from it.

It speaks Confluent's interface over real HTTP, as far as copies of registries use it, and knows nothing of
schemas: no text is parsed, nothing is compared.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from accord.model import SubjectName
from accord.naming import split_subject
from accord.transfer.records import ABOVE_ALL
from tests.accord.client.stand_in import Asked, Reply, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSION_PATH = re.compile(r"/subjects/([^/]+)/versions/(\d+)")
VERSIONS_PATH = re.compile(r"/subjects/([^/]+)/versions")
# Where it also answers, as a namespace of Accord does.
NAMESPACE = "/sr/north/default"
SETTING_PATH = re.compile(r"/(config|mode)(?:/([^/]+))?")


class Refused(Exception):
    """A refusal in the shape of the dialect."""

    def __init__(self, status: int, code: int, message: str = "refused") -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Unspoken(Exception):
    """A refusal without a word of JSON."""


@dataclass(frozen=True)
class Held:
    """One version as the registry keeps it; ``document`` is what it was sent."""

    subject: SubjectName
    number: int
    document: dict[str, Any]
    is_deleted: bool = False


@dataclass(frozen=True)
class Gaps:
    """What the registry lacks: calls by the beginning of their path, members of answers, parameters.

    ``most_told`` is how long a page is at most; ``is_silent`` says that what is lacking is told without JSON.
    """

    calls: tuple[str, ...] = ()
    members: frozenset[str] = frozenset()
    has_pages: bool = True
    has_contexts: bool = True
    most_told: int = 1000
    is_silent: bool = False


# What Yandex Schema Registry lacks, by its manual.
YANDEX = Gaps(calls=("/mode", "/contexts"), members=frozenset({"deleted", "guid"}), has_contexts=False)


@dataclass
class SmallRegistry:
    """What it holds; ``extras`` are further answers by path, ``levels`` what the top level says unasked."""

    gaps: Gaps = field(default_factory=Gaps)
    versions: dict[tuple[SubjectName, int], Held] = field(default_factory=dict)
    config: dict[SubjectName, dict[str, Any]] = field(default_factory=dict)
    mode: dict[SubjectName, str] = field(default_factory=dict)
    extras: dict[str, Any] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    before: Callable[[Asked], None] = lambda asked: None
    lock: Lock = field(default_factory=Lock)
    url: str = ""

    def hold(self, subject: str, number: int, /, **document: Any) -> None:
        """Put a version into it."""
        name = split_subject(subject)
        is_deleted = document.pop("deleted", False)
        document.setdefault("schema", '"string"')
        self.versions[name, number] = Held(name, number, document, is_deleted)

    def reply(self, asked: Asked) -> Reply:
        """Answer a request."""
        with self.lock:
            self.asked.append(asked)
            try:
                self.before(asked)
                return _json(self._answer(asked))
            except Unspoken:
                return Reply(404, b"404 page not found\n", {"Content-Type": "text/plain"})
            except Refused as refused:
                body = {"error_code": refused.code, "message": refused.message}
                return replace(_json(body), status=refused.status)

    def _answer(self, asked: Asked) -> Any:
        path = urlsplit(asked.target).path.removeprefix(NAMESPACE)
        query = dict(parse_qsl(urlsplit(asked.target).query))
        if any(path.startswith(one) for one in self.gaps.calls):
            raise Unspoken if self.gaps.is_silent else Refused(404, 404)
        if path in self.extras:
            return self.extras[path]
        if path == "/contexts":
            return sorted({".", *(place.context for place, _ in self.versions)})
        if path in {"/subjects", "/schemas"}:
            return self._page(self._list(path, query), query)
        for pattern, answer in (
            (VERSION_PATH, self._one_version),
            (VERSIONS_PATH, self._many_versions),
            (SETTING_PATH, self._setting),
        ):
            found = pattern.fullmatch(path)
            if found is not None:
                return answer(asked, query, *found.groups())
        raise Refused(404, 404)

    def _list(self, path: str, query: dict[str, str]) -> list[Any]:
        shown = [one for one in self._ordered() if query.get("deleted") == "true" or not one.is_deleted]
        if path == "/subjects":
            return sorted({one.subject.qualified for one in shown})
        if self.gaps.has_contexts and query.get("subjectPrefix") != ":*:":
            shown = [one for one in shown if one.subject.context == "."]
        return [self._shown(one) for one in shown]

    def _page(self, items: list[Any], query: dict[str, str]) -> list[Any]:
        if not self.gaps.has_pages:
            return items
        first = int(query.get("offset", 0))
        return items[first : first + min(int(query.get("limit", len(items))), self.gaps.most_told)]

    def _ordered(self) -> list[Held]:
        return [self.versions[key] for key in sorted(self.versions)]

    def _shown(self, one: Held) -> dict[str, Any]:
        told = {
            "subject": one.subject.qualified,
            "version": one.number,
            "deleted": one.is_deleted,
            "id": 1,
            **one.document,
        }
        return {name: value for name, value in told.items() if name not in self.gaps.members}

    def _many_versions(self, asked: Asked, query: dict[str, str], subject: str) -> Any:
        place = split_subject(unquote(subject))
        if asked.method == "POST":
            return self._register(place, dict(asked.body))
        known = [one for one in self._ordered() if one.subject == place]
        shown = [one.number for one in known if query.get("deleted") == "true" or not one.is_deleted]
        if not shown:
            raise Refused(404, 40401)
        return shown

    def _register(self, place: SubjectName, document: dict[str, Any]) -> Any:
        if self._mode(place) != "IMPORT":
            raise Refused(422, 42205, "not in import mode")
        number = document.pop("version")
        for one in self.versions.values():
            is_same_id = one.subject.context == place.context and one.document["id"] == document["id"]
            if is_same_id and one.document["schema"] != document["schema"]:
                raise Refused(422, 42205, "the id is taken")
        self.versions[place, number] = Held(place, number, document)
        return {"id": document["id"]}

    def _mode(self, place: SubjectName) -> str:
        return self.mode.get(place) or self.mode.get(SubjectName("", place.context)) or "READWRITE"

    def _one_version(self, asked: Asked, query: dict[str, str], subject: str, number: str) -> Any:
        key = split_subject(unquote(subject)), int(number)
        held = self.versions.get(key)
        if held is None or (held.is_deleted and query.get("deleted") != "true"):
            raise Refused(404, 40402)
        if asked.method == "DELETE":
            if held.document.get("kept"):
                raise Refused(422, 42206, "references exist")
            self.versions[key] = replace(held, is_deleted=True)
            return held.number
        return self._shown(held)

    def _setting(self, asked: Asked, _query: dict[str, str], kind: str, place: str | None) -> Any:
        at = SubjectName("") if place is None else split_subject(unquote(place))
        held: dict[SubjectName, Any] = getattr(self, kind)
        if asked.method == "DELETE":
            return {"mode": held.pop(at)}
        if asked.method == "PUT" and kind == "mode":
            held[at] = asked.body["mode"]
            return asked.body
        if asked.method == "PUT":
            if not asked.body:
                return held.get(at, {})
            changes = {**asked.body}
            level = changes.pop("compatibility", None)
            merged = {**held.get(at, {}), **changes, **({"compatibilityLevel": level} if level else {})}
            held[at] = {name: value for name, value in merged.items() if value is not None}
            return asked.body
        if at in held:
            return {"mode": held[at]} if kind == "mode" else held[at]
        if at == SubjectName("") or (self.gaps.has_contexts and at == ABOVE_ALL):
            return {"mode": "READWRITE"} if kind == "mode" else {"compatibilityLevel": "BACKWARD"}
        raise Refused(404, 40408)


@contextmanager
def small_registry(gaps: Gaps | None = None) -> Iterator[SmallRegistry]:
    """A running registry on a free port."""
    held = SmallRegistry(gaps or Gaps())
    with serving(held.reply) as url:
        held.url = url
        yield held


def _json(body: Any) -> Reply:
    return Reply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})
