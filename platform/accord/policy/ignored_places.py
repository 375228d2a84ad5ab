"""Places in schemas where a rule does not count, as patterns of the paths that findings have.

A pattern is a JSON pointer whose steps may hold ``*`` (any characters) and ``?`` (one character); the step
``**`` stands for any number of steps, none included. So ``/fields/2/**`` is the third field with all that is
in it, and ``/**/title`` whatever ends in ``title``.

The comparison carries along how far each pattern has matched, so that a place is known to be ignored before
what stands there is weighed, in branches that are only tried as well. Where no pattern can match any more
there is nothing to carry.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.policy.patterns import matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from accord.diff.changes import RowKey, Tokens

LONGEST_PLACE: Final = 300
MOST_STEPS: Final = 32
MOST_PLACES: Final = 20
ANY_STEPS: Final = "**"
WILD: Final = re.compile(r"[*?]|[^*?]+")
MEANT: Final = {"*": ".*", "?": "."}
BAD_ESCAPE: Final = re.compile("~(?![01])")

# The patterns that may still match, by number, each with how many of its steps are behind.
Reached: TypeAlias = frozenset[tuple[int, int]]
NOWHERE: Final[Reached] = frozenset()


def place_flaw(pattern: str) -> str | None:
    """Return what is wrong with a pattern as a sentence that says what to change, or None."""
    if not pattern.startswith("/"):
        return "a place begins with /, as the paths of findings do; write it so"
    if BAD_ESCAPE.search(pattern):
        return "a ~ in a place is followed by 0 or 1; write ~0 for ~ itself and ~1 for /"
    if len(pattern) > LONGEST_PLACE or len(_steps(pattern)) > MOST_STEPS:
        return (
            f"a place has at most {LONGEST_PLACE} characters and {MOST_STEPS} steps; write ** for many steps"
        )
    return None


class IgnoredPlaces:
    """The patterns of a policy, by what the rules are about."""

    def __init__(self, places: Mapping[RowKey, Iterable[str]]) -> None:
        known = [(row, _steps(pattern)) for row, patterns in places.items() for pattern in patterns]
        self._rows = [row for row, _ in known]
        self._steps = [steps for _, steps in known]
        self._meets = {step: _meets(step) for steps in self._steps for step in steps}
        self.start: Reached = frozenset(self._with_none((number, 0) for number in range(len(known))))

    def after(self, reached: Reached, tokens: Tokens) -> Reached:
        """Return what is reached some tokens further on."""
        for token in tokens:
            if not reached:
                break
            reached = frozenset(self._with_none(self._moved(reached, token)))
        return reached

    def is_ignored(self, row: RowKey, reached: Reached, tokens: Tokens = ()) -> bool:
        """Tell whether what a rule is about does not count some tokens further on."""
        there = self.after(reached, tokens)
        return any(
            self._rows[number] == row and behind == len(self._steps[number]) for number, behind in there
        )

    def _moved(self, reached: Reached, token: str) -> Iterator[tuple[int, int]]:
        for number, behind in reached:
            steps = self._steps[number]
            if behind < len(steps) and self._meets[steps[behind]](token):
                yield number, behind + (steps[behind] != ANY_STEPS)

    def _with_none(self, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield places, and those behind any ``**`` that comes next, which may stand for no step."""
        for number, behind in places:
            left = self._steps[number][behind:]
            many = sum(1 for _ in takewhile(ANY_STEPS.__eq__, left))
            yield from ((number, behind + passed) for passed in range(many + 1))


NO_PLACES: Final = IgnoredPlaces({})


def _steps(pattern: str) -> tuple[str, ...]:
    """Return the steps of a pattern; the root has none."""
    written = pattern.removeprefix("/").split("/") if pattern != "/" else []
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in written)


def _meets(step: str) -> Callable[[str], bool]:
    """Return what tells whether a step of a pattern covers one token."""
    if step in (ANY_STEPS, "*"):
        return lambda _: True
    if "*" not in step and "?" not in step:
        return step.__eq__
    return matcher("(?s)" + "".join(MEANT.get(part) or re.escape(part) for part in WILD.findall(step)))
