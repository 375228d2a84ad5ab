"""Driving a walk over two schemas: open pairs, memory of finished ones, and the work limit.

The driver keeps its own stack, so that no chain of types is too long for it. A pair met again while
it is still open counts as readable (recursive types are compatible until some part proves otherwise),
and a finished pair is never walked twice: its differences are repeated, with the way to where they are now
and with the locations of the first visit, which are what Avro Java prints.

Java also remembers what it found readable only because an outer pair was still open, and keeps that
even if the outer pair fails. Inside a probe, whose differences nobody sees, this can hide a real one.
So within probes such results are forgotten when the outer pair fails; outside of them they may stay,
since the outer pair's failure is then part of the report.

A probe ends at the first blocking change. Java goes on and can so meet an ambiguous alias in a branch
that did not fit anyway, and give up on the whole comparison; this one does not.

Places are kept as links to the place before and spelled out at the end: a chain of a thousand types
would otherwise carry a thousand copies of half its own length.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from accord.diff.changes import Change, Effort, Pair, Probe, TooMuchWork, Ways
from accord.model import Format, Severity
from accord.model.frozen import frozen
from accord.policy.ignored_places import NO_PLACES, Reached

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord.diff.changes import RowKey, Step, Steps, Tokens, Walk
    from accord.policy.ignored_places import IgnoredPlaces

# A pair, and what is reached of the places where rules do not count: in another place it may fit, or not.
Key: TypeAlias = "tuple[int, int, Reached]"
# Tokens and what comes before them.
Link: TypeAlias = "tuple[Tokens, Link] | None"
# A pair or at last a change, and what comes after it on the way.
Trail: TypeAlias = "tuple[Pair | Change, Trail] | None"
T = TypeVar("T")

# A step takes about a microsecond, so a check ends within a second or so. Two records of twenty thousand
# lists, compared in both directions, take a third of this.
STEPS_PER_CHECK = 1_000_000
PAIR_COST = 8
REPEAT_COST = 2
FINDING_COST = 24
SHARE = 10
# Names may be long, and what is written about a change repeats its places: this bounds the memory.
TOKENS_PER_STEP = 4
CHARACTERS_PER_STEP = 32
NEVER = 1 << 60
# Each part of one side is tried against each of the other.
COSTLY = {
    Format.AVRO: "unions of records",
    Format.JSON: "lists of oneOf, anyOf and allOf, or its patternProperties",
    Format.PROTOBUF: "messages with many fields",
}


class Found(NamedTuple):
    """A change, the path to it from the pair that holds it, and the place it had when first met."""

    change: Change
    path: Tokens
    location: Tokens
    ways: Ways | None = None

    def behind(self, before: Found, pair: Pair, *, is_turned: bool) -> Found:
        """Return it as seen from where a change is, when it was found in a pair that explains the change.

        ``is_turned`` where the reader of that pair is the writer's schema.
        """
        path = (*before.path, *pair.at, *self.path)
        known = (before.ways, pair.ways, self.ways)
        if known == (None, None, None):
            return self._replace(path=path)
        first, next_, last = (
            ways or Ways(at, at) for ways, at in zip(known, (before.path, pair.at, self.path), strict=True)
        )
        inner = Ways((*next_.reader, *last.reader), (*next_.writer, *last.writer))
        if is_turned:
            inner = Ways(inner.writer, inner.reader)
        ways = Ways((*first.reader, *inner.reader), (*first.writer, *inner.writer))
        return self._replace(path=path, ways=ways)


@frozen
class Noted:
    """A change whose places are not spelled out yet."""

    change: Change
    path: Trail
    location: Link

    def spelled(self) -> Found:
        """Spell the places out."""
        location = chain.from_iterable(reversed(tuple(_links(self.location))))
        steps = tuple(_links(self.path))
        path = tuple(chain.from_iterable(step.at for step in steps))
        return Found(self.change, path, tuple(location), _ways(steps))


def _links(link: tuple[T, Any] | None) -> Iterator[T]:
    while link is not None:
        step, link = link
        yield step


def _ways(steps: Sequence[Pair | Change]) -> Ways | None:
    """Return the steps in the two texts, where those differ from the path."""
    ways = [step.ways or Ways(step.at, step.at) for step in steps]
    if all(step.ways is None for step in steps):
        return None
    return Ways(
        tuple(chain.from_iterable(one.reader for one in ways)),
        tuple(chain.from_iterable(one.writer for one in ways)),
    )


@frozen
class Known:
    """What is remembered of a finished pair; ``found`` is None if a probe was answered early."""

    fits: bool
    found: tuple[Noted, ...] | None


FITTING = Known(fits=True, found=())
EARLY = Known(fits=False, found=None)


class WorkLimitReached(Exception):
    """The steps of the check are used up."""


class ComparisonEnded(Exception):
    """A blocking change after which nothing else can be said."""

    def __init__(self, found: Found) -> None:
        super().__init__()
        self.found = found


@dataclass(slots=True)
class Budget:
    """The steps that one check may take, shared by all its comparisons."""

    allowed: int = STEPS_PER_CHECK
    left: int = STEPS_PER_CHECK

    def spend(self, steps: int) -> None:
        """Take steps, or raise `WorkLimitReached`."""
        self.left -= steps
        if self.left < 0:
            raise WorkLimitReached

    def refill(self) -> None:
        """Give what comes next all steps again; what was given up stays given up."""
        self.left = self.allowed

    def share(self) -> Budget:
        """Return a small budget beside this one, for what is not needed for the verdict."""
        return Budget(self.allowed // SHARE, self.allowed // SHARE)


@dataclass(slots=True)
class _Open:
    """A pair being walked; pairs are numbered in the order of their visits.

    ``leans_on`` is the earliest unfinished pair that the result relies on, ``mark`` how many results
    leaned on others when this pair was opened.
    """

    key: Key
    number: int
    steps: Steps
    pair: Pair
    location: Link
    is_probe: bool
    leans_on: int = NEVER
    mark: int = 0
    fits: bool = True
    found: list[Noted] = field(default_factory=list)


class Comparer:
    """Compares one reader with one writer.

    ``weights`` tells how much each kind of change weighs, ``ignored`` where it weighs nothing.
    """

    def __init__(
        self,
        walk: Walk,
        weights: Mapping[RowKey, Severity],
        budget: Budget,
        ignored: IgnoredPlaces = NO_PLACES,
    ) -> None:
        self.walk = walk
        self.weights = weights
        self.budget = budget
        self.ignored = ignored
        self.stack: list[_Open] = []
        self.open: dict[Key, int] = {}
        self.known: dict[Key, Known] = {}
        self.locations: dict[tuple[int, int], Link] = {}
        # Readable pairs that rely on an open one, by their own numbers (Tarjan's stack).
        self.leaning: dict[Key, int] = {}
        self.visits = 0
        self.probes = 0

    def compare(self, pair: Pair, *, at: Tokens = ()) -> list[Found]:
        """Return the differences in order, of a pair that stands ``at`` a place of its schemas.

        Raises `WorkLimitReached` or `ComparisonEnded`.
        """
        reached = self._reached(self.ignored.start, at)
        root = self._open((id(pair.reader), id(pair.writer), reached), pair, location=None)
        answer: bool | None = None
        while self.stack:
            self.budget.spend(1)
            top = self.stack[-1]
            try:
                step = top.steps.send(answer)  # type: ignore[arg-type]  # one not begun takes None only
            except StopIteration:
                answer = self._close(top)
            else:
                answer = self._take(top, step)
        return [self._spelled(one) for one in root.found]

    def _spelled(self, noted: Noted) -> Found:
        """Spell a change's places out, at the price of what will be written about it."""
        found = noted.spelled()
        size = spelling_steps((*found.path, *found.location, *found.change.lost))
        if found.ways is not None:
            size += spelling_steps((*found.ways.reader, *found.ways.writer))
        self.budget.spend(FINDING_COST + size + found.change.parts)
        return found

    def _reached(self, reached: Reached, at: Tokens) -> Reached:
        if not reached or not at:
            return reached
        self.budget.spend(len(reached) * (len(at) + spelling_steps(at)))
        return self.ignored.after(reached, at)

    def _key(self, top: _Open, pair: Pair) -> Key:
        return (id(pair.reader), id(pair.writer), self._reached(top.key[2], pair.at))

    def _open(self, key: Key, pair: Pair, *, location: Link, is_probe: bool = False) -> _Open:
        self.budget.spend(PAIR_COST)
        first = self.locations.setdefault(key[:2], location)
        opened = _Open(key, self.visits, self.walk(pair), pair, first, is_probe, mark=len(self.leaning))
        self.visits += 1
        self.open[key] = opened.number
        self.stack.append(opened)
        self.probes += is_probe
        return opened

    def _take(self, top: _Open, step: Step) -> bool | None:
        match step:
            case Probe():
                return self._ask(top, step.pair)
            case Pair():
                return self._go_on(top, step)
            case Effort():
                self.budget.spend(step.steps)
                return None
            case _:
                return self._note(top, step)

    def _note(self, top: _Open, change: Change) -> bool | None:
        weight = self.weights[change.row]
        if weight is Severity.OFF or self._is_ignored(top, change):
            return None
        if weight is Severity.BLOCK and self.probes and not change.ends_comparison:
            return self._fail(top)
        noted = Noted(change, (change, None), (change.at, top.location))
        top.found.append(noted)
        if weight is not Severity.BLOCK:
            return None
        if change.ends_comparison:
            raise ComparisonEnded(self._spelled(noted))
        return self._fail(top)

    def _is_ignored(self, top: _Open, change: Change) -> bool:
        reached = top.key[2]
        return bool(reached) and self.ignored.is_ignored(change.row, self._reached(reached, change.at))

    def _go_on(self, top: _Open, pair: Pair) -> bool | None:
        """Take the differences of an inner pair over, from memory or by walking it."""
        key = self._key(top, pair)
        known = self._remember(top, key)
        if known is None:
            self._open(key, pair, location=(pair.at, top.location))
            return None
        if known.found is None and not self.probes:
            self._open(key, pair, location=None)
            return None
        self._adopt(top, known.found or (), by=pair)
        return None if known.fits else self._fail(top)

    def _ask(self, top: _Open, pair: Pair) -> bool | None:
        key = self._key(top, pair)
        known = self._remember(top, key)
        if known is None:
            self._open(key, pair, location=None, is_probe=True)
            return None
        return known.fits

    def _remember(self, top: _Open, key: Key) -> Known | None:
        number = self.open.get(key)
        if number is not None:
            top.leans_on = min(top.leans_on, number)
            return FITTING  # until some part proves otherwise
        known = self.known.get(key)
        if known is not None and known.fits and self.leaning:
            top.leans_on = min(top.leans_on, self.leaning.get(key, NEVER))
        return known

    def _adopt(self, top: _Open, found: tuple[Noted, ...], *, by: Pair) -> None:
        if found:
            self.budget.spend(REPEAT_COST * len(found))
            top.found.extend([Noted(one.change, (by, one.path), one.location) for one in found])

    def _fail(self, top: _Open) -> bool | None:
        """Mark a pair as unreadable; inside a probe that settles the probe at once."""
        top.fits = False
        if not self.probes:
            return None
        while True:
            failed = self._pop()
            self.known.setdefault(failed.key, EARLY)
            if failed.is_probe:
                self._forget(failed.mark)
                return False

    def _close(self, top: _Open) -> bool | None:
        """Finish a walked pair: remember it, and hand the answer or the differences up."""
        self._pop()
        found = tuple(top.found)
        self.known[top.key] = FITTING if top.fits and not found else Known(top.fits, found)
        if top.fits:
            self._lean(top)
        else:
            self._settle(top.mark)
        if top.is_probe:
            return top.fits
        if self.stack:
            parent = self.stack[-1]
            self._adopt(parent, found, by=top.pair)
            parent.fits = parent.fits and top.fits
        return None

    def _lean(self, top: _Open) -> None:
        """A readable pair that relies on an earlier open one is readable only if that one is."""
        if top.leans_on < top.number:
            self.leaning[top.key] = top.number
            parent = self.stack[-1]
            parent.leans_on = min(parent.leans_on, top.leans_on)
        else:
            self._settle(top.mark)

    def _pop(self) -> _Open:
        top = self.stack.pop()
        del self.open[top.key]
        self.probes -= top.is_probe
        top.steps.close()
        return top

    def _settle(self, mark: int) -> None:
        """What leaned on a finished pair holds from now on."""
        while len(self.leaning) > mark:
            self.leaning.popitem()

    def _forget(self, mark: int) -> None:
        """What leaned on a pair that failed inside a probe must be looked at again."""
        while len(self.leaning) > mark:
            key, _ = self.leaning.popitem()
            self.known.pop(key, None)


def spelling_steps(tokens: Tokens) -> int:
    """Return the steps that it takes to write these tokens down."""
    return len(tokens) // TOKENS_PER_STEP + sum(map(len, tokens)) // CHARACTERS_PER_STEP


def too_much_work(budget: Budget, format_: Format) -> Found:
    """Return the one finding of a comparison that was cut short."""
    return Found(TooMuchWork((), budget.allowed, COSTLY[format_]), (), ())
