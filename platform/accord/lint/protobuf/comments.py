"""Rules that ask for comments: seven, all alike. And the comments that silence a rule."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from accord.formats.protobuf.fields import Field
from accord.formats.protobuf.kinds import Kind
from accord.formats.protobuf.model import Enum, Message, Method, Oneof, Service, Value
from accord.formats.protobuf.places import around
from accord.lint.protobuf.sites import file_of, whole
from accord.lint.table import LINT, Category, LintRule
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.formats.protobuf.places import Place
    from accord.lint.hits import Hit
    from accord.lint.profile import LintOptions, LintProfile

IGNORE: Final = "buf:lint:ignore"
IGNORED: Final = re.compile(rf"[^\S\n]*{IGNORE}[^\S\n]+(\w+)")
NODES: Final[dict[str, tuple[type, str]]] = {
    "COMMENT_ENUM": (Enum, "enum"),
    "COMMENT_ENUM_VALUE": (Value, "enum value"),
    "COMMENT_FIELD": (Field, "field"),
    "COMMENT_MESSAGE": (Message, "message"),
    "COMMENT_ONEOF": (Oneof, "oneof"),
    "COMMENT_RPC": (Method, "method"),
    "COMMENT_SERVICE": (Service, "service"),
}


def is_silenced(place: Place, rule: str) -> bool:
    """Tell whether a comment at a place, or at what is around it, says that a rule does not count.

    Of each line only the first word behind ``buf:lint:ignore`` counts, as a whole word.
    """
    source = place.file.source
    if source is None or not place.steps or not source.may_say(IGNORE):
        return False
    comments = (source.comment(steps) for steps in around(place.steps))
    return any(
        found[1] == rule
        for comment in comments
        if IGNORE in comment
        for found in map(IGNORED.match, comment.splitlines())
        if found
    )


def is_documented(comment: str) -> bool:
    """Tell whether a comment says something to people."""
    lines = (line.strip() for line in comment.splitlines())
    return any(line and not line.startswith(IGNORE) for line in lines)


def without_comments(profile: LintProfile) -> LintProfile:
    """Return what a profile says about a Protobuf text that has lost its comments.

    The rules that ask for comments would all be broken, and nothing is silenced any more.
    """
    return replace(profile, without=(*profile.without, *NODES), disallow_comment_ignores=True)


def _check(word: str) -> Callable[[Any, LintOptions], Iterator[Hit]]:
    def check(node: Any, _asked: LintOptions) -> Iterator[Hit]:  # noqa: ANN401  # any declaration
        is_group = isinstance(node, Field) and Kind(node.proto.type) is Kind.GROUP
        source = file_of(node).source
        if is_group or source is None or source.position(node.steps) is None:
            return
        if not is_documented(source.comment(node.steps)):
            yield whole(node, f'the {word} "{node.name}" has no comment in front of it')

    return check


for _id, (_node, _word) in NODES.items():
    LINT.add(
        LintRule(
            _id,
            Format.PROTOBUF,
            Category.COMMENTS,
            f"Every {_word} has a comment in front of it.",
            "Comments behind a declaration, or with an empty line below, do not count; nor do lines that"
            f" begin with `{IGNORE}`.",
            f"Say in a sentence what the {_word} means, in a comment directly above it.",
            _node,
            _check(_word),
        )
    )
