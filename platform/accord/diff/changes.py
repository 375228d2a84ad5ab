"""What a walk emits: changes, pairs to go on with, and questions about inner pairs.

A walk looks at one pair of nodes. It is a generator, so that whoever drives it keeps the stack of
open pairs (`accord.policy.comparison`) and no depth of schemas becomes a depth of Python calls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from accord.formats.places import pointer_token
from accord.model.frozen import frozen

Tokens: TypeAlias = tuple[str, ...]


class Ways(NamedTuple):
    """The steps to one place in the text of the reader, and in that of the writer."""

    reader: Tokens
    writer: Tokens


@frozen
class Pair:
    """Two nodes to compare, and the steps that lead to them from the pair being walked.

    Emitted by a walk it means: what differs in there belongs to this pair too. ``ways`` lead there in the
    two texts, where those are other steps.
    """

    reader: object
    writer: object
    at: Tokens = ()
    ways: Ways | None = None


@frozen
class Probe:
    """A question: can the inner pair's reader read its writer? The answer is sent into the walk.

    The differences found on the way are not reported. The rules and severities in force decide, so
    overriding a severity changes the answers as well. A walk that wants to report them emits the pair
    once more after the answer: it is remembered.
    """

    pair: Pair


@dataclass(frozen=True, slots=True)
class Effort:
    """Work the walk has done on the spot, in steps, so that the work limit sees it."""

    steps: int


class Facts(NamedTuple):
    """What a change is about: the name of the thing, and its values on both sides, where there are any."""

    name: str = ""
    reader: str = ""
    writer: str = ""


NO_FACTS = Facts()
SHOWN = 120


def shortened(value: str) -> str:
    """Return a value cut to a length that a sentence can hold."""
    return value if len(value) <= SHOWN else f"{value[:SHOWN]}..."


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two nodes, ``at`` the steps that lead to it from the pair walked.

    ``detail`` is the bare value that the format's own checker gives for it. ``ends_comparison``
    marks changes after which nothing else can be said, if they block.
    """

    at: Tokens
    ends_comparison: ClassVar[bool] = False

    @property
    def ways(self) -> Ways | None:
        """The steps to it in the two texts, where those are others."""
        return None

    @property
    def row(self) -> RowKey:
        """What the rule table files this change under: its class, unless one class has many rows."""
        return type(self)

    @property
    def detail(self) -> str:
        """The bare value for machines, spelled as the format's own checker spells it."""
        return ""

    @property
    def facts(self) -> Facts:
        """Name and values by themselves, for advice."""
        return NO_FACTS

    @property
    def lost(self) -> Tokens:
        """The steps to what is gone in the writer's schema, where the place names what held it."""
        return ()

    @property
    def parts(self) -> int:
        """How many names the detail lists, where their number has no bound of its own."""
        return 0

    @property
    def nearest(self) -> tuple[Pair, ...]:
        """The inner pairs whose differences explain this one best, where there are any."""
        return ()

    @property
    def is_nearest_turned(self) -> bool:
        """True where that pair has the writer's schema for its reader, and the reader's for its writer."""
        return False

    @property
    def turned(self) -> Change:
        """The same difference with its two values exchanged, for what was found in a turned pair."""
        return self


# What the rule table files a change under: its class, or a name where one class has many rows.
RowKey: TypeAlias = type[Change] | str
Step: TypeAlias = Change | Pair | Probe | Effort
Steps: TypeAlias = Generator[Step, bool, None]
Walk: TypeAlias = Callable[[Pair], Steps]
# How a format's own checker spells a place: from the steps that lead to it, and from those that led to
# the pair it belongs to when that was first met.
Spelling: TypeAlias = Callable[[Tokens, Tokens], str]


@dataclass(frozen=True, slots=True)
class FormatDiffers(Change):
    """The two schemas are written in different formats."""

    reader: str
    writer: str

    @property
    def detail(self) -> str:
        """The two formats."""
        return f"reader: {self.reader}, writer: {self.writer}"


@dataclass(frozen=True, slots=True)
class NotClosed(Change):
    """An object of a schema permits undeclared properties, ``at`` the steps that lead to it."""

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer; the root is /."""
        return "/" + "/".join(map(pointer_token, self.at))


@dataclass(frozen=True, slots=True)
class TooMuchWork(Change):
    """Comparing the two schemas takes more steps than one check may take.

    ``costly`` says what costs most of them in the format.
    """

    allowed: int
    costly: str

    @property
    def detail(self) -> str:
        """The number of steps allowed."""
        return f"more than {self.allowed} steps"

    @property
    def facts(self) -> Facts:
        """What to shorten."""
        return Facts(self.costly)


@dataclass(frozen=True, slots=True)
class FrozenContent(Change):
    """The content differs from the latest version, and the level allows no change."""
