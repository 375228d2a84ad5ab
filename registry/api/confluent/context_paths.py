"""Paths below a context, `/contexts/{ctx}/...`: what they mean without it.

Clients put a context into their base URL and know nothing more of it. So the context goes into the names:
the subject of the path, or the one that the query asks for. Names that say their context already keep it.

Pure: no request, no database.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, unquote

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.error_tables import HttpError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTEXTS: Final = "contexts"
# What a name begins with that says its context.
QUALIFIED: Final = (":.", ":*:")


class Rewritten(NamedTuple):
    """A path without its context; ``parameter`` of the query, if any, is to begin with ``prefix``."""

    path: str
    raw_path: str | None
    parameter: str = ""
    prefix: str = ""

    def parameters(self, query: Mapping[str, str]) -> dict[str, str]:
        """Return what the context makes of the query: nothing, or another value of one parameter."""
        if not self.parameter:
            return {}
        given = query.get(self.parameter, "")
        return {self.parameter: given if given.startswith(QUALIFIED) else self.prefix + given}


class _Segment(NamedTuple):
    """One segment of a path, as it was sent and as it is meant."""

    raw: str
    text: str


def rewritten(path: str, raw_path: str | None = None) -> Rewritten:
    """Return what serves a path; ``raw_path`` is the same as it was sent, where the server tells it.

    A path without a context comes back as it is.

    Raises:
        HttpError: 400 for the name of a context with a colon, 404 for a context inside of another.
    """
    exact = [] if raw_path is None else [_Segment(one, unquote(one)) for one in _parts(raw_path)]
    is_exact = _is_in_context(exact)
    segments = exact if is_exact else [_Segment(one, one) for one in _parts(path)]
    if not _is_in_context(segments):
        return Rewritten(path, raw_path)
    prefix = f":{context_named(segments[1].text)}:"
    found, parameter = _inside(prefix, segments[2:])
    decoded = "/".join(["", *(one.text for one in found)])
    raw = "/".join(["", *(one.raw for one in found)]) if is_exact else None
    return Rewritten(decoded, raw, parameter, prefix if parameter else "")


def context_named(text: str) -> str:
    """Return the context that a segment names: ``.ctx``, ``ctx`` and ``:.ctx:`` are the same.

    Raises:
        HttpError: 400 for a name with a colon.
    """
    is_wrapped = text.startswith(":.") and text.endswith(":")
    name = text[1:-1] if is_wrapped else text
    if ":" in name:
        raise HttpError(400, f"Context name '{name}' cannot contain a colon")
    return name if name.startswith(".") else f".{name}"


def _inside(prefix: str, rest: list[_Segment]) -> tuple[list[_Segment], str]:
    """Return the path below a context without it, and the parameter that takes it up."""
    context, is_default = _segment(prefix), prefix == f":{DEFAULT_CONTEXT}:"
    match [one.text for one in rest]:
        case []:
            return [_segment(CONTEXTS), context], ""
        case [first, _, *_] if first == CONTEXTS:
            raise HttpError(404)
        case _ if is_default:
            return rest, ""
        case ["config" | "mode"]:
            return [*rest, context], ""
        case ["subjects"] | ["schemas"]:
            return rest, "subjectPrefix"
        case ["schemas", "ids", *_]:
            return rest, "subject"
        case ["subjects" | "config" | "mode", _, *_]:
            return [rest[0], _within(prefix, rest[1]), *rest[2:]], ""
        case ["compatibility", "subjects", _, *_]:
            return [*rest[:2], _within(prefix, rest[2]), *rest[3:]], ""
    return rest, ""


def _within(prefix: str, name: _Segment) -> _Segment:
    """Return a name in a context, unless it says one."""
    if name.text.startswith(QUALIFIED):
        return name
    return _Segment(quote(prefix, safe="") + name.raw, prefix + name.text)


def _segment(text: str) -> _Segment:
    return _Segment(quote(text, safe=""), text)


def _parts(path: str) -> list[str]:
    """Split a path; a slash at the end means nothing."""
    return path.removesuffix("/").split("/")[1:]


def _is_in_context(segments: Sequence[_Segment]) -> bool:
    return len(segments) > 1 and segments[0].text == CONTEXTS
