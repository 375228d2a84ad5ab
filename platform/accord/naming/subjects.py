"""The grammar of subject names, contexts included.

Source of the rules: the Confluent dialect as recorded in the registry's specification (qualified names
``:.context:subject``, the wildcard ``:*:prefix``, reserved names), plus one rule of our own: a name that
ends like a path of the API cannot be registered, because a server that only sees the decoded path could
read such a request in two ways.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import quote

from accord.errors import InvalidSubject
from accord.model import DEFAULT_CONTEXT, SubjectName

WILDCARD_CONTEXT: Final = "*"
"""The context of ``:*:prefix``: every context; only prefixes and searches may carry it."""

GLOBAL_CONTEXT: Final = ".__GLOBAL"
"""The pseudo-context of the settings above all contexts; it holds no subjects."""

MAX_SUBJECT_BYTES: Final = 1024
"""Longest name that can be registered, in UTF-8 bytes of the qualified form; an index row of
PostgreSQL ends at 2,704 bytes and carries more than the name."""

API_TAIL: Final = r"metadata|versions(?:/[^/]*(?:/[a-z]+)?)?"
"""What follows a subject in the paths of the API, as a regular expression."""

_RESERVED: Final = frozenset({"__GLOBAL", "__EMPTY"})
_QUALIFIED: Final = re.compile(r":(?P<context>\.[^:]*|\*):(?P<name>.*)", re.DOTALL)
_API_TAIL: Final = re.compile(rf"/(?:{API_TAIL})?\Z")


def split_subject(text: str, *, context: str = DEFAULT_CONTEXT) -> SubjectName:
    """Split a subject as a client writes it into context and name; accepts every text.

    ``:.ctx:orders`` is *orders* in *.ctx*, ``:.:orders`` is *orders* in the default context, a bare
    ``orders`` is *orders* in ``context``: that of a referring schema, or the default one. ``:*:orders``
    is a prefix in all contexts. Colons elsewhere are ordinary characters.
    """
    qualified = _QUALIFIED.fullmatch(text)
    if qualified is None:
        return SubjectName(text, context)
    return SubjectName(qualified["name"], qualified["context"])


def spell_subject(subject: SubjectName, *, context: str) -> str:
    """The one spelling of a subject seen from a context: the bare name where it means the same there.

    `split_subject` with the same context reads it back.
    """
    is_clear = split_subject(subject.name, context=context) == subject
    return subject.name if is_clear else f":{subject.context}:{subject.name}"


def parse_subject(text: str) -> SubjectName:
    """Split a subject and check that it may exist.

    Raises `accord.errors.InvalidSubject` for what `validate_subject` refuses.
    """
    subject = split_subject(text)
    validate_subject(subject)
    return subject


def validate_subject(subject: SubjectName) -> None:
    """Refuse names that can never exist.

    Raises `accord.errors.InvalidSubject` for control characters, for lone surrogates (no UTF-8 text
    holds them) and for the reserved names ``__GLOBAL`` and ``__EMPTY`` in any context.
    """
    if subject.name in _RESERVED or any(_is_forbidden(one) for one in subject.qualified):
        raise InvalidSubject(subject=_printable(subject.qualified))


def validate_new_subject(subject: SubjectName) -> None:
    """Refuse names under which nothing new may be registered.

    Raises `accord.errors.InvalidSubject` for all that `validate_subject` refuses, for contexts that can hold
    no subjects (`may_hold_subjects`), for names above `MAX_SUBJECT_BYTES`, for names that end in ``/`` or in
    a tail of the API (``/versions``, ``/versions/3``, ``/metadata``, ...), and for names whose shown form
    reads as another subject (``:.ctx:a`` inside the default context).
    """
    validate_subject(subject)
    is_ambiguous = _API_TAIL.search(subject.name) is not None or split_subject(subject.qualified) != subject
    is_long = len(subject.qualified.encode()) > MAX_SUBJECT_BYTES
    if is_ambiguous or is_long or not may_hold_subjects(subject.context):
        raise InvalidSubject(subject=subject.qualified)


def may_hold_subjects(context: str) -> bool:
    """True for contexts that can be registered in: not the wildcard, the pseudo-context, or one with a slash.

    Below the path of a context a slash in its name would make another path of it: dropping ``.a/subjects/s``
    would delete a subject of ``.a``.
    """
    return context not in {WILDCARD_CONTEXT, GLOBAL_CONTEXT} and "/" not in context


def is_top_level(text: str | None) -> bool:
    """True for the spellings of "no subject" on settings: None, empty, ``:.:``."""
    return not text or split_subject(text) == SubjectName("", DEFAULT_CONTEXT)


def quote_subject(subject: SubjectName | str) -> str:
    """The subject as one path segment: everything but unreserved characters is percent-encoded."""
    text = str(subject)
    if text in {".", ".."}:  # clients and proxies would drop such a segment, or the one before it
        return text.replace(".", "%2E")
    return quote(text, safe="")


def _is_forbidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs"}


def _printable(text: str) -> str:
    """The text with lone surrogates replaced, so that the error itself can be sent as UTF-8."""
    return text.encode(errors="replace").decode()
