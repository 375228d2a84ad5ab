"""From a path to a route: subjects hold slashes, percent signs and anything else.

Where the server hands over the path as it was sent, each variable is one segment. Where it hands over
only the decoded path, ``{subject}`` takes everything up to the route's fixed tail. Subjects that end
in a tail of the API cannot be registered, so the two readings never differ for a name that exists.

Pure: no request, no database.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar
from urllib.parse import unquote

from accord.naming import API_TAIL
from accord_server.kit.error_tables import HttpError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

GREEDY: Final = "{subject}"
# What follows a subject in some route: a bare `/subjects/{subject}` does not swallow it.
TAIL: Final = re.compile(rf"/(?:{API_TAIL})\Z")


class Routed(Protocol):
    """What the resolver needs to know of a route."""

    @property
    def method(self) -> str:
        """The HTTP method, in capitals."""
        ...

    @property
    def template(self) -> str:
        """The path below the namespace, variables in braces."""
        ...


R = TypeVar("R", bound=Routed)


@dataclass(frozen=True)
class Match(Generic[R]):
    """The routes of a path by method, and the values of its variables."""

    template: str
    methods: Mapping[str, R]
    values: Mapping[str, str]


@dataclass(frozen=True)
class _Template(Generic[R]):
    text: str
    methods: Mapping[str, R]
    segments: tuple[str, ...]
    decoded: re.Pattern[str]

    def match_segments(self, segments: tuple[str, ...]) -> dict[str, str] | None:
        """Match segment by segment, each variable being one."""
        if len(segments) != len(self.segments):
            return None
        values = {}
        for wanted, given in zip(self.segments, segments, strict=True):
            if wanted.startswith("{"):
                values[wanted[1:-1]] = given
            elif wanted != given:
                return None
        return values

    def match_decoded(self, path: str) -> dict[str, str] | None:
        """Match with the subject taking all that the fixed parts leave."""
        found = self.decoded.fullmatch(path)
        if found is None:
            return None
        values = found.groupdict()
        is_bare = self.text.endswith(GREEDY) and not self.text.startswith(("/config", "/mode"))
        return None if is_bare and TAIL.search(values["subject"]) else values


class Resolver(Generic[R]):
    """Finds the route of a path; the template with the longest fixed tail wins."""

    def __init__(self, routes: Iterable[R]) -> None:
        by_template: dict[str, dict[str, R]] = {}
        for route in routes:
            by_template.setdefault(route.template, {})[route.method] = route
        templates = [_compile(text, methods) for text, methods in by_template.items()]
        self._templates = sorted(templates, key=lambda one: (-len(one.segments), one.text.count("{")))

    def resolve(self, method: str, path: str, raw_path: str | None = None) -> Match[R]:
        """Return what serves the path; HEAD and OPTIONS are served wherever GET is.

        Raises:
            HttpError: 404 for an unknown path, 405 (with ``Allow``) for a known one.
        """
        found = list(self._candidates(path, raw_path))
        if not found:
            raise HttpError(404)
        wanted = "GET" if method == "HEAD" else method
        for match in found:
            if wanted in match.methods or method == "OPTIONS":
                return match
        raise HttpError(405, headers={"Allow": allowed(found[0])})

    def _candidates(self, path: str, raw_path: str | None) -> Iterator[Match[R]]:
        """Yield the readings of a path: the exact one alone where there is one."""
        if raw_path is not None:
            segments = tuple(unquote(part) for part in _without_slash(raw_path).split("/")[1:])
            for template in self._templates:
                values = template.match_segments(segments)
                if values is not None:
                    yield Match(template.text, template.methods, values)
                    return
        bare = _without_slash(path)
        for template in self._templates:
            values = template.match_decoded(bare)
            if values is not None:
                yield Match(template.text, template.methods, values)


def allowed(match: Match[R]) -> str:
    """Return the value of the Allow header for a path."""
    methods = set(match.methods) | {"OPTIONS"} | ({"HEAD"} if "GET" in match.methods else set())
    return ", ".join(sorted(methods))


def _without_slash(path: str) -> str:
    """Take one slash off the end: both forms mean the same, and nothing is ever redirected."""
    return path[:-1] if path.endswith("/") and path != "/" else path or "/"


def _compile(text: str, methods: Mapping[str, R]) -> _Template[R]:
    segments = tuple(text.split("/")[1:])
    parts = [_pattern(segment) for segment in segments]
    return _Template(text, methods, segments, re.compile("/" + "/".join(parts), re.DOTALL))


def _pattern(segment: str) -> str:
    if segment == GREEDY:
        return "(?P<subject>.*)"
    return f"(?P<{segment[1:-1]}>[^/]*)" if segment.startswith("{") else re.escape(segment)
