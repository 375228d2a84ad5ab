"""Subject names inside page addresses: ``/s/<subject>/-/`` with as few escapes as can be.

A server behind WSGI sees only the decoded path and browsers rewrite ``.`` segments, so what would be
read twice is written as ``~`` and two hexadecimal digits: the tilde itself, slashes that touch another
slash or an end, and the segments ``.``, ``..`` and ``-``. Each subject has exactly one address.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from django.urls import register_converter

from accord.errors import InvalidSubject
from accord.naming import parse_subject

if TYPE_CHECKING:
    from accord.model import SubjectName

SEGMENTS: Final = {".": "~2E", "..": "~2E~2E", "-": "~2D"}
LOOSE_SLASH: Final = re.compile(r"(?<![^/])/|/(?![^/])")
ESCAPE: Final = re.compile(r"~([0-9A-F]{2})")


def write_subject(subject: SubjectName) -> str:
    """Return the subject as it stands in an address, before percent-encoding."""
    text = LOOSE_SLASH.sub("~2F", subject.qualified.replace("~", "~7E"))
    return "/".join(SEGMENTS.get(segment, segment) for segment in text.split("/"))


def read_subject(text: str) -> SubjectName:
    """Return the subject that an address names.

    Raises:
        ValueError: The text is not the address of a subject that could exist.
    """
    with suppress(InvalidSubject):
        subject = parse_subject(ESCAPE.sub(lambda found: chr(int(found[1], 16)), text))
        if write_subject(subject) == text:
            return subject
    raise ValueError(f"no subject has the address {text!r}")


class SubjectConverter:
    """Django's path converter for the above."""

    regex = r"(?:(?!/-/).)+"

    def to_python(self, value: str) -> SubjectName:
        """Read the part of a path."""
        return read_subject(value)

    def to_url(self, value: SubjectName) -> str:
        """Write the part of a path."""
        return write_subject(value)


register_converter(SubjectConverter, "subject")
