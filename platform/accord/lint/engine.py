"""One walk over what is linted, which calls the rules for each kind of node."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from accord.lint.protobuf.comments import is_silenced
from accord.lint.table import LINT, rules_named
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from accord.lint.hits import Hit
    from accord.lint.profile import LintProfile
    from accord.lint.table import LintRule
    from accord.model import Format

    Weighed: TypeAlias = "Mapping[str, Severity]"


class Found(NamedTuple):
    """A rule that is not kept at a place, and how much that weighs."""

    rule: LintRule
    severity: Severity
    hit: Hit


def weights(profile: LintProfile) -> dict[str, Severity]:
    """Return how much each rule weighs that counts under a profile; those that are off are left out."""
    left_out = {row.id for name in profile.without for row in rules_named(name)}
    rows = {row.id: row for name in profile.use for row in rules_named(name) if row.id not in left_out}
    weighed = {
        rule: profile.severities.get(rule) or profile.severity or row.severity for rule, row in rows.items()
    }
    return {rule: severity for rule, severity in weighed.items() if severity is not Severity.OFF}


def found_among(
    nodes: Iterable[object], profile: LintProfile, format_: Format, *, name: str = ""
) -> Iterator[Found]:
    """Yield what rules find in nodes, in the order of the nodes.

    ``name`` is what paths to ignore are held against where a hit has no path of its own.
    """
    if not profile.use:
        return
    rows = [
        (LINT.rows[rule], severity)
        for rule, severity in weights(profile).items()
        if LINT.rows[rule].format is format_
    ]
    by_node: dict[type, list[tuple[LintRule, Severity]]] = {}
    for row, severity in rows:
        by_node.setdefault(row.node, []).append((row, severity))
    ignored = _Ignored(profile, {row.id for row, _ in rows})
    for node in nodes:
        for row, severity in by_node.get(type(node), ()):
            for hit in row.check(node, profile.options):
                if not ignored.covers(row.id, hit, name):
                    yield Found(row, severity, hit)


class _Ignored:
    """Where rules do not count, by the paths and the comments that a profile goes by."""

    def __init__(self, profile: LintProfile, rules: set[str]) -> None:
        self.by_rule = dict.fromkeys(rules, profile.ignore)
        self.minds_comments = not profile.disallow_comment_ignores
        for named, paths in profile.ignore_only.items():
            for row in rules_named(named):
                if row.id in rules:
                    self.by_rule[row.id] = (*self.by_rule[row.id], *paths)

    def covers(self, rule: str, hit: Hit, name: str) -> bool:
        path = name or (hit.place.file.path if hit.place is not None else "")
        if any(is_under(path, one) for one in self.by_rule[rule]):
            return True
        places = [one for one in (hit.place, hit.also) if one is not None] if self.minds_comments else []
        return any(is_silenced(place, rule) for place in places)


def is_under(path: str, holder: str) -> bool:
    """Tell whether a path is a file or lies in a folder."""
    folder = holder.rstrip("/")
    return path == folder or path.startswith(f"{folder}/")
