"""What a lint rule yields: a sentence and the place it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from accord.formats.protobuf.places import Place
    from accord.model.verdicts import Severity


class Hit(NamedTuple):
    """One place where a rule is not kept.

    ``at`` is the place in words, as findings of comparisons have it. ``place`` is the file and the path in
    it, for Protobuf alone; a path without steps is a place without a line. Comments that silence a rule are
    looked for there, and at ``also``.
    """

    message: str
    at: tuple[str, ...]
    place: Place | None = None
    also: Place | None = None


class LintFinding(NamedTuple):
    """What lint says of one place; line and column count from 1, and are 1 where there is no place.

    ``path`` is a JSON pointer as findings of comparisons have it; ``file`` is the path of a Protobuf file
    and empty for other formats.
    """

    file: str
    line: int
    column: int
    rule: str
    message: str
    path: str
    severity: Severity
